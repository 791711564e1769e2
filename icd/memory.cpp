// SPDX-License-Identifier: Apache-2.0

#include "icd/memory.h"

#include <cstdint>
#include <optional>
#include <string>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/external_memory.h"
#include "icd/guarded.h"
#include "icd/memory_events.h"
#include "runtime/host.h"
#include "runtime/quantity.h"

namespace icd {
namespace {

// Says how much there is, whatever it was that was not enough.
VkResult outOfMemory(VkDevice device, VkDeviceSize bytes) {
  const rt::Heap& heap = *Device::from(device)->physical_device.heap;
  const std::string reason =
      "out of memory: " + rt::describeBytes(bytes) + " asked for; the heap has " +
      rt::describeBytes(heap.bytes()) + " (TESSERA_MEMORY), of which " +
      rt::describeBytes(heap.usedBytes()) + " are taken, and the process can have " +
      rt::describeBytes(rt::availableMemory()) + " more of the system, limits apart";
  return failCommand<VkResult>("vkAllocateMemory", reason.c_str(), VK_ERROR_OUT_OF_DEVICE_MEMORY,
                               device);
}

AllocationResult allocate(VkDevice device, const VkMemoryAllocateInfo& info) {
  const std::variant<rt::Sharing, VkResult> sharing = sharingOf(device, info);
  if (auto* failure = std::get_if<VkResult>(&sharing)) return *failure;
  if (std::optional<AllocationResult> imported = importMemory(device, info))
    return std::move(*imported);
  if (info.allocationSize == 0)
    return failCommand<VkResult>("vkAllocateMemory", "an allocation of 0 bytes", VK_ERROR_UNKNOWN,
                                 device);
  if (info.allocationSize >
      Device::from(device)->physical_device.properties.v11.maxMemoryAllocationSize)
    return outOfMemory(device, info.allocationSize);
  // Only a file's pages can be mapped more than once.
  const bool shared = Device::from(device)->options.placed_maps;
  std::optional<rt::Allocation> allocation = Device::from(device)->physical_device.heap->allocate(
      info.allocationSize, shared ? rt::Sharing::Shared : std::get<rt::Sharing>(sharing));
  if (!allocation) return outOfMemory(device, info.allocationSize);
  return std::move(*allocation);
}

bool isPlaceable(const Device& device, const rt::Allocation& allocation, const void* address,
                 VkDeviceSize offset) {
  return device.options.placed_maps && allocation.file() && address != nullptr &&
         reinterpret_cast<uintptr_t>(address) % rt::kPageBytes == 0 && offset % rt::kPageBytes == 0;
}

// Whether somebody else has it, who may have written it.
bool isImport(const VkMemoryAllocateInfo& info) {
  auto* file =
      findInChain<VkImportMemoryFdInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  auto* host = findInChain<VkImportMemoryHostPointerInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  auto* exported = findInChain<VkExportMemoryAllocateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  return (file != nullptr && file->handleType != 0) || (host != nullptr && host->handleType != 0) ||
         (exported != nullptr && exported->handleTypes != 0);
}

}  // namespace

VkResult vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                          const VkAllocationCallbacks*, VkDeviceMemory* memory) {
  AllocationResult allocated = allocate(device, *info);
  if (auto* failure = std::get_if<VkResult>(&allocated)) return *failure;
  const VkResult result =
      createObject<DeviceMemory>(memory, std::get<rt::Allocation>(std::move(allocated)));
  if (result != VK_SUCCESS) return result;
  if (memoryIsThere(*Device::from(device), *DeviceMemory::from(*memory), isImport(*info)))
    return VK_SUCCESS;
  destroyObject<DeviceMemory>(*memory);
  *memory = VK_NULL_HANDLE;
  return failCommand<VkResult>("vkAllocateMemory", "the uninit check finds no room for its shadow",
                               VK_ERROR_OUT_OF_DEVICE_MEMORY, device);
}

void vkFreeMemory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks*) {
  if (memory != VK_NULL_HANDLE) memoryGoes(*Device::from(device), *DeviceMemory::from(memory));
  destroyObject<DeviceMemory>(memory);
}

VkResult vkMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                     VkMemoryMapFlags flags, void** data) {
  const VkMemoryMapInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                             .flags = flags,
                             .memory = memory,
                             .offset = offset,
                             .size = size};
  return vkMapMemory2KHR(device, &info, data);
}

void vkUnmapMemory(VkDevice device, VkDeviceMemory memory) {
  const VkMemoryUnmapInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .memory = memory};
  vkUnmapMemory2KHR(device, &info);
}

// Memory is the process's own: mapping is a matter of addresses. Only on a device that may be asked
// for certain addresses, each mapping is one more of the pages, which the application may replace.
VkResult vkMapMemory2KHR(VkDevice device, const VkMemoryMapInfo* info, void** data) {
  constexpr const char* kCommand = "vkMapMemory";
  DeviceMemory& memory = *DeviceMemory::from(info->memory);
  const rt::Allocation& allocation = memory.allocation;
  const bool fits =
      info->offset < allocation.bytes() && info->size != 0 &&
      (info->size == VK_WHOLE_SIZE || info->size <= allocation.bytes() - info->offset);
  if (!fits) {
    return failCommand<VkResult>(kCommand, "the range is not inside the memory",
                                 VK_ERROR_MEMORY_MAP_FAILED, device);
  }
  auto* placed = findInChain<VkMemoryMapPlacedInfoEXT>(
      info->pNext, VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT);
  void* address = nullptr;
  if ((info->flags & VK_MEMORY_MAP_PLACED_BIT_EXT) != 0) {
    address = placed != nullptr ? placed->pPlacedAddress : nullptr;
    if (!isPlaceable(*Device::from(device), allocation, address, info->offset)) {
      return failCommand<VkResult>(
          kCommand, "the memory cannot be mapped there: the device, the memory or the address",
          VK_ERROR_MEMORY_MAP_FAILED, device);
    }
  }
  hostWrites(*Device::from(device), memory, info->offset, info->size);
  if (!Device::from(device)->options.placed_maps || !allocation.file()) {
    *data = allocation.address() + info->offset;
    return VK_SUCCESS;
  }
  if (memory.view != nullptr) {
    return failCommand<VkResult>(kCommand, "the memory is mapped already",
                                 VK_ERROR_MEMORY_MAP_FAILED, device);
  }
  const VkDeviceSize start = info->offset / rt::kPageBytes * rt::kPageBytes;
  const VkDeviceSize end =
      info->size == VK_WHOLE_SIZE ? allocation.bytes() : info->offset + info->size;
  memory.view_bytes = end - start;
  memory.view = rt::mapView(allocation.file().descriptor(), start, memory.view_bytes, address);
  if (memory.view == nullptr) return VK_ERROR_MEMORY_MAP_FAILED;
  *data = memory.view + (info->offset - start);
  return VK_SUCCESS;
}

VkResult vkUnmapMemory2KHR(VkDevice device, const VkMemoryUnmapInfo* info) {
  DeviceMemory& memory = *DeviceMemory::from(info->memory);
  if ((info->flags & VK_MEMORY_UNMAP_RESERVE_BIT_EXT) == 0) {
    rt::freePages(memory.view, memory.view_bytes);
  } else if (memory.view == nullptr || !rt::reservePages(memory.view, memory.view_bytes)) {
    return failCommand<VkResult>("vkUnmapMemory2", "the addresses cannot be kept reserved",
                                 VK_ERROR_MEMORY_MAP_FAILED, device);
  }
  memory.view = nullptr;
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
