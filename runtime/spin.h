// SPDX-License-Identifier: Apache-2.0

// The short time that a thread looks for a change before it sleeps. Longer than a wake-up takes (5
// to 8 us between virtual processors, two of them in a submission that is waited for): a client
// that submits and waits in turn then never pays for one, 2 us instead of 15.
#pragma once

#include <sched.h>

#include <cstdint>

#include "runtime/clock.h"

namespace rt {

inline constexpr uint64_t kSpinNanoseconds = 15'000;

inline void pauseThread() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Calls `done` until it returns true, for kSpinNanoseconds at most; what it returned last.
// Yields in between: the system likes to wake a thread on the processor of the one that spins.
template <typename Predicate>
bool spinUntil(Predicate done) {
  for (uint64_t end = now() + kSpinNanoseconds;;) {
    for (int i = 0; i < 4; ++i) {
      if (done()) return true;
      pauseThread();
    }
    if (now() >= end) return false;
    sched_yield();
  }
}

}  // namespace rt
