// SPDX-License-Identifier: Apache-2.0

// VK_KHR_external_fence_fd; see external_sync.h.
#include "icd/entrypoints.h"
#include "icd/external_sync.h"
#include "icd/fence.h"
#include "icd/guarded.h"

namespace icd {
namespace {

constexpr auto kKind = rt::SharedKind::Fence;

}  // namespace

void vkGetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice,
                                                const VkPhysicalDeviceExternalFenceInfo* info,
                                                VkExternalFenceProperties* properties) {
  const bool available = (externalTypes(kKind) & info->handleType) != 0;
  properties->exportFromImportedHandleTypes = exportedFromImported(kKind, info->handleType);
  properties->compatibleHandleTypes = available ? externalTypes(kKind) : 0;
  properties->externalFenceFeatures = available ? VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT |
                                                      VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT
                                                : 0;
}

VkResult vkGetFenceFdKHR(VkDevice device, const VkFenceGetFdInfoKHR* info, int* descriptor) {
  constexpr const char* kCommand = "vkGetFenceFdKHR";
  Fence& fence = *Fence::from(info->fence);
  if (info->handleType == kOpaqueFile)
    return exportTimeline(device, kCommand, *fence.event().point().timeline, descriptor);
  if (info->handleType != syncFile(kKind)) {
    return failCommand<VkResult>(kCommand, "it cannot be exported as a handle of that type",
                                 VK_ERROR_INVALID_EXTERNAL_HANDLE, device);
  }
  *descriptor = exportSignal(device, fence.event().point());
  fence.reset();  // as which it counts
  return VK_SUCCESS;
}

VkResult vkImportFenceFdKHR(VkDevice device, const VkImportFenceFdInfoKHR* info) {
  Fence& fence = *Fence::from(info->fence);
  auto imported = importTimeline(device, "vkImportFenceFdKHR", kKind, info->handleType, info->fd,
                                 {.value = 1, .target = 1});
  if (auto* failure = std::get_if<VkResult>(&imported)) return *failure;
  rt::Event event(std::get<std::shared_ptr<rt::Timeline>>(std::move(imported)));
  if ((info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT) != 0) {
    fence.temporary = std::move(event);
  } else {
    fence.permanent = std::move(event);
  }
  return VK_SUCCESS;
}

}  // namespace icd
