#include "icd/command_buffer.h"

#include <span>
#include <utility>

#include "icd/buffer.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {

void CommandBuffer::reset() {
  list_ = std::make_shared<rt::CommandList>();
  state = {};
  failure_ = VK_SUCCESS;
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

VkResult vkEndCommandBuffer(VkCommandBuffer buffer) {
  return CommandBuffer::from(buffer)->failure();
}

VkResult vkResetCommandBuffer(VkCommandBuffer buffer, VkCommandBufferResetFlags) {
  CommandBuffer::from(buffer)->reset();
  return VK_SUCCESS;
}

void vkCmdExecuteCommands(VkCommandBuffer buffer, uint32_t count,
                          const VkCommandBuffer* secondaries) {
  for (VkCommandBuffer secondary : std::span(secondaries, count)) {
    CommandBuffer::from(buffer)->record(
        rt::ExecuteCommands{.list = CommandBuffer::from(secondary)->list()});
  }
}

// The group of devices is this one.
void vkCmdSetDeviceMask(VkCommandBuffer, uint32_t) {}

}  // namespace icd
