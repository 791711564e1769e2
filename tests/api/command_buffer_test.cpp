// SPDX-License-Identifier: Apache-2.0

// The states of command buffers, and those that execute others.
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class CommandBufferTest : public DeviceTest {
 protected:
  CommandBufferTest() {
    device_extensions = {VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME};
    device_features = &nested_;
  }

  VkCommandBuffer beginSecondary() {
    VkCommandBuffer secondary = allocateCommands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance{
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                   .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                   .pInheritanceInfo = &inheritance};
    EXPECT_EQ(vk.vkBeginCommandBuffer(secondary, &begin), VK_SUCCESS);
    return secondary;
  }

  VkResult submit(VkCommandBuffer commands) {
    VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                        .commandBufferCount = 1,
                        .pCommandBuffers = &commands};
    return vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
  }

  uint32_t maxNesting() {
    return propertiesOf<VkPhysicalDeviceNestedCommandBufferPropertiesEXT>(
               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_PROPERTIES_EXT)
        .maxCommandBufferNestingLevel;
  }

 private:
  VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
      .nestedCommandBuffer = VK_TRUE,
      .nestedCommandBufferSimultaneousUse = VK_TRUE};
};

// VK_EXT_nested_command_buffer.
TEST_F(CommandBufferTest, SecondariesExecuteSecondariesUpToTheLimit) {
  const uint32_t levels = maxNesting();
  ASSERT_GE(levels, 1u);
  WordBuffer buffer = makeBuffer(levels + 1);
  VkCommandBuffer inner = VK_NULL_HANDLE;
  for (uint32_t level = 0; level <= levels; ++level) {
    VkCommandBuffer outer = beginSecondary();
    vk.vkCmdFillBuffer(outer, buffer.buffer, 4 * level, 4, level + 1);
    if (inner != VK_NULL_HANDLE) vk.vkCmdExecuteCommands(outer, 1, &inner);
    ASSERT_EQ(vk.vkEndCommandBuffer(outer), VK_SUCCESS) << level;
    inner = outer;
  }
  // Twice: each of them may be in use more than once.
  run([&](VkCommandBuffer commands) {
    vk.vkCmdExecuteCommands(commands, 1, &inner);
    barrier(commands);
    vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 4, 0);
    barrier(commands);
    vk.vkCmdExecuteCommands(commands, 1, &inner);
  });
  for (uint32_t level = 0; level <= levels; ++level) EXPECT_EQ(buffer.words[level], level + 1);

  MISUSE_FROM_HERE();
  VkCommandBuffer too_deep = beginSecondary();
  vk.vkCmdExecuteCommands(too_deep, 1, &inner);
  VkCommandBuffer more = too_deep;
  if (vk.vkEndCommandBuffer(too_deep) == VK_SUCCESS) {
    more = beginSecondary();
    vk.vkCmdExecuteCommands(more, 1, &too_deep);
    EXPECT_LT(vk.vkEndCommandBuffer(more), 0);
  }
}

TEST_F(CommandBufferTest, OnlyWhatHasEndedWellIsExecuted) {
  MISUSE_FROM_HERE();
  messages();
  VkCommandBuffer itself = beginSecondary();
  vk.vkCmdExecuteCommands(itself, 1, &itself);
  EXPECT_LT(vk.vkEndCommandBuffer(itself), 0);
  EXPECT_TRUE(wasTold("vkCmdExecuteCommands"));
  // And what failed makes others fail.
  VkCommandBuffer other = beginSecondary();
  vk.vkCmdExecuteCommands(other, 1, &itself);
  EXPECT_LT(vk.vkEndCommandBuffer(other), 0);
}

TEST_F(CommandBufferTest, OnlyWhatHasEndedWellIsSubmitted) {
  MISUSE_FROM_HERE();
  VkCommandBuffer commands = allocateCommands();
  EXPECT_LT(submit(commands), 0);
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  messages();
  EXPECT_LT(submit(commands), 0);
  EXPECT_TRUE(wasTold("vkQueueSubmit"));
  VkCommandBufferSubmitInfo buffer{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                   .commandBuffer = commands};
  VkSubmitInfo2 submit2{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                        .commandBufferInfoCount = 1,
                        .pCommandBufferInfos = &buffer};
  EXPECT_LT(vk.vkQueueSubmit2(queue, 1, &submit2, VK_NULL_HANDLE), 0);
  ASSERT_EQ(vk.vkEndCommandBuffer(commands), VK_SUCCESS);
  EXPECT_EQ(submit(commands), VK_SUCCESS);
  ASSERT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
  ASSERT_EQ(vk.vkResetCommandBuffer(commands, 0), VK_SUCCESS);
  EXPECT_LT(submit(commands), 0);
}

}  // namespace
}  // namespace api_test
