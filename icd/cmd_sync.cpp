// SPDX-License-Identifier: Apache-2.0

// Barriers and events. Commands of a list take effect one after the other (runtime/commands.h), so
// stages, accesses and ranges ask for nothing more.
#include <span>
#include <vector>

#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/event.h"

namespace icd {
namespace {

void recordBarrier(VkCommandBuffer handle) {
  CommandBuffer& buffer = *CommandBuffer::from(handle);
  buffer.record(rt::PipelineBarrier{.checker = buffer.device.checker()});
}

void waitEvents(VkCommandBuffer buffer, std::span<const VkEvent> events) {
  rt::WaitEvents wait;
  for (VkEvent event : events) wait.events.push_back(Event::from(event)->flag);
  CommandBuffer::from(buffer)->record(std::move(wait));
  recordBarrier(buffer);
}

}  // namespace

void vkCmdPipelineBarrier(VkCommandBuffer buffer, VkPipelineStageFlags, VkPipelineStageFlags,
                          VkDependencyFlags, uint32_t, const VkMemoryBarrier*, uint32_t,
                          const VkBufferMemoryBarrier*, uint32_t, const VkImageMemoryBarrier*) {
  recordBarrier(buffer);
}

void vkCmdPipelineBarrier2(VkCommandBuffer buffer, const VkDependencyInfo*) {
  recordBarrier(buffer);
}

void vkCmdSetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags) {
  CommandBuffer::from(buffer)->record(rt::SetEvent{.event = Event::from(event)->flag});
}

void vkCmdSetEvent2(VkCommandBuffer buffer, VkEvent event, const VkDependencyInfo*) {
  CommandBuffer::from(buffer)->record(rt::SetEvent{.event = Event::from(event)->flag});
}

void vkCmdResetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags) {
  CommandBuffer::from(buffer)->record(rt::ResetEvent{.event = Event::from(event)->flag});
}

void vkCmdResetEvent2(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags2) {
  CommandBuffer::from(buffer)->record(rt::ResetEvent{.event = Event::from(event)->flag});
}

void vkCmdWaitEvents(VkCommandBuffer buffer, uint32_t count, const VkEvent* events,
                     VkPipelineStageFlags, VkPipelineStageFlags, uint32_t, const VkMemoryBarrier*,
                     uint32_t, const VkBufferMemoryBarrier*, uint32_t,
                     const VkImageMemoryBarrier*) {
  waitEvents(buffer, {events, count});
}

void vkCmdWaitEvents2(VkCommandBuffer buffer, uint32_t count, const VkEvent* events,
                      const VkDependencyInfo*) {
  waitEvents(buffer, {events, count});
}

}  // namespace icd
