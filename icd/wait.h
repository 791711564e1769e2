// SPDX-License-Identifier: Apache-2.0

// Waiting on behalf of the application, as a VkResult.
#pragma once

#include <span>

#include "icd/device.h"
#include "runtime/timeline.h"

namespace icd {

// For `command`. VK_SUCCESS, VK_TIMEOUT after `timeout` nanoseconds, or VK_ERROR_DEVICE_LOST. That
// is what comes once the device is lost, also of points that are reached (specification, "Lost
// Device": it has to be when a command said so before).
inline VkResult waitFor(const char* command, Device& device,
                        std::span<const rt::TimelinePoint> points, rt::WaitMode mode,
                        uint64_t timeout) {
  if (device.status() != VK_SUCCESS) return VK_ERROR_DEVICE_LOST;
  // Clients that only look may look often.
  rt::TraceSpan span(timeout != 0 ? device.trace.get() : nullptr, rt::TraceTrack::Application,
                     "wait", command);
  span.add("points", uint64_t{points.size()});
  switch (rt::wait(points, mode, rt::deadlineAfter(timeout), &device.runtime.lostSignal())) {
    case rt::WaitResult::Reached:
      return device.status();
    case rt::WaitResult::TimedOut:
      return VK_TIMEOUT;
    case rt::WaitResult::Cancelled:
      break;
  }
  return VK_ERROR_DEVICE_LOST;
}

}  // namespace icd
