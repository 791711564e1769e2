#include "icd/semaphore.h"

#include <vector>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/wait.h"

namespace icd {

VkResult vkCreateSemaphore(VkDevice, const VkSemaphoreCreateInfo* info,
                           const VkAllocationCallbacks*, VkSemaphore* semaphore) {
  auto* type = findInChain<VkSemaphoreTypeCreateInfo>(info->pNext,
                                                      VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  return type != nullptr
             ? createObject<Semaphore>(semaphore, type->semaphoreType, type->initialValue)
             : createObject<Semaphore>(semaphore, VK_SEMAPHORE_TYPE_BINARY, uint64_t{0});
}

void vkDestroySemaphore(VkDevice, VkSemaphore semaphore, const VkAllocationCallbacks*) {
  destroyObject<Semaphore>(semaphore);
}

VkResult vkGetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  *value = Semaphore::from(semaphore)->timeline->value();
  return Device::from(device)->status();
}

VkResult vkSignalSemaphore(VkDevice, const VkSemaphoreSignalInfo* info) {
  Semaphore::from(info->semaphore)->timeline->signal(info->value);
  return VK_SUCCESS;
}

VkResult vkWaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  std::vector<rt::TimelinePoint> points;
  points.reserve(info->semaphoreCount);
  for (uint32_t i = 0; i < info->semaphoreCount; ++i) {
    points.push_back(Semaphore::from(info->pSemaphores[i])->waitPoint(info->pValues[i]));
  }
  bool any = (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0;
  return waitFor(*Device::from(device), points, any ? rt::WaitMode::Any : rt::WaitMode::All,
                 timeout);
}

}  // namespace icd
