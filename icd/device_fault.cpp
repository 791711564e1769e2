// SPDX-License-Identifier: Apache-2.0

// VK_KHR_device_fault and VK_EXT_device_fault: what lost the device, in words, and before that what
// checks of shaders (TESSERA_CHECK) have found. There is no crash dump.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {
namespace {

void describe(std::string_view reason, char (&description)[VK_MAX_DESCRIPTION_SIZE]) {
  description[reason.copy(description, VK_MAX_DESCRIPTION_SIZE - 1)] = '\0';
}

void describe(const Device& device, char (&description)[VK_MAX_DESCRIPTION_SIZE]) {
  describe(device.runtime.lost() ? device.runtime.lossReason() : "", description);
}

VkDeviceFaultAddressInfoKHR addressOf(const rt::Finding& finding) {
  return {.addressType = finding.is_store ? VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_KHR
                                          : VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_KHR,
          .reportedAddress = finding.address,
          .addressPrecision = 1};
}

void fill(VkDeviceFaultInfoKHR& info, const rt::Finding* finding) {
  info.flags = 0;
  info.groupId = 0;
  info.faultAddressInfo = {};
  info.instructionAddressInfo = {};
  info.vendorInfo = {};
  if (finding == nullptr) return;
  describe(
      rt::headOf(*finding) + (rt::hasPlace(*finding) ? ", at " + rt::placeOf(finding->site) : ""),
      info.description);
  describe(std::string(rt::rowOf(finding->kind).name), info.vendorInfo.description);
  info.flags |= VK_DEVICE_FAULT_FLAG_VENDOR_KHR;
  info.vendorInfo.vendorFaultCode = static_cast<uint64_t>(finding->kind);
  if (finding->address == 0) return;
  info.flags |= VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR;
  info.faultAddressInfo = addressOf(*finding);
}

// The size of the message, and the message.
VkResult fill(VkDeviceFaultShaderAbortMessageInfoKHR& info,
              const std::optional<std::vector<std::byte>>& message) {
  std::vector<std::byte> data;
  if (message) {
    const uint64_t size = message->size();
    data.resize(sizeof size + size);
    std::memcpy(data.data(), &size, sizeof size);
    std::ranges::copy(*message, data.begin() + sizeof size);
  }
  const uint64_t room = info.pMessageData != nullptr ? info.messageDataSize : 0;
  info.messageDataSize =
      info.pMessageData != nullptr ? std::min<uint64_t>(data.size(), room) : data.size();
  if (info.pMessageData == nullptr) return VK_SUCCESS;
  std::copy_n(data.begin(), info.messageDataSize, static_cast<std::byte*>(info.pMessageData));
  return room < data.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

bool waitForFault(Device& device, rt::Deadline deadline) {
  if (!device.runtime.isHere()) return true;
  const std::shared_ptr<void> nobody;  // the points own nothing
  rt::TimelinePoint points[2] = {{{nobody, &device.runtime.lostSignal()}, 1}};
  if (device.check_report == nullptr)
    return rt::wait({points, 1}, rt::WaitMode::All, deadline) == rt::WaitResult::Reached;
  points[1] = device.check_report->nextFault();
  return rt::wait(points, rt::WaitMode::Any, deadline) == rt::WaitResult::Reached;
}

}  // namespace

// Losing the device is the last fault, so that once it has been reported there is nothing to wait
// for.
VkResult vkGetDeviceFaultReportsKHR(VkDevice handle, uint64_t timeout, uint32_t* count,
                                    VkDeviceFaultInfoKHR* infos) {
  Device& device = *Device::from(handle);
  const uint32_t room = infos != nullptr ? *count : 0;
  *count = 0;
  if (!waitForFault(device, rt::deadlineAfter(timeout))) return VK_TIMEOUT;
  auto hasLoss = [&] { return device.runtime.lost() && !device.fault_reported.test(); };
  const size_t findings = device.check_report ? device.check_report->faults() : 0;
  if (infos == nullptr) {
    *count = static_cast<uint32_t>(findings) + (hasLoss() ? 1 : 0);
    return VK_SUCCESS;
  }
  while (*count < room && device.check_report != nullptr) {
    const std::optional<rt::Finding> finding = device.check_report->takeFault();
    if (!finding) break;
    fill(infos[(*count)++], &*finding);
  }
  if (*count < room && device.runtime.lost() && !device.fault_reported.test_and_set()) {
    VkDeviceFaultInfoKHR& info = infos[(*count)++];
    fill(info, nullptr);
    info.flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
    describe(device, info.description);
  }
  const bool is_left = (device.check_report && device.check_report->faults() != 0) || hasLoss();
  return is_left ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult vkGetDeviceFaultDebugInfoKHR(VkDevice device, VkDeviceFaultDebugInfoKHR* info) {
  info->vendorBinarySize = 0;
  auto* abort = findInChain<VkDeviceFaultShaderAbortMessageInfoKHR>(
      info->pNext, VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR);
  return abort != nullptr ? fill(*abort, Device::from(device)->abort_message.get()) : VK_SUCCESS;
}

// The address is that of the access for which the device was lost.
VkResult vkGetDeviceFaultInfoEXT(VkDevice handle, VkDeviceFaultCountsEXT* counts,
                                 VkDeviceFaultInfoEXT* info) {
  const Device& device = *Device::from(handle);
  std::optional<rt::Finding> finding;
  if (device.check_report != nullptr && device.runtime.lost())
    finding = device.check_report->lossFinding();
  const uint32_t addresses = finding && finding->address != 0 ? 1 : 0;
  const uint32_t room = info != nullptr && info->pAddressInfos ? counts->addressInfoCount : 0;
  counts->vendorInfoCount = 0;
  counts->vendorBinarySize = 0;
  counts->addressInfoCount = info != nullptr ? std::min(addresses, room) : addresses;
  if (info == nullptr) return VK_SUCCESS;
  describe(device, info->description);
  if (counts->addressInfoCount != 0) info->pAddressInfos[0] = addressOf(*finding);
  return room < addresses ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace icd
