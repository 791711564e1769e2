// SPDX-License-Identifier: Apache-2.0

#include "icd/buffer.h"

#include <cstdint>
#include <span>
#include <string>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/limits.h"
#include "icd/memory.h"
#include "icd/memory_events.h"
#include "runtime/quantity.h"

namespace icd {
namespace {

void fillRequirements(VkDeviceSize size, VkMemoryRequirements* requirements) {
  *requirements = {.size = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment,
                   .alignment = kBufferAlignment,
                   .memoryTypeBits = 1u << kMemoryType};
}

void fillRequirements(VkDeviceSize size, VkMemoryRequirements2* requirements) {
  fillRequirements(size, &requirements->memoryRequirements);
  auto* dedicated = findInChain<VkMemoryDedicatedRequirements>(
      requirements->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
  if (dedicated == nullptr) return;
  dedicated->prefersDedicatedAllocation = VK_FALSE;
  dedicated->requiresDedicatedAllocation = VK_FALSE;
}

}  // namespace

VkResult vkCreateBuffer(VkDevice device, const VkBufferCreateInfo* info,
                        const VkAllocationCallbacks*, VkBuffer* buffer) {
  if ((info->flags & kUnsupportedBufferFlags) != 0) {
    return failCommand<VkResult>("vkCreateBuffer", "no sparse or protected buffers",
                                 VK_ERROR_FEATURE_NOT_PRESENT, device);
  }
  const VkDeviceSize most = Device::from(device)->physical_device.properties.v13.maxBufferSize;
  if (info->size > most) {
    const std::string reason = "a buffer of " + rt::describeBytes(info->size) +
                               "; maxBufferSize is " + rt::describeBytes(most);
    return failCommand<VkResult>("vkCreateBuffer", reason.c_str(), VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                 device);
  }
  return createObject<Buffer>(buffer, info->size);
}

void vkDestroyBuffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks*) {
  if (buffer != VK_NULL_HANDLE) bufferGoes(*Device::from(device), *Buffer::from(buffer));
  destroyObject<Buffer>(buffer);
}

void vkGetBufferMemoryRequirements(VkDevice, VkBuffer buffer, VkMemoryRequirements* requirements) {
  fillRequirements(Buffer::from(buffer)->size, requirements);
}

void vkGetBufferMemoryRequirements2(VkDevice, const VkBufferMemoryRequirementsInfo2* info,
                                    VkMemoryRequirements2* requirements) {
  fillRequirements(Buffer::from(info->buffer)->size, requirements);
}

void vkGetDeviceBufferMemoryRequirements(VkDevice, const VkDeviceBufferMemoryRequirements* info,
                                         VkMemoryRequirements2* requirements) {
  fillRequirements(info->pCreateInfo->size, requirements);
}

VkResult vkBindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                            VkDeviceSize offset) {
  const rt::Allocation& allocation = DeviceMemory::from(memory)->allocation;
  Buffer& bound = *Buffer::from(buffer);
  if (offset % kBufferAlignment != 0) {
    return failCommand<VkResult>("vkBindBufferMemory", "the offset is not aligned as buffers need",
                                 VK_ERROR_UNKNOWN, device);
  }
  if (offset > allocation.bytes() || bound.size > allocation.bytes() - offset) {
    return failCommand<VkResult>("vkBindBufferMemory", "the buffer is not inside the memory",
                                 VK_ERROR_OUT_OF_DEVICE_MEMORY, device);
  }
  bound.address = allocation.address() + offset;
  bufferIsThere(*Device::from(device), bound);
  return VK_SUCCESS;
}

VkResult vkBindBufferMemory2(VkDevice device, uint32_t count, const VkBindBufferMemoryInfo* infos) {
  VkResult first_failure = VK_SUCCESS;
  for (const VkBindBufferMemoryInfo& info : std::span(infos, count)) {
    const VkResult result = vkBindBufferMemory(device, info.buffer, info.memory, info.memoryOffset);
    auto* status =
        findInChain<VkBindMemoryStatus>(info.pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
    if (status != nullptr) *status->pResult = result;
    if (first_failure == VK_SUCCESS) first_failure = result;
  }
  return first_failure;
}

VkDeviceAddress vkGetBufferDeviceAddress(VkDevice, const VkBufferDeviceAddressInfo* info) {
  return reinterpret_cast<uintptr_t>(Buffer::from(info->buffer)->address);
}

// Capture and replay is not supported, so there is nothing to capture.
uint64_t vkGetBufferOpaqueCaptureAddress(VkDevice, const VkBufferDeviceAddressInfo*) { return 0; }

VkResult vkCreateBufferView(VkDevice device, const VkBufferViewCreateInfo*,
                            const VkAllocationCallbacks*, VkBufferView*) {
  return failCommand<VkResult>("vkCreateBufferView", "this device has no texel buffers",
                               VK_ERROR_FORMAT_NOT_SUPPORTED, device);
}

void vkDestroyBufferView(VkDevice, VkBufferView, const VkAllocationCallbacks*) {}

}  // namespace icd
