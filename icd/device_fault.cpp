// SPDX-License-Identifier: Apache-2.0

// VK_KHR_device_fault and VK_EXT_device_fault: what lost the device, in words. The only faults are
// failures of the runtime itself, which have neither an address nor a crash dump.
#include <string_view>

#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {
namespace {

void describe(const Device& device, char (&description)[VK_MAX_DESCRIPTION_SIZE]) {
  std::string_view reason = device.runtime.lost() ? device.runtime.lossReason() : "";
  description[reason.copy(description, VK_MAX_DESCRIPTION_SIZE - 1)] = '\0';
}

}  // namespace

// Losing the device is the first fault and the last, so that once it has been reported there is
// nothing to wait for.
VkResult vkGetDeviceFaultReportsKHR(VkDevice handle, uint64_t timeout, uint32_t* count,
                                    VkDeviceFaultInfoKHR* infos) {
  Device& device = *Device::from(handle);
  const uint32_t room = infos != nullptr ? *count : 0;
  *count = 0;
  if (!device.runtime.waitUntilLost(rt::deadlineAfter(timeout))) return VK_TIMEOUT;
  if (infos == nullptr || room == 0) {
    const bool available = !device.fault_reported.test();
    if (infos == nullptr) *count = available ? 1 : 0;
    return infos != nullptr && available ? VK_INCOMPLETE : VK_SUCCESS;
  }
  if (device.fault_reported.test_and_set()) return VK_SUCCESS;
  *count = 1;
  infos->flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
  infos->groupId = 0;
  describe(device, infos->description);
  infos->faultAddressInfo = {};
  infos->instructionAddressInfo = {};
  infos->vendorInfo = {};
  return VK_SUCCESS;
}

VkResult vkGetDeviceFaultDebugInfoKHR(VkDevice, VkDeviceFaultDebugInfoKHR* info) {
  info->vendorBinarySize = 0;
  return VK_SUCCESS;
}

VkResult vkGetDeviceFaultInfoEXT(VkDevice device, VkDeviceFaultCountsEXT* counts,
                                 VkDeviceFaultInfoEXT* info) {
  counts->addressInfoCount = 0;
  counts->vendorInfoCount = 0;
  counts->vendorBinarySize = 0;
  if (info != nullptr) describe(*Device::from(device), info->description);
  return VK_SUCCESS;
}

}  // namespace icd
