// SPDX-License-Identifier: Apache-2.0

// Copies, fills and updates, and the command buffers that hold them.
#include <algorithm>
#include <numeric>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using TransferTest = DeviceTest;

TEST_F(TransferTest, CopyTakesEachRegion) {
  WordBuffer from = makeBuffer(64), to = makeBuffer(64);
  std::iota(from.words.begin(), from.words.end(), 1000);
  std::ranges::fill(to.words, 7);
  VkBufferCopy regions[] = {{.srcOffset = 0, .dstOffset = 128, .size = 64},
                            {.srcOffset = 100, .dstOffset = 4, .size = 8}};
  run([&](VkCommandBuffer commands) {
    vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, 2, regions);
  });
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t expected = 7;
    if (i >= 32 && i < 48) expected = 1000 + i - 32;
    if (i == 1 || i == 2) expected = 1000 + 24 + i;
    EXPECT_EQ(to.words[i], expected) << i;
  }
}

TEST_F(TransferTest, LargeCopy) {
  constexpr size_t kWords = 5'000'003;
  WordBuffer from = makeBuffer(kWords), to = makeBuffer(kWords);
  std::iota(from.words.begin(), from.words.end(), 0);
  VkBufferCopy2 region{.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = kWords * 4};
  VkCopyBufferInfo2 info{.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                         .srcBuffer = from.buffer,
                         .dstBuffer = to.buffer,
                         .regionCount = 1,
                         .pRegions = &region};
  run([&](VkCommandBuffer commands) { vk.vkCmdCopyBuffer2(commands, &info); });
  EXPECT_TRUE(std::ranges::equal(from.words, to.words));
}

TEST_F(TransferTest, FillAndUpdate) {
  WordBuffer buffer = makeBuffer(32);
  const uint32_t data[] = {1, 2, 3};
  run([&](VkCommandBuffer commands) {
    vk.vkCmdFillBuffer(commands, buffer.buffer, 8, VK_WHOLE_SIZE, 0xabcd1234);
    barrier(commands);
    vk.vkCmdUpdateBuffer(commands, buffer.buffer, 16, sizeof data, data);
    barrier(commands);
    vk.vkCmdFillBuffer(commands, buffer.buffer, 120, 4, 5);
  });
  EXPECT_EQ(buffer.words[1], 0u);
  EXPECT_EQ(buffer.words[2], 0xabcd1234);
  EXPECT_EQ(buffer.words[4], 1u);
  EXPECT_EQ(buffer.words[6], 3u);
  EXPECT_EQ(buffer.words[7], 0xabcd1234);
  EXPECT_EQ(buffer.words[30], 5u);
  EXPECT_EQ(buffer.words[31], 0xabcd1234);
}

TEST_F(TransferTest, RangeBeyondTheBufferFailsTheRecording) {
  MISUSE_FROM_HERE();
  WordBuffer buffer = makeBuffer(4);
  VkCommandBuffer commands = allocateCommands();
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  vk.vkCmdFillBuffer(commands, buffer.buffer, 8, 1 << 20, 0);
  EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  EXPECT_TRUE(wasTold("vkCmdFillBuffer"));
  // The buffer can be recorded anew.
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  EXPECT_EQ(vk.vkEndCommandBuffer(commands), VK_SUCCESS);
}

TEST_F(TransferTest, FillsAreOfWholeWords) {
  MISUSE_FROM_HERE();
  const WordBuffer buffer = makeBuffer(4);
  for (auto [offset, size] : {std::pair<VkDeviceSize, VkDeviceSize>{2, 4}, {4, 6}}) {
    const VkCommandBuffer commands = allocateCommands();
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vk.vkCmdFillBuffer(commands, buffer.buffer, offset, size, 1);
    EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
    EXPECT_TRUE(wasTold("whole words"));
  }
}

TEST_F(TransferTest, CommandBufferIsSubmittedManyTimes) {
  WordBuffer a = makeBuffer(2), b = makeBuffer(2);
  a.words[0] = 1;
  VkBufferCopy there{.size = 4}, back{.srcOffset = 0, .dstOffset = 4, .size = 4};
  VkCommandBuffer commands = recordCommands([&](VkCommandBuffer commands) {
    vk.vkCmdCopyBuffer(commands, a.buffer, b.buffer, 1, &there);
    barrier(commands);
    vk.vkCmdCopyBuffer(commands, b.buffer, a.buffer, 1, &back);
  });
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &commands};
  for (uint32_t i = 0; i < 20; ++i) {
    a.words[0] = i;
    ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ASSERT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
    EXPECT_EQ(a.words[1], i);
  }
}

class ExtendedTransferTest : public TransferTest {
 protected:
  ExtendedTransferTest() {
    device_extensions = {VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME,
                         VK_AMD_BUFFER_MARKER_EXTENSION_NAME};
    device_features = &indirect_;
  }

  VkDeviceAddress addressOf(const WordBuffer& buffer) {
    VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                   .buffer = buffer.buffer};
    return vk.vkGetBufferDeviceAddress(device, &info);
  }

 private:
  VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR indirect_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
      .indirectMemoryCopy = VK_TRUE};
};

// VK_KHR_copy_memory_indirect.
TEST_F(ExtendedTransferTest, RegionsOfIndirectCopiesAreWrittenByTheDevice) {
  WordBuffer from = makeBuffer(4), to = makeBuffer(4), regions = makeBuffer(16);
  for (uint32_t i = 0; i < 4; ++i) from.words[i] = 10 + i;
  VkCopyMemoryIndirectInfoKHR info{
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
      .copyCount = 2,
      .copyAddressRange = {.address = addressOf(regions), .size = 64, .stride = 32}};
  run([&](VkCommandBuffer commands) {
    const VkCopyMemoryIndirectCommandKHR first{
        .srcAddress = addressOf(from), .dstAddress = addressOf(to) + 8, .size = 8};
    const VkCopyMemoryIndirectCommandKHR second{
        .srcAddress = addressOf(from) + 12, .dstAddress = addressOf(to), .size = 4};
    vk.vkCmdUpdateBuffer(commands, regions.buffer, 0, sizeof first, &first);
    vk.vkCmdUpdateBuffer(commands, regions.buffer, 32, sizeof second, &second);
    barrier(commands);
    vk.vkCmdCopyMemoryIndirectKHR(commands, &info);
  });
  EXPECT_EQ(std::vector(to.words.begin(), to.words.end()), (std::vector<uint32_t>{13, 0, 10, 11}));

  MISUSE_FROM_HERE();
  for (auto [count, stride] : {std::pair{3u, 32u}, std::pair{1u, 16u}, std::pair{1u, 0u}}) {
    info.copyCount = count;
    info.copyAddressRange.stride = stride;
    VkCommandBuffer commands = allocateCommands();
    VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    vk.vkCmdCopyMemoryIndirectKHR(commands, &info);
    EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  }
}

// VK_AMD_buffer_marker.
TEST_F(ExtendedTransferTest, MarkersAreWrittenInOrder) {
  WordBuffer buffer = makeBuffer(3);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, buffer.buffer, 4, 5);
    barrier(commands);
    VkBufferCopy copy{.srcOffset = 4, .dstOffset = 8, .size = 4};
    vk.vkCmdCopyBuffer(commands, buffer.buffer, buffer.buffer, 1, &copy);
    barrier(commands);
    vk.vkCmdWriteBufferMarker2AMD(commands, VK_PIPELINE_STAGE_2_COPY_BIT, buffer.buffer, 4, 6);
  });
  EXPECT_EQ(std::vector(buffer.words.begin(), buffer.words.end()),
            (std::vector<uint32_t>{0, 6, 5}));

  MISUSE_FROM_HERE();
  const VkCommandBuffer commands = allocateCommands();
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  vk.vkCmdWriteBufferMarkerAMD(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, buffer.buffer, 2, 5);
  EXPECT_LT(vk.vkEndCommandBuffer(commands), 0);
  EXPECT_TRUE(wasTold("whole words"));
}

TEST_F(TransferTest, SecondaryRunsInThePrimary) {
  WordBuffer buffer = makeBuffer(4);
  VkCommandBuffer secondary = allocateCommands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inheritance{.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                 .pInheritanceInfo = &inheritance};
  ASSERT_EQ(vk.vkBeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  vk.vkCmdFillBuffer(secondary, buffer.buffer, 0, 8, 11);
  ASSERT_EQ(vk.vkEndCommandBuffer(secondary), VK_SUCCESS);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 16, 22);
    barrier(commands);
    vk.vkCmdExecuteCommands(commands, 1, &secondary);
    barrier(commands);
    vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 4, 33);
  });
  EXPECT_EQ(buffer.words[0], 33u);
  EXPECT_EQ(buffer.words[1], 11u);
  EXPECT_EQ(buffer.words[2], 22u);
}

TEST_F(TransferTest, ResetPoolForgetsWhatWasRecorded) {
  WordBuffer buffer = makeBuffer(1);
  VkCommandBuffer commands = recordCommands(
      [&](VkCommandBuffer commands) { vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 4, 9); });
  ASSERT_EQ(vk.vkResetCommandPool(device, command_pool, 0), VK_SUCCESS);
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  ASSERT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  ASSERT_EQ(vk.vkEndCommandBuffer(commands), VK_SUCCESS);
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &commands};
  ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  ASSERT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
  EXPECT_EQ(buffer.words[0], 0u);
  vk.vkFreeCommandBuffers(device, command_pool, 1, &commands);
}

}  // namespace
}  // namespace api_test
