// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/api_commands.h"

#include <algorithm>
#include <array>

namespace fuzz {

ApiCommands::ApiCommands(const api_test::Functions& vk, VkDevice device, uint64_t seed)
    : ApiObjects(vk, device, seed) {
  vk.vkGetDeviceQueue(device, 0, 0, &queue_);
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
  expectGood("vkCreateCommandPool", vk.vkCreateCommandPool(device, &pool, nullptr, &pool_));
  const VkEventCreateInfo event{.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  expectGood("vkCreateEvent", vk.vkCreateEvent(device, &event, nullptr, &event_));
  const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  expectGood("vkCreateFence", vk.vkCreateFence(device, &fence, nullptr, &fence_));
  const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                       .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
  VkSemaphoreCreateInfo semaphore{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  expectGood("vkCreateSemaphore", vk.vkCreateSemaphore(device, &semaphore, nullptr, &binary_));
  semaphore.pNext = &type;
  expectGood("vkCreateSemaphore", vk.vkCreateSemaphore(device, &semaphore, nullptr, &timeline_));

  const VkBufferCreateInfo buffer{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .size = 64,
                                  .usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
  counts_.size = buffer.size;
  expectGood("vkCreateBuffer", vk.vkCreateBuffer(device, &buffer, nullptr, &counts_.handle));
  const VkMemoryAllocateInfo memory{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .allocationSize = 4096};
  expectGood("vkAllocateMemory",
             vk.vkAllocateMemory(device, &memory, nullptr, &counts_memory_.handle));
  expectGood("vkBindBufferMemory",
             vk.vkBindBufferMemory(device, counts_.handle, counts_memory_.handle, 0));
  void* data = nullptr;
  expectGood("vkMapMemory",
             vk.vkMapMemory(device, counts_memory_.handle, 0, VK_WHOLE_SIZE, 0, &data));
  if (complaint.empty())
    for (int i = 0; i < 16; ++i) static_cast<uint32_t*>(data)[i] = 1 + i % 3;
}

ApiCommands::~ApiCommands() {
  vk.vkDestroyCommandPool(device, pool_, nullptr);
  vk.vkDestroyEvent(device, event_, nullptr);
  vk.vkDestroyFence(device, fence_, nullptr);
  vk.vkDestroySemaphore(device, binary_, nullptr);
  vk.vkDestroySemaphore(device, timeline_, nullptr);
  vk.vkDestroyBuffer(device, counts_.handle, nullptr);
  vk.vkFreeMemory(device, counts_memory_.handle, nullptr);
}

VkCommandBuffer ApiCommands::allocate(VkCommandBufferLevel level) {
  const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .commandPool = pool_,
                                         .level = level,
                                         .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  expectGood("vkAllocateCommandBuffers", vk.vkAllocateCommandBuffers(device, &info, &commands));
  return commands;
}

void ApiCommands::recordAndSubmit() {
  if (oneIn(4)) {
    VkCommandBuffer secondary = allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    if (secondary == VK_NULL_HANDLE) return;
    record(secondary, true);
  }
  VkCommandBuffer commands = allocate(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  if (commands == VK_NULL_HANDLE) return;
  record(commands, false);
  submit(commands);
}

void ApiCommands::record(VkCommandBuffer commands, bool secondary) {
  const VkCommandBufferInheritanceInfo inheritance{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                       .pInheritanceInfo = secondary ? &inheritance : nullptr};
  expectGood("vkBeginCommandBuffer", vk.vkBeginCommandBuffer(commands, &begin));
  careful = !oneIn(4);
  ready_ = false;
  for (uint64_t i = 0, count = below(30); i < count; ++i) recordOne(commands);
  if (!secondary && oneIn(2))
    if (VkCommandBuffer* other = any(secondaries_)) vk.vkCmdExecuteCommands(commands, 1, other);
  const VkResult result = vk.vkEndCommandBuffer(commands);
  if (careful) expectGood("vkEndCommandBuffer", result);
  if (secondary && result == VK_SUCCESS) secondaries_.push_back(commands);
  careful = false;
}

void ApiCommands::recordOne(VkCommandBuffer commands) {
  using Call = void (ApiCommands::*)(VkCommandBuffer);
  static constexpr Call kCalls[] = {
      &ApiCommands::bind,     &ApiCommands::bind,     &ApiCommands::bind,
      &ApiCommands::dispatch, &ApiCommands::dispatch, &ApiCommands::transfer,
      &ApiCommands::transfer, &ApiCommands::queries,  &ApiCommands::events,
  };
  (this->*kCalls[below(std::size(kCalls))])(commands);
}

void ApiCommands::bindMatching(VkCommandBuffer commands) {
  const Pipeline* pipeline = any(pipelines);
  if (pipeline == nullptr) return;
  std::vector<VkDescriptorSet> chosen;
  for (const SetLayout* layout : pipeline->layout->sets) {
    chosen.push_back(VK_NULL_HANDLE);
    if (layout == nullptr) continue;
    std::vector<Set> fitting;
    std::ranges::copy_if(sets, std::back_inserter(fitting),
                         [&](const Set& set) { return set.layout == layout; });
    if (fitting.empty()) return;
    chosen.back() = any(fitting)->handle;
  }
  const std::array<uint32_t, 64> offsets{};  // more than any sets of these have
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->handle);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout->handle, 0,
                             static_cast<uint32_t>(chosen.size()), chosen.data(),
                             static_cast<uint32_t>(offsets.size()), offsets.data());
  pushConstants(commands, pipeline->layout->handle);
  ready_ = true;
}

void ApiCommands::pushConstants(VkCommandBuffer commands, VkPipelineLayout layout) {
  std::array<uint32_t, 128> values;
  values.fill(static_cast<uint32_t>(below(300)));
  vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT,
                        static_cast<uint32_t>(careful ? 0 : place(256, 4)),
                        static_cast<uint32_t>(careful ? 8 : 4 * below(90)), values.data());
}

void ApiCommands::bind(VkCommandBuffer commands) {
  if (careful) return bindMatching(commands);
  if (Pipeline* pipeline = any(pipelines))
    vk.vkCmdBindPipeline(
        commands, oneIn(50) ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE,
        pipeline->handle);
  if (layouts.empty()) return;
  const VkPipelineLayout layout = (*any(layouts))->handle;
  std::vector<VkDescriptorSet> chosen(below(5));
  for (VkDescriptorSet& set : chosen)
    set = sets.empty() || oneIn(20) ? VK_NULL_HANDLE : any(sets)->handle;
  std::array<uint32_t, 24> offsets;
  for (uint32_t& offset : offsets) offset = static_cast<uint32_t>(place(1024, 64));
  // Dynamic offsets are to be as many as the sets have dynamic descriptors; the driver knows.
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout,
                             static_cast<uint32_t>(oneIn(20) ? below(~0u) : below(4)),
                             static_cast<uint32_t>(chosen.size()), chosen.data(),
                             static_cast<uint32_t>(oneIn(4) ? below(4) : offsets.size()),
                             offsets.data());
  pushConstants(commands, layout);
}

void ApiCommands::dispatch(VkCommandBuffer commands) {
  if (careful && !ready_) return;
  auto count = [&] { return static_cast<uint32_t>(below(5)); };
  switch (below(3)) {
    case 0:
      return vk.vkCmdDispatch(commands, count(), count(), count());
    case 1:
      return vk.vkCmdDispatchBase(commands, static_cast<uint32_t>(below(100)), count(), count(),
                                  count(), count(), count());
    default: {
      const uint64_t offset = place(counts_.size - (careful ? 8 : 0), 4);
      return vk.vkCmdDispatchIndirect(commands, counts_.handle, offset);
    }
  }
}

void ApiCommands::transfer(VkCommandBuffer commands) {
  const Buffer* from = any(buffers);
  const Buffer* to = any(buffers);
  if (from == nullptr || (careful && !(from->bound && to->bound && to->size >= 4))) return;
  const uint64_t offset = place(careful ? to->size - 3 : to->size, 4);
  const uint64_t size = extent(to->size, offset, 4);
  switch (below(4)) {
    case 0:
      return vk.vkCmdFillBuffer(commands, to->handle, offset, size,
                                static_cast<uint32_t>(below(1000)));
    case 1: {
      static const std::array<uint8_t, 65536> kData{};
      return vk.vkCmdUpdateBuffer(commands, to->handle, offset,
                                  std::min<uint64_t>(size, kData.size()), kData.data());
    }
    case 2: {
      std::array<VkBufferCopy, 3> regions;
      for (VkBufferCopy& region : regions) {
        region = {place(from->size, 1), oneIn(2) ? offset : place(to->size, 1), 0};
        const uint64_t end = std::max(region.srcOffset, region.dstOffset);
        region.size = extent(std::max(std::min(from->size, to->size), end + 1), end, 1);
        if (careful)
          region.size =
              std::min({region.size, from->size - region.srcOffset, to->size - region.dstOffset});
      }
      return vk.vkCmdCopyBuffer(commands, from->handle, to->handle,
                                static_cast<uint32_t>(1 + below(regions.size())), regions.data());
    }
    default: {
      const VkBufferMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .buffer = to->handle,
                                          .offset = offset,
                                          .size = size};
      return vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                     VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &barrier, 0,
                                     nullptr);
    }
  }
}

void ApiCommands::events(VkCommandBuffer commands) {
  vk.vkCmdSetEvent(commands, event_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  if (oneIn(2))
    vk.vkCmdWaitEvents(commands, 1, &event_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  if (oneIn(2)) vk.vkCmdResetEvent(commands, event_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

void ApiCommands::submit(VkCommandBuffer commands) {
  const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};
  // Waits are for what earlier submissions signal; values rise, but for a mistake now and then.
  const uint64_t wait_values[] = {0, below(timeline_value_ + 1)};
  const uint64_t signal_values[] = {
      0, oneIn(30) ? below(timeline_value_ + 1) : timeline_value_ + 1 + below(3)};
  const VkSemaphore semaphores[] = {binary_, timeline_};
  const bool waits_binary = binary_signalled_ && oneIn(2);
  const bool signals_binary = (!binary_signalled_ || waits_binary) && oneIn(2);
  const uint32_t first_wait = waits_binary ? 0 : 1, first_signal = signals_binary ? 0 : 1;
  const VkTimelineSemaphoreSubmitInfo values{
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = 2 - first_wait,
      .pWaitSemaphoreValues = wait_values + first_wait,
      .signalSemaphoreValueCount = 2 - first_signal,
      .pSignalSemaphoreValues = signal_values + first_signal};
  const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .pNext = &values,
                          .waitSemaphoreCount = 2 - first_wait,
                          .pWaitSemaphores = semaphores + first_wait,
                          .pWaitDstStageMask = stages + first_wait,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &commands,
                          .signalSemaphoreCount = 2 - first_signal,
                          .pSignalSemaphores = semaphores + first_signal};
  // One submission at a time has the fence: it is waited for before the next.
  const bool fenced = oneIn(3);
  const VkResult result =
      vk.vkQueueSubmit(queue_, 1, &info, fenced ? fence_ : VkFence{VK_NULL_HANDLE});
  if (result != VK_SUCCESS) return;
  binary_signalled_ = (binary_signalled_ && !waits_binary) || signals_binary;
  timeline_value_ = std::max(timeline_value_, signal_values[1]);
  vk.vkGetFenceStatus(device, fence_);
  if (!fenced) return;
  expectGood("vkWaitForFences", vk.vkWaitForFences(device, 1, &fence_, VK_TRUE, 600'000'000'000));
  expectGood("vkResetFences", vk.vkResetFences(device, 1, &fence_));
}

void ApiCommands::finish() {
  expectGood("vkQueueWaitIdle", vk.vkQueueWaitIdle(queue_));
  uint64_t value = 0;
  expectGood("vkGetSemaphoreCounterValue",
             vk.vkGetSemaphoreCounterValue(device, timeline_, &value));
  if (complaint.empty() && value != timeline_value_)
    complaint = "the timeline is at " + std::to_string(value) + ", not at " +
                std::to_string(timeline_value_);
}

}  // namespace fuzz
