// SPDX-License-Identifier: Apache-2.0

#include "icd/external_memory.h"

#include <cstdint>

#include "icd/buffer.h"
#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/limits.h"
#include "icd/memory.h"

namespace icd {
namespace {

constexpr auto kFile = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto kHost = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

VkResult refuseHandle(VkDevice device, const char* command, const char* reason) {
  return failCommand<VkResult>(command, reason, VK_ERROR_INVALID_EXTERNAL_HANDLE, device);
}

AllocationResult importFile(VkDevice device, rt::Heap& heap, int descriptor, VkDeviceSize bytes) {
  std::optional<rt::SharedFile> file = rt::SharedFile::adopt(descriptor, bytes);
  if (!file) {
    return refuseHandle(device, "vkAllocateMemory",
                        "the file is not one of this driver's for memory of that size");
  }
  std::optional<rt::Allocation> allocation = heap.import(*file, bytes);
  if (allocation) return std::move(*allocation);
  file->release();
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

AllocationResult importHost(VkDevice device, rt::Heap& heap, void* pointer, VkDeviceSize bytes) {
  if (reinterpret_cast<uintptr_t>(pointer) % kHostPointerAlignment != 0 ||
      bytes % kHostPointerAlignment != 0) {
    return refuseHandle(device, "vkAllocateMemory", "imported memory must be whole pages");
  }
  std::optional<rt::Allocation> allocation = heap.import(static_cast<std::byte*>(pointer), bytes);
  if (allocation) return std::move(*allocation);
  return refuseHandle(device, "vkAllocateMemory", "there is no memory to import at that address");
}

}  // namespace

std::optional<AllocationResult> importMemory(VkDevice device, const VkMemoryAllocateInfo& info) {
  constexpr const char* kCommand = "vkAllocateMemory";
  rt::Heap& heap = *Device::from(device)->physical_device.heap;
  auto* file =
      findInChain<VkImportMemoryFdInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  if (file != nullptr && file->handleType != 0) {
    if (file->handleType != kFile)
      return refuseHandle(device, kCommand, "of files only opaque ones can be imported");
    return importFile(device, heap, file->fd, info.allocationSize);
  }
  auto* host = findInChain<VkImportMemoryHostPointerInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  if (host == nullptr || host->handleType == 0) return std::nullopt;
  if (host->handleType != kHost)
    return refuseHandle(device, kCommand, "of host pointers only the process's can be imported");
  return importHost(device, heap, host->pHostPointer, info.allocationSize);
}

std::variant<rt::Sharing, VkResult> sharingOf(VkDevice device, const VkMemoryAllocateInfo& info) {
  auto* exported = findInChain<VkExportMemoryAllocateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
  if (exported == nullptr || exported->handleTypes == 0) return rt::Sharing::Private;
  if (exported->handleTypes == kFile) return rt::Sharing::Shared;
  return refuseHandle(device, "vkAllocateMemory", "memory can be exported as an opaque file only");
}

void vkGetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice,
                                                 const VkPhysicalDeviceExternalBufferInfo* info,
                                                 VkExternalBufferProperties* properties) {
  VkExternalMemoryProperties& memory = properties->externalMemoryProperties;
  memory = {.compatibleHandleTypes = static_cast<VkFlags>(info->handleType)};
  if ((info->flags & kUnsupportedBufferFlags) != 0) return;
  switch (info->handleType) {
    case kFile:
      memory.externalMemoryFeatures =
          VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
      memory.exportFromImportedHandleTypes = kFile;
      break;
    case kHost:
      memory.externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
      break;
    default:
      break;
  }
}

VkResult vkGetMemoryFdKHR(VkDevice device, const VkMemoryGetFdInfoKHR* info, int* descriptor) {
  const rt::SharedFile& file = DeviceMemory::from(info->memory)->allocation.file();
  if (info->handleType != kFile || !file) {
    return refuseHandle(device, "vkGetMemoryFdKHR",
                        "the memory was not allocated to be exported as an opaque file");
  }
  *descriptor = file.duplicate();
  return *descriptor >= 0 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}

// What opaque files can be is known without asking, and others cannot be imported.
VkResult vkGetMemoryFdPropertiesKHR(VkDevice device, VkExternalMemoryHandleTypeFlagBits, int,
                                    VkMemoryFdPropertiesKHR*) {
  return refuseHandle(device, "vkGetMemoryFdPropertiesKHR",
                      "of files only opaque ones can be imported");
}

VkResult vkGetMemoryHostPointerPropertiesEXT(VkDevice device,
                                             VkExternalMemoryHandleTypeFlagBits type,
                                             const void* pointer,
                                             VkMemoryHostPointerPropertiesEXT* properties) {
  constexpr const char* kCommand = "vkGetMemoryHostPointerPropertiesEXT";
  if (type != kHost)
    return refuseHandle(device, kCommand, "of host pointers only the process's can be imported");
  if (reinterpret_cast<uintptr_t>(pointer) % kHostPointerAlignment != 0)
    return refuseHandle(device, kCommand, "imported memory must be whole pages");
  properties->memoryTypeBits = 1u << kMemoryType;
  return VK_SUCCESS;
}

}  // namespace icd
