// SPDX-License-Identifier: Apache-2.0

// The short time that a thread looks for a change before it sleeps.
//
// Whom a change finds awake need not be woken, which takes 5 to 8 us between some virtual
// processors and 50 between others, most of it the waking thread's own time; a submission that is
// waited for may cost two of them. So wake-ups are measured, and where what is waited for has come
// within two of them lately, it is looked for that long. Where it takes longer, threads sleep soon:
// looking is a processor's time too.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/clock.h"

namespace rt {

// A moving average of nanoseconds, of which only so much counts. Thread-safe: it is a guess.
class LatelyAverage {
 public:
  constexpr LatelyAverage(uint64_t first, uint64_t most) : average_(int64_t(first)), most_(most) {}

  void add(uint64_t nanoseconds) {
    const int64_t average = average_.load(std::memory_order_relaxed);
    const auto sample = int64_t(std::min(nanoseconds, most_));
    average_.store(average + (sample - average) / 4, std::memory_order_relaxed);
  }
  uint64_t value() const { return uint64_t(average_.load(std::memory_order_relaxed)); }

 private:
  std::atomic<int64_t> average_;
  const uint64_t most_;
};

// What it takes until a thread runs that another wakes, of all threads of the process. One that
// waits for a processor which others use says little.
inline LatelyAverage wake_up_nanoseconds{7'500, 100'000};

inline void pauseThread() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Calls `done` until it returns true, `looks` times between two looks at the clock, or until `end`;
// what it returned last. Yields in between: the system likes to wake a thread on the processor of
// the one that spins.
template <typename Predicate>
bool spinUntil(Deadline end, int looks, Predicate done) {
  for (;;) {
    for (int i = 0; i < looks; ++i) {
      if (done()) return true;
      pauseThread();
    }
    if (now() >= end) return false;
    sched_yield();
  }
}

// A place where threads wait for something. Thread-safe.
class SpinPlace {
 public:
  // Calls `done` until it returns true, for nanoseconds() at most and not beyond `latest`; what it
  // returned last.
  template <typename Predicate>
  bool spinUntil(Predicate done, Deadline latest = kForever) {
    const uint64_t start = now();
    if (!rt::spinUntil(std::min(start + nanoseconds(), latest), 4, done)) return false;
    add(now() - start);
    return true;
  }

  // What was waited for came after so many nanoseconds, when the thread slept.
  void add(uint64_t nanoseconds) { waits_.add(nanoseconds); }

  uint64_t nanoseconds() const {
    const uint64_t two = 2 * wake_up_nanoseconds.value();
    return waits_.value() <= two ? std::max(two, kLeast) : kLeast;
  }

 private:
  static constexpr uint64_t kLeast = 15'000;
  LatelyAverage waits_{0, 1'000'000};
};

}  // namespace rt
