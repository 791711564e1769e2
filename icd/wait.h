// Waiting on behalf of the application, as a VkResult.
#pragma once

#include <span>

#include "icd/device.h"
#include "runtime/timeline.h"

namespace icd {

// VK_SUCCESS, VK_TIMEOUT after `timeout` nanoseconds, or VK_ERROR_DEVICE_LOST.
inline VkResult waitFor(Device& device, std::span<const rt::TimelinePoint> points,
                        rt::WaitMode mode, uint64_t timeout) {
  switch (rt::wait(points, mode, rt::deadlineAfter(timeout), &device.runtime.lostSignal())) {
    case rt::WaitResult::Reached:
      return VK_SUCCESS;
    case rt::WaitResult::TimedOut:
      return VK_TIMEOUT;
    case rt::WaitResult::Cancelled:
      break;
  }
  return VK_ERROR_DEVICE_LOST;
}

}  // namespace icd
