// SPDX-License-Identifier: Apache-2.0

#include "runtime/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace rt {

namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

// Linux before 5.16 sleeps on one word only: the others are looked at this often then.
constexpr uint64_t kLookNanoseconds = 1'000'000;

constexpr uint64_t kNanoseconds = 1'000'000'000;

timespec timeOf(Deadline deadline) {
  return {.tv_sec = static_cast<time_t>(deadline / kNanoseconds),
          .tv_nsec = static_cast<long>(deadline % kNanoseconds)};
}

// Both with a point of CLOCK_MONOTONIC, or null; false when it was reached.
bool sleepOnOne(const FutexWord& word, const timespec* until) {
  const int operation = FUTEX_WAIT_BITSET | (word.shared ? 0 : FUTEX_PRIVATE_FLAG);
  const long result =
      syscall(SYS_futex, word.word, operation, word.seen, until, nullptr, FUTEX_BITSET_MATCH_ANY);
  return result == 0 || errno != ETIMEDOUT;
}

// False also, with `errno` ENOSYS, on systems that cannot do it.
bool sleepOnAny(std::span<const FutexWord> words, const timespec* until) {
  std::array<futex_waitv, FUTEX_WAITV_MAX> waits{};
  std::ranges::transform(words, waits.begin(), [](const FutexWord& word) {
    return futex_waitv{.val = word.seen,
                       .uaddr = reinterpret_cast<uintptr_t>(word.word),
                       .flags = FUTEX_32 | (word.shared ? 0u : uint32_t{FUTEX_PRIVATE_FLAG}),
                       .__reserved = 0};
  });
  const long result =
      syscall(SYS_futex_waitv, waits.data(), words.size(), 0, until, CLOCK_MONOTONIC);
  return result >= 0 || (errno != ETIMEDOUT && errno != ENOSYS);
}

}  // namespace

bool sleepOn(std::span<const FutexWord> words, Deadline deadline) {
  const bool ends = deadline <= static_cast<Deadline>(INT64_MAX);
  const timespec end = timeOf(ends ? deadline : 0);
  const timespec* until = ends ? &end : nullptr;
  if (words.size() == 1) return sleepOnOne(words[0], until);
  if (words.size() <= FUTEX_WAITV_MAX) {
    if (sleepOnAny(words, until)) return true;
    if (errno != ENOSYS) return false;
  }
  const Deadline look = now() + kLookNanoseconds;
  if (ends && deadline <= look) return sleepOnOne(words[0], until);
  const timespec soon = timeOf(look);
  sleepOnOne(words[0], &soon);
  return true;
}

void wakeAll(const std::atomic<uint32_t>& word, bool shared) {
  const int operation = FUTEX_WAKE | (shared ? 0 : FUTEX_PRIVATE_FLAG);
  syscall(SYS_futex, &word, operation, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace rt
