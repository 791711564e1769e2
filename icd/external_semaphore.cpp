// SPDX-License-Identifier: Apache-2.0

// VK_KHR_external_semaphore_fd; see external_sync.h.
#include "icd/chain.h"
#include "icd/entrypoints.h"
#include "icd/external_sync.h"
#include "icd/guarded.h"
#include "icd/semaphore.h"

namespace icd {

void vkGetPhysicalDeviceExternalSemaphoreProperties(
    VkPhysicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo* info,
    VkExternalSemaphoreProperties* properties) {
  auto* type = findInChain<VkSemaphoreTypeCreateInfo>(info->pNext,
                                                      VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  const rt::SharedKind kind =
      semaphoreKind(type == nullptr || type->semaphoreType == VK_SEMAPHORE_TYPE_BINARY);
  const bool available = (externalTypes(kind) & info->handleType) != 0;
  properties->exportFromImportedHandleTypes = exportedFromImported(kind, info->handleType);
  properties->compatibleHandleTypes = available ? externalTypes(kind) : 0;
  properties->externalSemaphoreFeatures = available
                                              ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
                                                    VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT
                                              : 0;
}

VkResult vkGetSemaphoreFdKHR(VkDevice device, const VkSemaphoreGetFdInfoKHR* info,
                             int* descriptor) {
  constexpr const char* kCommand = "vkGetSemaphoreFdKHR";
  Semaphore& semaphore = *Semaphore::from(info->semaphore);
  if (info->handleType == kOpaqueFile)
    return exportTimeline(device, kCommand, *semaphore.timeline(), descriptor);
  if (!semaphore.is_binary || info->handleType != syncFile(semaphoreKind(true))) {
    return failCommand<VkResult>(kCommand, "it cannot be exported as a handle of that type",
                                 VK_ERROR_INVALID_EXTERNAL_HANDLE, device);
  }
  *descriptor = exportSignal(device, semaphore.waitPoint(0));  // counts as a wait
  return VK_SUCCESS;
}

VkResult vkImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR* info) {
  Semaphore& semaphore = *Semaphore::from(info->semaphore);
  auto imported =
      importTimeline(device, "vkImportSemaphoreFdKHR", semaphoreKind(semaphore.is_binary),
                     info->handleType, info->fd, {.value = 1, .target = 1});
  if (auto* failure = std::get_if<VkResult>(&imported)) return *failure;
  const bool temporary = (info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) != 0;
  (temporary ? semaphore.temporary : semaphore.permanent) =
      std::get<std::shared_ptr<rt::Timeline>>(std::move(imported));
  return VK_SUCCESS;
}

}  // namespace icd
