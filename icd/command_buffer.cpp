// SPDX-License-Identifier: Apache-2.0

#include "icd/command_buffer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "icd/buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/limits.h"

namespace icd {

void CommandBuffer::reset() {
  list_ = std::make_shared<rt::CommandList>();
  state = {};
  failure_ = VK_SUCCESS;
  ended_ = false;
  levels_ = 0;
}

VkResult CommandBuffer::end() {
  ended_ = true;
  return failure_;
}

bool CommandBuffer::recordAll(const CommandBuffer& secondary) {
  // What is still being recorded could execute itself, without end.
  if (!secondary.isExecutable() || secondary.levels_ > kMaxNestedCommandBuffers) return false;
  levels_ = std::max(levels_, secondary.levels_ + 1);
  record(rt::ExecuteCommands{.list = secondary.list()});
  return true;
}

void CommandBuffer::record(rt::Command command) { list_->commands.push_back(std::move(command)); }

void CommandBuffer::keep(std::shared_ptr<const void> memory) {
  list_->memory.push_back(std::move(memory));
}

void CommandBuffer::fail(VkResult result) {
  if (failure_ == VK_SUCCESS) failure_ = result;
}

std::byte* CommandBuffer::resolve(const char* command, VkBuffer handle, VkDeviceSize offset,
                                  VkDeviceSize size) {
  const Buffer* buffer = Buffer::from(handle);
  if (buffer != nullptr && buffer->address != nullptr && offset <= buffer->size &&
      size <= buffer->size - offset) {
    return buffer->address + offset;
  }
  failCommand<void>(command, "the range is not inside a buffer with memory", VK_ERROR_UNKNOWN,
                    this->handle());
  return nullptr;
}

std::byte* CommandBuffer::resolve(const char* command, const VkDeviceAddressRangeKHR& range,
                                  VkDeviceSize size) {
  if (range.address != 0 && size <= range.size) return reinterpret_cast<std::byte*>(range.address);
  failCommand<void>(command, "the range has no address, or is too small", VK_ERROR_UNKNOWN,
                    this->handle());
  return nullptr;
}

rt::Log* logOf(VkCommandBuffer buffer) {
  return buffer != nullptr ? &CommandBuffer::from(buffer)->device.log() : nullptr;
}

void failRecording(VkCommandBuffer buffer, VkResult result) {
  if (buffer != nullptr) CommandBuffer::from(buffer)->fail(result);
}

VkResult vkBeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo*) {
  CommandBuffer::from(buffer)->reset();
  return VK_SUCCESS;
}

VkResult vkEndCommandBuffer(VkCommandBuffer buffer) { return CommandBuffer::from(buffer)->end(); }

VkResult vkResetCommandBuffer(VkCommandBuffer buffer, VkCommandBufferResetFlags) {
  CommandBuffer::from(buffer)->reset();
  return VK_SUCCESS;
}

void vkCmdExecuteCommands(VkCommandBuffer buffer, uint32_t count,
                          const VkCommandBuffer* secondaries) {
  for (VkCommandBuffer secondary : std::span(secondaries, count)) {
    if (CommandBuffer::from(buffer)->recordAll(*CommandBuffer::from(secondary))) continue;
    failCommand<void>("vkCmdExecuteCommands",
                      "a command buffer is not in the executable state, or nested too deeply",
                      VK_ERROR_UNKNOWN, buffer);
  }
}

// The group of devices is this one.
void vkCmdSetDeviceMask(VkCommandBuffer, uint32_t) {}

}  // namespace icd
