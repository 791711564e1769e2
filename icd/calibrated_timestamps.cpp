// SPDX-License-Identifier: Apache-2.0

// VK_KHR_calibrated_timestamps: the device's clock beside the host's. The device's is one of these
// (runtime/clock.h).
#include <time.h>

#include <span>

#include "icd/entrypoints.h"
#include "icd/enumerate.h"
#include "icd/guarded.h"
#include "runtime/clock.h"

namespace icd {
namespace {

constexpr VkTimeDomainKHR kDomains[] = {VK_TIME_DOMAIN_DEVICE_KHR,
                                        VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
                                        VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR};

// Both clocks count nanoseconds, and have no finer steps.
constexpr uint64_t kPeriod = 1;

}  // namespace

VkResult vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice, uint32_t* count,
                                                        VkTimeDomainKHR* domains) {
  return enumerate<VkTimeDomainKHR>(kDomains, count, domains);
}

// One reading of each clock serves all who ask for it. What is read first and last bounds how far
// the readings can be apart.
VkResult vkGetCalibratedTimestampsKHR(VkDevice device, uint32_t count,
                                      const VkCalibratedTimestampInfoKHR* infos,
                                      uint64_t* timestamps, uint64_t* max_deviation) {
  const uint64_t device_time = rt::now();
  const uint64_t raw_time = rt::now(CLOCK_MONOTONIC_RAW);
  *max_deviation = rt::now() - device_time + kPeriod;
  for (const VkCalibratedTimestampInfoKHR& info : std::span(infos, count)) {
    switch (info.timeDomain) {
      case VK_TIME_DOMAIN_DEVICE_KHR:
      case VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR:
        *timestamps++ = device_time;
        break;
      case VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR:
        *timestamps++ = raw_time;
        break;
      default:
        return failCommand<VkResult>("vkGetCalibratedTimestampsKHR", "unknown time domain",
                                     VK_ERROR_UNKNOWN, device);
    }
  }
  return VK_SUCCESS;
}

}  // namespace icd
