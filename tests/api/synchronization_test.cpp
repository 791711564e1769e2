// SPDX-License-Identifier: Apache-2.0

// Fences, semaphores of both types, and events.
#include <chrono>
#include <thread>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using SynchronizationTest = DeviceTest;

// Nanoseconds, for what should happen at once: far from what a machine needs that is busy.
constexpr uint64_t kSoon = 600'000'000'000;

TEST_F(SynchronizationTest, FenceFollowsTheWorkBeforeIt) {
  WordBuffer buffer = makeBuffer(1 << 20);
  VkFence fence = makeFence();
  EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_NOT_READY);
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, 1000), VK_TIMEOUT);
  VkCommandBuffer commands = recordCommands([&](VkCommandBuffer commands) {
    vk.vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, 3);
  });
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &commands};
  for (uint32_t i = 0; i < 3; ++i) {
    buffer.words.back() = 0;
    ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ASSERT_EQ(vk.vkQueueSubmit(queue, 0, nullptr, fence), VK_SUCCESS);
    ASSERT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, kSoon), VK_SUCCESS);
    EXPECT_EQ(buffer.words.back(), 3u);
    EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_SUCCESS);
    ASSERT_EQ(vk.vkResetFences(device, 1, &fence), VK_SUCCESS);
    EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_NOT_READY);
  }
}

TEST_F(SynchronizationTest, FenceCanBeCreatedSignalled) {
  VkFence fences[] = {makeFence(), makeFence(VK_FENCE_CREATE_SIGNALED_BIT)};
  EXPECT_EQ(vk.vkWaitForFences(device, 2, fences, VK_FALSE, 0), VK_SUCCESS);
  EXPECT_EQ(vk.vkWaitForFences(device, 2, fences, VK_TRUE, 0), VK_TIMEOUT);
}

TEST_F(SynchronizationTest, BinarySemaphoreOrdersSubmissionsAgainAndAgain) {
  VkSemaphore semaphore = makeSemaphore();
  WordBuffer buffer = makeBuffer(2);
  for (uint32_t i = 1; i <= 3; ++i) {
    VkCommandBuffer first = recordCommands(
        [&](VkCommandBuffer commands) { vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 4, i); });
    VkBufferCopy copy{.srcOffset = 0, .dstOffset = 4, .size = 4};
    VkCommandBuffer second = recordCommands([&](VkCommandBuffer commands) {
      vk.vkCmdCopyBuffer(commands, buffer.buffer, buffer.buffer, 1, &copy);
    });
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo submits[] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &first,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &semaphore},
                              {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = 1,
                               .pWaitSemaphores = &semaphore,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &second}};
    ASSERT_EQ(vk.vkQueueSubmit(queue, 2, submits, VK_NULL_HANDLE), VK_SUCCESS);
    ASSERT_EQ(vk.vkDeviceWaitIdle(device), VK_SUCCESS);
    EXPECT_EQ(buffer.words[1], i);
  }
}

TEST_F(SynchronizationTest, TimelineIsSignalledByTheHostForTheQueue) {
  VkSemaphore timeline = makeTimeline(5);
  WordBuffer buffer = makeBuffer(1);
  VkCommandBuffer commands = recordCommands(
      [&](VkCommandBuffer commands) { vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 4, 77); });
  VkSemaphoreSubmitInfo wait{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = timeline, .value = 6};
  VkSemaphoreSubmitInfo signal{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = timeline, .value = 10};
  VkCommandBufferSubmitInfo buffer_info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = commands};
  VkSubmitInfo2 submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                       .waitSemaphoreInfoCount = 1,
                       .pWaitSemaphoreInfos = &wait,
                       .commandBufferInfoCount = 1,
                       .pCommandBufferInfos = &buffer_info,
                       .signalSemaphoreInfoCount = 1,
                       .pSignalSemaphoreInfos = &signal};
  ASSERT_EQ(vk.vkQueueSubmit2(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  uint64_t value = 0, ten = 10;
  VkSemaphoreWaitInfo until_ten{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &timeline,
                                .pValues = &ten};
  EXPECT_EQ(vk.vkWaitSemaphores(device, &until_ten, 2'000'000), VK_TIMEOUT);
  EXPECT_EQ(buffer.words[0], 0u);
  vk.vkGetSemaphoreCounterValue(device, timeline, &value);
  EXPECT_EQ(value, 5u);
  VkSemaphoreSignalInfo host{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 6};
  ASSERT_EQ(vk.vkSignalSemaphore(device, &host), VK_SUCCESS);
  EXPECT_EQ(vk.vkWaitSemaphores(device, &until_ten, kSoon), VK_SUCCESS);
  EXPECT_EQ(buffer.words[0], 77u);
}

TEST_F(SynchronizationTest, TimelineValuesOfTheFirstSubmitStructure) {
  VkSemaphore timeline = makeTimeline(0);
  uint64_t three = 3;
  VkTimelineSemaphoreSubmitInfo values{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                       .signalSemaphoreValueCount = 1,
                                       .pSignalSemaphoreValues = &three};
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .pNext = &values,
                      .signalSemaphoreCount = 1,
                      .pSignalSemaphores = &timeline};
  ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  VkSemaphore never = makeTimeline(0);
  VkSemaphore both[] = {never, timeline};
  uint64_t wanted[] = {1, 3};
  VkSemaphoreWaitInfo any{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                          .flags = VK_SEMAPHORE_WAIT_ANY_BIT,
                          .semaphoreCount = 2,
                          .pSemaphores = both,
                          .pValues = wanted};
  EXPECT_EQ(vk.vkWaitSemaphores(device, &any, kSoon), VK_SUCCESS);
}

// Newer texts of the specification forbid to set an event that the queue already waits for; older
// ones did not.
TEST_F(SynchronizationTest, QueueWaitsForAnEventOfTheHost) {
  MISUSE_FROM_HERE();
  VkEventCreateInfo info{.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent go = VK_NULL_HANDLE, done = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateEvent(device, &info, nullptr, &go), VK_SUCCESS);
  ASSERT_EQ(vk.vkCreateEvent(device, &info, nullptr, &done), VK_SUCCESS);
  WordBuffer buffer = makeBuffer(1);
  VkCommandBuffer commands = recordCommands([&](VkCommandBuffer commands) {
    vk.vkCmdWaitEvents(commands, 1, &go, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, nullptr, 0, nullptr, 0, nullptr);
    vk.vkCmdFillBuffer(commands, buffer.buffer, 0, 4, 1);
    vk.vkCmdResetEvent(commands, go, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vk.vkCmdSetEvent(commands, done, VK_PIPELINE_STAGE_TRANSFER_BIT);
  });
  VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &commands};
  ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(buffer.words[0], 0u);
  EXPECT_EQ(vk.vkGetEventStatus(device, done), VK_EVENT_RESET);
  ASSERT_EQ(vk.vkSetEvent(device, go), VK_SUCCESS);
  ASSERT_EQ(vk.vkQueueWaitIdle(queue), VK_SUCCESS);
  EXPECT_EQ(buffer.words[0], 1u);
  EXPECT_EQ(vk.vkGetEventStatus(device, done), VK_EVENT_SET);
  EXPECT_EQ(vk.vkGetEventStatus(device, go), VK_EVENT_RESET);
  ASSERT_EQ(vk.vkResetEvent(device, done), VK_SUCCESS);
  EXPECT_EQ(vk.vkGetEventStatus(device, done), VK_EVENT_RESET);
  vk.vkDestroyEvent(device, go, nullptr);
  vk.vkDestroyEvent(device, done, nullptr);
}

TEST_F(SynchronizationTest, SubmissionsQueueUpBehindOneThatWaits) {
  VkSemaphore timeline = makeTimeline(0);
  uint64_t one = 1;
  VkTimelineSemaphoreSubmitInfo values{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                       .waitSemaphoreValueCount = 1,
                                       .pWaitSemaphoreValues = &one};
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo waiting{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .pNext = &values,
                       .waitSemaphoreCount = 1,
                       .pWaitSemaphores = &timeline,
                       .pWaitDstStageMask = &stage};
  ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &waiting, VK_NULL_HANDLE), VK_SUCCESS);
  VkFence fence = makeFence();
  ASSERT_EQ(vk.vkQueueSubmit(queue, 0, nullptr, fence), VK_SUCCESS);
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, 2'000'000), VK_TIMEOUT);
  VkSemaphoreSignalInfo signal{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 1};
  ASSERT_EQ(vk.vkSignalSemaphore(device, &signal), VK_SUCCESS);
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, kSoon), VK_SUCCESS);
}

}  // namespace
}  // namespace api_test
