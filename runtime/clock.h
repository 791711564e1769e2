// SPDX-License-Identifier: Apache-2.0

// The one clock: timestamps of queries, deadlines of waits, measured costs.
#pragma once

#include <time.h>

#include <cstdint>

namespace rt {

// Nanoseconds of CLOCK_MONOTONIC (VK_TIME_DOMAIN_CLOCK_MONOTONIC; timestampPeriod is 1), unless
// another of the system's clocks is named.
inline uint64_t now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time;
  clock_gettime(clock, &time);
  return uint64_t{1'000'000'000} * uint64_t(time.tv_sec) + uint64_t(time.tv_nsec);
}

// A point of that clock at which a wait gives up.
using Deadline = uint64_t;
inline constexpr Deadline kForever = UINT64_MAX;

// The deadline of a Vulkan timeout in nanoseconds; what does not fit is for ever.
inline Deadline deadlineAfter(uint64_t timeout) {
  if (timeout == 0) return 0;
  uint64_t start = now();
  return timeout > kForever - start ? kForever : start + timeout;
}

}  // namespace rt
