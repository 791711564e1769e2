// SPDX-License-Identifier: Apache-2.0

// Descriptor sets and command buffers that change while a submission may use them, and submissions
// of what has changed since it was recorded.
#include "tests/checks/api/api_seed.h"

namespace api_test {

namespace {

VkCommandBuffer fillOf(ApiSeedTest& test, VkCommandBufferUsageFlags flags = 0) {
  const VkCommandBuffer commands = test.allocateCommands();
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = flags};
  EXPECT_EQ(test.vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  test.vk.vkCmdFillBuffer(commands, test.makeBuffer(16).buffer, 0, VK_WHOLE_SIZE, 7);
  EXPECT_EQ(test.vk.vkEndCommandBuffer(commands), VK_SUCCESS);
  return commands;
}

// After NegativeDescriptors' updates of a set that a submission uses.
void setIsUpdated(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  const WordBuffer next = test.makeBuffer(16);
  const VkFence fence = test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), set));
  if (!has_bug) test.waitFor(fence);
  test.write(set, 1, next.buffer);
}

// Its binding lacks the flag by which descriptors may change as long as they are not used.
void lateSetIsUpdated(ApiSeedTest& test, bool has_bug) {
  const VkDescriptorBindingFlags late = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  test.useBindings({{}, {.flags = late}});
  const VkDescriptorSet set = test.copyingSet();
  const WordBuffer next = test.makeBuffer(16);
  test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), set));
  test.write(set, has_bug ? 0 : 1, next.buffer);
}

void setIsUpdatedByTemplate(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorUpdateTemplateEntry entry{
      .dstBinding = 1, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  const VkDescriptorUpdateTemplateCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 1,
      .pDescriptorUpdateEntries = &entry,
      .descriptorSetLayout = test.set_layout};
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateDescriptorUpdateTemplate(test.device, &info, nullptr, &update),
            VK_SUCCESS);
  const VkDescriptorSet set = test.copyingSet();
  const VkDescriptorBufferInfo next{.buffer = test.makeBuffer(16).buffer, .range = VK_WHOLE_SIZE};
  const VkFence fence = test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), set));
  if (!has_bug) test.waitFor(fence);
  test.vk.vkUpdateDescriptorSetWithTemplate(test.device, set, update, &next);
  test.vk.vkDestroyDescriptorUpdateTemplate(test.device, update, nullptr);
}

// After NegativeCommand's resets of command buffers in use.
void bufferIsReset(ApiSeedTest& test, bool has_bug) {
  const VkCommandBuffer commands = fillOf(test);
  const VkFence fence = test.submit(commands);
  if (!has_bug) test.waitFor(fence);
  EXPECT_EQ(test.vk.vkResetCommandBuffer(commands, 0), VK_SUCCESS);
}

void bufferIsBegun(ApiSeedTest& test, bool has_bug) {
  const VkCommandBuffer commands = fillOf(test);
  const VkFence fence = test.submit(commands);
  if (!has_bug) test.waitFor(fence);
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(test.vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  EXPECT_EQ(test.vk.vkEndCommandBuffer(commands), VK_SUCCESS);
}

void bufferIsFreed(ApiSeedTest& test, bool has_bug) {
  const VkCommandBuffer commands = fillOf(test);
  const VkFence fence = test.submit(commands);
  if (!has_bug) test.waitFor(fence);
  test.vk.vkFreeCommandBuffers(test.device, test.command_pool, 1, &commands);
}

void poolIsReset(ApiSeedTest& test, bool has_bug) {
  const VkFence fence = test.submit(fillOf(test));
  if (!has_bug) test.waitFor(fence);
  EXPECT_EQ(test.vk.vkResetCommandPool(test.device, test.command_pool, 0), VK_SUCCESS);
}

// After NegativeCommand.SimultaneousUse*: the same commands twice, in the twin with the flag for
// it.
void submittedTwice(ApiSeedTest& test, bool has_bug) {
  const VkCommandBuffer commands = fillOf(
      test, has_bug ? 0 : VkCommandBufferUsageFlags{VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT});
  test.submit(commands);
  test.submit(commands);
}

// After ObjectLifetime.CmdBufferBufferDestroyed.
void bufferGoesBeforeSubmission(ApiSeedTest& test, bool has_bug) {
  const WordBuffer memory = test.makeBuffer(16);
  const VkBuffer buffer = test.aliasOf(memory);
  const VkCommandBuffer commands = test.recordCommands(
      [&](VkCommandBuffer to) { test.vk.vkCmdFillBuffer(to, buffer, 0, VK_WHOLE_SIZE, 7); });
  if (has_bug) test.vk.vkDestroyBuffer(test.device, buffer, nullptr);
  test.waitFor(test.submit(commands));
  EXPECT_EQ(memory.words[0], has_bug ? 0u : 7u);
  if (!has_bug) test.vk.vkDestroyBuffer(test.device, buffer, nullptr);
}

void setGoesBeforeSubmission(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  const VkCommandBuffer commands = test.dispatchOf(test.makeProgram(kCopyingShader), set);
  if (has_bug) test.vk.vkResetDescriptorPool(test.device, test.pool, 0);
  test.waitFor(test.submit(commands));
}

void secondaryIsRecordedAnew(ApiSeedTest& test, bool has_bug) {
  const VkCommandBuffer secondary = test.allocateCommands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const WordBuffer buffer = test.makeBuffer(16);
  const VkCommandBufferInheritanceInfo inherited{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .pInheritanceInfo = &inherited};
  auto record = [&](uint32_t value) {
    EXPECT_EQ(test.vk.vkBeginCommandBuffer(secondary, &begin), VK_SUCCESS);
    test.vk.vkCmdFillBuffer(secondary, buffer.buffer, 0, VK_WHOLE_SIZE, value);
    EXPECT_EQ(test.vk.vkEndCommandBuffer(secondary), VK_SUCCESS);
  };
  record(1);
  if (!has_bug) record(2);
  const VkCommandBuffer primary = test.recordCommands(
      [&](VkCommandBuffer to) { test.vk.vkCmdExecuteCommands(to, 1, &secondary); });
  if (has_bug) record(2);
  test.waitFor(test.submit(primary));
}

}  // namespace

std::vector<ApiSeed> changedInUseSeeds() {
  constexpr const char* kKind = "destroyed-in-use";
  constexpr const char* kUpdate = "VUID-vkUpdateDescriptorSets-None-03047";
  constexpr const char* kInvalid = "VUID-vkQueueSubmit-pCommandBuffers-00070";
  return {
      {kKind, "set_is_updated", kUpdate, "vkUpdateDescriptorSets: descriptor set .* is in use",
       setIsUpdated},
      {kKind, "late_set_is_updated", kUpdate, "vkUpdateDescriptorSets", lateSetIsUpdated},
      {kKind, "set_is_updated_by_template", kUpdate, "vkUpdateDescriptorSetWithTemplate",
       setIsUpdatedByTemplate},
      {kKind, "buffer_is_reset", "VUID-vkResetCommandBuffer-commandBuffer-00045",
       "vkResetCommandBuffer: command buffer", bufferIsReset},
      {kKind, "buffer_is_begun", "VUID-vkBeginCommandBuffer-commandBuffer-00049",
       "vkBeginCommandBuffer: command buffer", bufferIsBegun},
      {kKind, "buffer_is_freed", "VUID-vkFreeCommandBuffers-pCommandBuffers-00047",
       "vkFreeCommandBuffers: command buffer", bufferIsFreed},
      {kKind, "pool_is_reset", "VUID-vkResetCommandPool-commandPool-00040",
       "vkResetCommandPool: command buffer", poolIsReset},
      {kKind, "submitted_twice", "VUID-vkQueueSubmit-pCommandBuffers-00071",
       "vkQueueSubmit: command buffer .* is in use", submittedTwice},
      {kKind, "buffer_goes_before_submission", kInvalid,
       "refers to a buffer that has been destroyed since\n  by command 1, vkCmdFillBuffer",
       bufferGoesBeforeSubmission},
      {kKind, "set_goes_before_submission", kInvalid, "refers to a descriptor set that has been",
       setGoesBeforeSubmission},
      {kKind, "secondary_is_recorded_anew", "VUID-vkQueueSubmit-pCommandBuffers-00072",
       "executes a secondary command buffer that has been freed or reset", secondaryIsRecordedAnew},
  };
}

}  // namespace api_test
