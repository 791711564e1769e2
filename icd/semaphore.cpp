// SPDX-License-Identifier: Apache-2.0

#include "icd/semaphore.h"

#include <vector>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/external_sync.h"
#include "icd/wait.h"

namespace icd {

VkResult vkCreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo* info,
                           const VkAllocationCallbacks*, VkSemaphore* semaphore) {
  auto* type = findInChain<VkSemaphoreTypeCreateInfo>(info->pNext,
                                                      VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  const bool is_binary = type == nullptr || type->semaphoreType == VK_SEMAPHORE_TYPE_BINARY;
  auto* exported = findInChain<VkExportSemaphoreCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
  auto timeline = makeTimeline(device, "vkCreateSemaphore", semaphoreKind(is_binary),
                               exported != nullptr ? exported->handleTypes : 0,
                               {.value = is_binary ? 0 : type->initialValue, .target = 0});
  if (auto* failure = std::get_if<VkResult>(&timeline)) return *failure;
  return createObject<Semaphore>(semaphore, is_binary,
                                 std::get<std::shared_ptr<rt::Timeline>>(std::move(timeline)));
}

void vkDestroySemaphore(VkDevice, VkSemaphore semaphore, const VkAllocationCallbacks*) {
  destroyObject<Semaphore>(semaphore);
}

VkResult vkGetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  *value = Semaphore::from(semaphore)->timeline()->value();
  return Device::from(device)->status();
}

VkResult vkSignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* info) {
  if (!Device::from(device)->runtime.isHere()) return VK_ERROR_DEVICE_LOST;
  Semaphore::from(info->semaphore)->timeline()->signal(info->value);
  return VK_SUCCESS;
}

VkResult vkWaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  std::vector<rt::TimelinePoint> points;
  points.reserve(info->semaphoreCount);
  for (uint32_t i = 0; i < info->semaphoreCount; ++i) {
    points.push_back(Semaphore::from(info->pSemaphores[i])->waitPoint(info->pValues[i]));
  }
  bool any = (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0;
  return waitFor("vkWaitSemaphores", *Device::from(device), points,
                 any ? rt::WaitMode::Any : rt::WaitMode::All, timeout);
}

}  // namespace icd
