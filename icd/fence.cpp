// SPDX-License-Identifier: Apache-2.0

#include "icd/fence.h"

#include <sched.h>

#include <vector>

#include "icd/chain.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/external_sync.h"
#include "icd/wait.h"

namespace icd {

VkResult vkCreateFence(VkDevice device, const VkFenceCreateInfo* info, const VkAllocationCallbacks*,
                       VkFence* fence) {
  const bool signalled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
  auto* exported =
      findInChain<VkExportFenceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
  auto timeline = makeTimeline(device, "vkCreateFence", rt::SharedKind::Fence,
                               exported != nullptr ? exported->handleTypes : 0,
                               {.value = 0, .target = signalled ? 0u : 1u});
  if (auto* failure = std::get_if<VkResult>(&timeline)) return *failure;
  return createObject<Fence>(
      fence, rt::Event(std::get<std::shared_ptr<rt::Timeline>>(std::move(timeline))));
}

void vkDestroyFence(VkDevice, VkFence fence, const VkAllocationCallbacks*) {
  destroyObject<Fence>(fence);
}

VkResult vkResetFences(VkDevice, uint32_t count, const VkFence* fences) {
  for (uint32_t i = 0; i < count; ++i) Fence::from(fences[i])->reset();
  return VK_SUCCESS;
}

VkResult vkGetFenceStatus(VkDevice device, VkFence fence) {
  if (Device::from(device)->runtime.lost()) return VK_ERROR_DEVICE_LOST;
  if (Fence::from(fence)->event().isSet()) return VK_SUCCESS;
  sched_yield();  // clients spin on this, on a core that the workers could use
  return VK_NOT_READY;
}

VkResult vkWaitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                         uint64_t timeout) {
  std::vector<rt::TimelinePoint> points;
  points.reserve(count);
  for (uint32_t i = 0; i < count; ++i) points.push_back(Fence::from(fences[i])->event().point());
  return waitFor("vkWaitForFences", *Device::from(device), points,
                 all != VK_FALSE ? rt::WaitMode::All : rt::WaitMode::Any, timeout);
}

}  // namespace icd
