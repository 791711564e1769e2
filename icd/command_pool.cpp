// SPDX-License-Identifier: Apache-2.0

#include "icd/command_pool.h"

#include <algorithm>
#include <span>

#include "icd/device.h"
#include "icd/entrypoints.h"

namespace icd {

VkResult vkCreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo*,
                             const VkAllocationCallbacks*, VkCommandPool* pool) {
  return createObject<CommandPool>(pool, *Device::from(device));
}

void vkDestroyCommandPool(VkDevice, VkCommandPool pool, const VkAllocationCallbacks*) {
  destroyObject<CommandPool>(pool);
}

VkResult vkResetCommandPool(VkDevice, VkCommandPool pool, VkCommandPoolResetFlags) {
  for (CommandBuffer& buffer : CommandPool::from(pool)->buffers) buffer.reset();
  return VK_SUCCESS;
}

// Memory of reset command buffers has already gone back.
void vkTrimCommandPool(VkDevice, VkCommandPool, VkCommandPoolTrimFlags) {}

VkResult vkAllocateCommandBuffers(VkDevice, const VkCommandBufferAllocateInfo* info,
                                  VkCommandBuffer* buffers) {
  CommandPool& pool = *CommandPool::from(info->commandPool);
  std::list<CommandBuffer> made;  // all or none
  for (uint32_t i = 0; i < info->commandBufferCount; ++i) {
    CommandBuffer& buffer = made.emplace_back(pool.device);
    buffer.position = std::prev(made.end());
    buffers[i] = buffer.handle();
  }
  pool.buffers.splice(pool.buffers.end(), made);
  return VK_SUCCESS;
}

void vkFreeCommandBuffers(VkDevice, VkCommandPool pool, uint32_t count,
                          const VkCommandBuffer* buffers) {
  for (VkCommandBuffer buffer : std::span(buffers, count)) {
    if (buffer == VK_NULL_HANDLE) continue;
    CommandPool::from(pool)->buffers.erase(CommandBuffer::from(buffer)->position);
  }
}

}  // namespace icd
