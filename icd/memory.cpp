#include "icd/memory.h"

#include <optional>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/external_memory.h"
#include "icd/guarded.h"

namespace icd {
namespace {

AllocationResult allocate(VkDevice device, const VkMemoryAllocateInfo& info) {
  const std::variant<rt::Sharing, VkResult> sharing = sharingOf(device, info);
  if (auto* failure = std::get_if<VkResult>(&sharing)) return *failure;
  if (std::optional<AllocationResult> imported = importMemory(device, info))
    return std::move(*imported);
  if (info.allocationSize == 0)
    return failCommand<VkResult>("vkAllocateMemory", "an allocation of 0 bytes", VK_ERROR_UNKNOWN,
                                 device);
  std::optional<rt::Allocation> allocation = Device::from(device)->physical_device.heap->allocate(
      info.allocationSize, std::get<rt::Sharing>(sharing));
  if (!allocation) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return std::move(*allocation);
}

}  // namespace

VkResult vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                          const VkAllocationCallbacks*, VkDeviceMemory* memory) {
  AllocationResult allocated = allocate(device, *info);
  if (auto* failure = std::get_if<VkResult>(&allocated)) return *failure;
  return createObject<DeviceMemory>(memory, std::get<rt::Allocation>(std::move(allocated)));
}

void vkFreeMemory(VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) {
  destroyObject<DeviceMemory>(memory);
}

// Memory is the process's own: mapping is a matter of addresses.
VkResult vkMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                     VkMemoryMapFlags, void** data) {
  const rt::Allocation& allocation = DeviceMemory::from(memory)->allocation;
  const bool fits = offset < allocation.bytes() && size != 0 &&
                    (size == VK_WHOLE_SIZE || size <= allocation.bytes() - offset);
  if (!fits) {
    return failCommand<VkResult>("vkMapMemory", "the range is not inside the memory",
                                 VK_ERROR_MEMORY_MAP_FAILED, device);
  }
  *data = allocation.address() + offset;
  return VK_SUCCESS;
}

void vkUnmapMemory(VkDevice, VkDeviceMemory) {}

VkResult vkMapMemory2KHR(VkDevice device, const VkMemoryMapInfo* info, void** data) {
  return vkMapMemory(device, info->memory, info->offset, info->size, info->flags, data);
}

VkResult vkUnmapMemory2KHR(VkDevice device, const VkMemoryUnmapInfo* info) {
  vkUnmapMemory(device, info->memory);
  return VK_SUCCESS;
}

// All memory is coherent.
VkResult vkFlushMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange*) {
  return VK_SUCCESS;
}
VkResult vkInvalidateMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange*) {
  return VK_SUCCESS;
}

// None is allocated lazily.
void vkGetDeviceMemoryCommitment(VkDevice, VkDeviceMemory memory, VkDeviceSize* bytes) {
  *bytes = DeviceMemory::from(memory)->allocation.bytes();
}

// Capture and replay is not supported, so there is nothing to capture.
uint64_t vkGetDeviceMemoryOpaqueCaptureAddress(VkDevice,
                                               const VkDeviceMemoryOpaqueCaptureAddressInfo*) {
  return 0;
}

}  // namespace icd
