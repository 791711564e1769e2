// SPDX-License-Identifier: Apache-2.0

#include "runtime/process.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/clock.h"

namespace rt {

namespace {

// Nanoseconds that the end of the process waits for calls of oneTBB. They return when the
// workgroups that run are done; a kernel that runs longer than this may run for ever.
constexpr uint64_t kPatience = 1'000'000'000;
constexpr timespec kPeriod{.tv_sec = 0, .tv_nsec = 50'000};

constinit std::atomic<uint32_t> calls = 0;       // of oneTBB, now
constinit std::atomic<bool> has_called = false;  // ever

}  // namespace

constinit std::atomic<uint32_t> Home::forks_ = 0;
constinit std::atomic<bool> TbbCall::over_ = false;

TbbCall::TbbCall() noexcept {
  // Either the end sees this call, or the call sees the end.
  calls.fetch_add(1);
  allowed_ = !over_.load();
  if (allowed_) has_called.store(true, std::memory_order_relaxed);
}

TbbCall::~TbbCall() { calls.fetch_sub(1); }

// What the system calls.
struct ProcessHooks {
  static void end(int, void*) {
    TbbCall::over_ = true;
    for (const Deadline deadline = deadlineAfter(kPatience); calls != 0 && now() < deadline;)
      nanosleep(&kPeriod, nullptr);
  }

  static void beginChild() {
    Home::forks_.fetch_add(1, std::memory_order_relaxed);
    calls = 0;
    if (has_called) TbbCall::over_ = true;
  }
};

namespace {

// When the driver is loaded, after oneTBB: exit handlers run in reverse order. on_exit(), because
// what atexit() registers belongs to the library that calls it (icd/static_objects.cpp).
[[gnu::constructor]] void installHooks() {
  on_exit(&ProcessHooks::end, nullptr);
  pthread_atfork(nullptr, nullptr, &ProcessHooks::beginChild);
}

}  // namespace

}  // namespace rt
