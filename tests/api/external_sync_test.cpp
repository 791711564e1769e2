// SPDX-License-Identifier: Apache-2.0

// VK_KHR_external_semaphore_fd and VK_KHR_external_fence_fd, between two devices.
#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// Nanoseconds, for what should happen at once: far from what a machine needs that is busy.
constexpr uint64_t kSoon = 600'000'000'000;
constexpr auto kOpaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto kSync = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
constexpr auto kOpaqueFence = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto kSyncFence = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;

class ExternalSyncTest : public DeviceTest {
 protected:
  ExternalSyncTest() {
    device_extensions = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                         VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME};
  }

  // A second device; objects of either are used through `vk`, as all have the same commands.
  void SetUp() override {
    DeviceTest::SetUp();
    if (HasFatalFailure()) return;
    VkPhysicalDeviceSynchronization2Features synchronization2{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
        .synchronization2 = VK_TRUE};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .pNext = &synchronization2,
        .timelineSemaphore = VK_TRUE};
    const float priority = 1;
    VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                       .queueCount = 1,
                                       .pQueuePriorities = &priority};
    VkDeviceCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &timeline,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue_info,
        .enabledExtensionCount = static_cast<uint32_t>(device_extensions.size()),
        .ppEnabledExtensionNames = device_extensions.data()};
    ASSERT_EQ(vk.vkCreateDevice(physical_device, &info, nullptr, &other_device), VK_SUCCESS);
    vk.vkGetDeviceQueue(other_device, 0, 0, &other_queue);
    atEnd([this] { vk.vkDestroyDevice(other_device, nullptr); });
  }
  void TearDown() override {
    if (other_device != VK_NULL_HANDLE) vk.vkDeviceWaitIdle(other_device);
    DeviceTest::TearDown();
  }

  VkSemaphore makeExternal(VkDevice owner, VkFlags types, bool is_timeline = false,
                           VkResult expected = VK_SUCCESS) {
    VkSemaphoreTypeCreateInfo type{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = is_timeline ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY};
    VkExportSemaphoreCreateInfo exported{.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                         .pNext = &type,
                                         .handleTypes = types};
    VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                               .pNext = &exported};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateSemaphore(owner, &info, nullptr, &semaphore), expected);
    atEnd([=, this] { vk.vkDestroySemaphore(owner, semaphore, nullptr); });
    return semaphore;
  }

  VkFence makeExternalFence(VkDevice owner, VkFlags types) {
    VkExportFenceCreateInfo exported{.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                     .handleTypes = types};
    VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = &exported};
    VkFence fence = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateFence(owner, &info, nullptr, &fence), VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyFence(owner, fence, nullptr); });
    return fence;
  }

  VkResult exportTo(int* file, VkSemaphore semaphore,
                    VkExternalSemaphoreHandleTypeFlagBits type = kOpaque) {
    VkSemaphoreGetFdInfoKHR info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                 .semaphore = semaphore,
                                 .handleType = type};
    return vk.vkGetSemaphoreFdKHR(device, &info, file);
  }
  VkResult exportTo(int* file, VkFence fence,
                    VkExternalFenceHandleTypeFlagBits type = kOpaqueFence) {
    VkFenceGetFdInfoKHR info{
        .sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR, .fence = fence, .handleType = type};
    return vk.vkGetFenceFdKHR(device, &info, file);
  }

  VkResult importInto(VkDevice owner, VkSemaphore semaphore, int file,
                      VkExternalSemaphoreHandleTypeFlagBits type = kOpaque,
                      VkSemaphoreImportFlags flags = 0) {
    VkImportSemaphoreFdInfoKHR info{.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                    .semaphore = semaphore,
                                    .flags = flags,
                                    .handleType = type,
                                    .fd = file};
    return vk.vkImportSemaphoreFdKHR(owner, &info);
  }
  VkResult importInto(VkDevice owner, VkFence fence, int file,
                      VkExternalFenceHandleTypeFlagBits type = kOpaqueFence,
                      VkFenceImportFlags flags = 0) {
    VkImportFenceFdInfoKHR info{.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                .fence = fence,
                                .flags = flags,
                                .handleType = type,
                                .fd = file};
    return vk.vkImportFenceFdKHR(owner, &info);
  }

  void signal(VkQueue on, VkSemaphore semaphore) {
    VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                        .signalSemaphoreCount = 1,
                        .pSignalSemaphores = &semaphore};
    EXPECT_EQ(vk.vkQueueSubmit(on, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  }
  // The fence follows the wait.
  void waitFor(VkQueue on, VkSemaphore semaphore, VkFence fence) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                        .waitSemaphoreCount = 1,
                        .pWaitSemaphores = &semaphore,
                        .pWaitDstStageMask = &stage};
    EXPECT_EQ(vk.vkQueueSubmit(on, 1, &submit, fence), VK_SUCCESS);
  }

  VkDevice other_device = VK_NULL_HANDLE;
  VkQueue other_queue = VK_NULL_HANDLE;
};

TEST_F(ExternalSyncTest, PropertiesSayWhatThereIs) {
  auto semaphore = [&](VkExternalSemaphoreHandleTypeFlagBits handle, VkSemaphoreType kind) {
    VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                   .semaphoreType = kind};
    VkPhysicalDeviceExternalSemaphoreInfo info{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
        .pNext = &type,
        .handleType = handle};
    VkExternalSemaphoreProperties result{.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    vk.vkGetPhysicalDeviceExternalSemaphoreProperties(physical_device, &info, &result);
    return result;
  };
  EXPECT_EQ(semaphore(kOpaque, VK_SEMAPHORE_TYPE_BINARY).externalSemaphoreFeatures, 3u);
  EXPECT_EQ(semaphore(kSync, VK_SEMAPHORE_TYPE_BINARY).externalSemaphoreFeatures, 3u);
  EXPECT_EQ(semaphore(kSync, VK_SEMAPHORE_TYPE_BINARY).exportFromImportedHandleTypes,
            VkFlags{kSync});
  EXPECT_EQ(semaphore(kOpaque, VK_SEMAPHORE_TYPE_TIMELINE).externalSemaphoreFeatures, 3u);
  EXPECT_EQ(semaphore(kSync, VK_SEMAPHORE_TYPE_TIMELINE).externalSemaphoreFeatures, 0u);
  VkPhysicalDeviceExternalFenceInfo info{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO, .handleType = kSyncFence};
  VkExternalFenceProperties fence{.sType = VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES};
  vk.vkGetPhysicalDeviceExternalFenceProperties(physical_device, &info, &fence);
  EXPECT_EQ(fence.externalFenceFeatures, 3u);
  info.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
  vk.vkGetPhysicalDeviceExternalFenceProperties(physical_device, &info, &fence);
  EXPECT_EQ(fence.externalFenceFeatures, 0u);
}

TEST_F(ExternalSyncTest, ATimelineIsOneForBothDevices) {
  VkSemaphore mine = makeExternal(device, kOpaque, true);
  VkSemaphore theirs = makeExternal(other_device, 0, true);
  int file = -1;
  ASSERT_EQ(exportTo(&file, mine), VK_SUCCESS);
  EXPECT_NE(fcntl(file, F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(importInto(other_device, theirs, file), VK_SUCCESS);
  // The other queue waits for 1 and signals 2.
  VkSemaphoreSubmitInfo wait{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = theirs, .value = 1};
  VkSemaphoreSubmitInfo signal{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = theirs, .value = 2};
  VkSubmitInfo2 submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                       .waitSemaphoreInfoCount = 1,
                       .pWaitSemaphoreInfos = &wait,
                       .signalSemaphoreInfoCount = 1,
                       .pSignalSemaphoreInfos = &signal};
  ASSERT_EQ(vk.vkQueueSubmit2(other_queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  const uint64_t two = 2;
  VkSemaphoreWaitInfo until_two{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &mine,
                                .pValues = &two};
  EXPECT_EQ(vk.vkWaitSemaphores(device, &until_two, 2'000'000), VK_TIMEOUT);
  VkSemaphoreSignalInfo host{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = mine, .value = 1};
  ASSERT_EQ(vk.vkSignalSemaphore(device, &host), VK_SUCCESS);
  EXPECT_EQ(vk.vkWaitSemaphores(device, &until_two, kSoon), VK_SUCCESS);
}

TEST_F(ExternalSyncTest, ABinarySemaphoreOrdersTheQueuesOfTwoDevices) {
  VkSemaphore mine = makeExternal(device, kOpaque), theirs = makeExternal(other_device, 0);
  int file = -1;
  ASSERT_EQ(exportTo(&file, mine), VK_SUCCESS);
  ASSERT_EQ(importInto(other_device, theirs, file), VK_SUCCESS);
  VkFence fence = makeExternalFence(other_device, 0);
  VkSemaphore gate = makeTimeline(0);
  for (uint64_t i = 1; i <= 3; ++i) {
    // Signalled when the host lets it.
    VkSemaphoreSubmitInfo wait{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = gate, .value = i};
    VkSemaphoreSubmitInfo signal{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                 .semaphore = mine};
    VkSubmitInfo2 submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                         .waitSemaphoreInfoCount = 1,
                         .pWaitSemaphoreInfos = &wait,
                         .signalSemaphoreInfoCount = 1,
                         .pSignalSemaphoreInfos = &signal};
    ASSERT_EQ(vk.vkQueueSubmit2(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    waitFor(other_queue, theirs, fence);
    EXPECT_EQ(vk.vkWaitForFences(other_device, 1, &fence, VK_TRUE, 1'000'000), VK_TIMEOUT);
    VkSemaphoreSignalInfo open{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = i};
    ASSERT_EQ(vk.vkSignalSemaphore(device, &open), VK_SUCCESS);
    EXPECT_EQ(vk.vkWaitForFences(other_device, 1, &fence, VK_TRUE, kSoon), VK_SUCCESS);
    vk.vkResetFences(other_device, 1, &fence);
  }
}

TEST_F(ExternalSyncTest, WhatIsImportedForATimeEndsWithTheWait) {
  VkSemaphore mine = makeExternal(device, kOpaque), theirs = makeExternal(other_device, 0);
  VkFence fence = makeExternalFence(other_device, 0);
  signal(other_queue, theirs);  // the permanent payload stays signalled meanwhile
  ASSERT_EQ(vk.vkQueueWaitIdle(other_queue), VK_SUCCESS);
  int file = -1;
  ASSERT_EQ(exportTo(&file, mine), VK_SUCCESS);
  ASSERT_EQ(importInto(other_device, theirs, file, kOpaque, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT),
            VK_SUCCESS);
  signal(queue, mine);
  for (int i = 0; i < 2; ++i) {
    waitFor(other_queue, theirs, fence);
    EXPECT_EQ(vk.vkWaitForFences(other_device, 1, &fence, VK_TRUE, kSoon), VK_SUCCESS);
    vk.vkResetFences(other_device, 1, &fence);
  }
}

TEST_F(ExternalSyncTest, ASyncFileIsOfASignalThatHasCome) {
  VkSemaphore mine = makeExternal(device, kSync), theirs = makeExternal(other_device, 0);
  signal(queue, mine);
  int file = 7;
  ASSERT_EQ(exportTo(&file, mine, kSync), VK_SUCCESS);
  EXPECT_EQ(file, -1);
  ASSERT_EQ(importInto(other_device, theirs, file, kSync, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT),
            VK_SUCCESS);
  VkFence fence = makeExternalFence(other_device, 0);
  waitFor(other_queue, theirs, fence);
  EXPECT_EQ(vk.vkWaitForFences(other_device, 1, &fence, VK_TRUE, kSoon), VK_SUCCESS);
}

// A pipe with something in it stands for another driver's sync file.
TEST_F(ExternalSyncTest, ASyncFileOfOthersIsTakenOver) {
  VkFence fence = makeExternalFence(device, 0);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread signaller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    EXPECT_EQ(write(ends[1], "!", 1), 1);
  });
  EXPECT_EQ(importInto(device, fence, ends[0], kSyncFence, VK_FENCE_IMPORT_TEMPORARY_BIT),
            VK_SUCCESS);
  signaller.join();
  EXPECT_EQ(fcntl(ends[0], F_GETFD), -1);
  EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_SUCCESS);
  vk.vkResetFences(device, 1, &fence);
  EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_NOT_READY);
  close(ends[1]);
}

TEST_F(ExternalSyncTest, AFenceIsOneForBothDevices) {
  VkFence mine = makeExternalFence(device, kOpaqueFence);
  VkFence theirs = makeExternalFence(other_device, 0);
  int file = -1;
  ASSERT_EQ(exportTo(&file, mine), VK_SUCCESS);
  ASSERT_EQ(importInto(other_device, theirs, file), VK_SUCCESS);
  for (VkFence signalled : {mine, theirs}) {
    EXPECT_EQ(vk.vkGetFenceStatus(device, mine), VK_NOT_READY);
    EXPECT_EQ(vk.vkGetFenceStatus(other_device, theirs), VK_NOT_READY);
    vk.vkQueueSubmit(signalled == mine ? queue : other_queue, 0, nullptr, signalled);
    EXPECT_EQ(vk.vkWaitForFences(other_device, 1, &theirs, VK_TRUE, kSoon), VK_SUCCESS);
    EXPECT_EQ(vk.vkWaitForFences(device, 1, &mine, VK_TRUE, kSoon), VK_SUCCESS);
    vk.vkResetFences(device, 1, &mine);
  }
}

TEST_F(ExternalSyncTest, AFenceInASyncFileIsReset) {
  VkFence fence = makeExternalFence(device, kSyncFence);
  vk.vkQueueSubmit(queue, 0, nullptr, fence);
  int file = 7;
  ASSERT_EQ(exportTo(&file, fence, kSyncFence), VK_SUCCESS);
  EXPECT_EQ(file, -1);
  EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_NOT_READY);
  ASSERT_EQ(importInto(device, fence, file, kSyncFence, VK_FENCE_IMPORT_TEMPORARY_BIT), VK_SUCCESS);
  EXPECT_EQ(vk.vkGetFenceStatus(device, fence), VK_SUCCESS);
}

TEST_F(ExternalSyncTest, WrongUseIsRefused) {
  MISUSE_FROM_HERE();
  int file = -1;
  EXPECT_LT(exportTo(&file, makeSemaphore()), 0);
  EXPECT_LT(exportTo(&file, makeTimeline(0), kSync), 0);
  EXPECT_LT(exportTo(&file, makeFence()), 0);
  makeExternal(device, kSync, true, VK_ERROR_INVALID_EXTERNAL_HANDLE);
  makeExternal(device, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT, false,
               VK_ERROR_INVALID_EXTERNAL_HANDLE);
  // One kind of object is not another.
  ASSERT_EQ(exportTo(&file, makeExternal(device, kOpaque)), VK_SUCCESS);
  EXPECT_EQ(importInto(device, makeTimeline(0), file), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(importInto(device, makeFence(), file), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(importInto(device, makeTimeline(0), -1, kSync), VK_ERROR_INVALID_EXTERNAL_HANDLE);
  EXPECT_EQ(importInto(device, makeSemaphore(), file), VK_SUCCESS);
  EXPECT_EQ(importInto(device, makeSemaphore(), 12345, kSync, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT),
            VK_ERROR_INVALID_EXTERNAL_HANDLE);
}

}  // namespace
}  // namespace api_test
