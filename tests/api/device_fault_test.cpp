// SPDX-License-Identifier: Apache-2.0

// VK_KHR_device_fault and VK_EXT_device_fault, on a device whose queue runs out of memory.
#include <sys/resource.h>

#include <thread>

#include "tests/support/sanitizer.h"
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// Lets the process have no more memory than it has.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    getrlimit(RLIMIT_AS, &previous_);
    const rlimit none{.rlim_cur = 1, .rlim_max = previous_.rlim_max};
    setrlimit(RLIMIT_AS, &none);
  }
  ~NoMoreMemory() { setrlimit(RLIMIT_AS, &previous_); }

 private:
  rlimit previous_;
};

class DeviceFaultTest : public PipelineTest {
 protected:
  DeviceFaultTest() {
    device_extensions = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_EXT_DEVICE_FAULT_EXTENSION_NAME};
    device_features = &features_;
  }

  void SetUp() override {
    if (TESSERA_ADDRESS_SANITIZER || TESSERA_THREAD_SANITIZER)
      GTEST_SKIP() << "the sanitizer needs memory all the time";
    PipelineTest::SetUp();
  }

  // The first workgroup that needs shared memory makes its thread allocate some.
  void loseDevice() {
    VkPipelineLayout layout = makePipelineLayout({}, 0);
    VkPipeline pipeline = makePipeline(layout,
                                       "#version 450\n"
                                       "shared uint words[64];\n"
                                       "void main() { words[gl_WorkGroupID.x] = 1; }");
    VkCommandBuffer commands = recordCommands([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdDispatch(commands, 1, 1, 1);
    });
    VkSemaphore gate = makeTimeline(0);
    const uint64_t open = 1;
    const VkTimelineSemaphoreSubmitInfo values{
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &open};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                        .pNext = &values,
                        .waitSemaphoreCount = 1,
                        .pWaitSemaphores = &gate,
                        .pWaitDstStageMask = &stage,
                        .commandBufferCount = 1,
                        .pCommandBuffers = &commands};
    const VkSemaphoreSignalInfo go{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = open};
    VkFence fence = makeFence();
    ASSERT_EQ(vk.vkQueueSubmit(queue, 1, &submit, fence), VK_SUCCESS);
    {
      NoMoreMemory limit;
      vk.vkSignalSemaphore(device, &go);
      while (vk.vkGetFenceStatus(device, fence) == VK_NOT_READY) std::this_thread::yield();
    }
    ASSERT_EQ(vk.vkDeviceWaitIdle(device), VK_ERROR_DEVICE_LOST);
  }

  VkDeviceFaultInfoKHR report{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
  uint32_t count = 0;

 private:
  VkPhysicalDeviceFaultFeaturesEXT features_ext_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, .deviceFault = VK_TRUE};
  VkPhysicalDeviceFaultFeaturesKHR features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
      .pNext = &features_ext_,
      .deviceFault = VK_TRUE};
};

TEST_F(DeviceFaultTest, ADeviceThatWorksHasNoFault) {
  count = 7;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, 0, &count, nullptr), VK_TIMEOUT);
  EXPECT_EQ(count, 0u);
  count = 1;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, 1'000'000, &count, &report), VK_TIMEOUT);
  EXPECT_EQ(count, 0u);
}

// Whatever they ask for has come or would have come.
TEST_F(DeviceFaultTest, ALostDeviceSaysSoFromThenOn) {
  VkFence signalled = makeFence(VK_FENCE_CREATE_SIGNALED_BIT);
  VkSemaphore timeline = makeTimeline(5);
  loseDevice();
  EXPECT_EQ(vk.vkGetFenceStatus(device, signalled), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.vkWaitForFences(device, 1, &signalled, VK_TRUE, 0), VK_ERROR_DEVICE_LOST);
  const uint64_t reached = 5, never = 6;
  VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                           .semaphoreCount = 1,
                           .pSemaphores = &timeline,
                           .pValues = &reached};
  EXPECT_EQ(vk.vkWaitSemaphores(device, &wait, 0), VK_ERROR_DEVICE_LOST);
  wait.pValues = &never;
  EXPECT_EQ(vk.vkWaitSemaphores(device, &wait, UINT64_MAX), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.vkQueueSubmit(queue, 0, nullptr, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
}

TEST_F(DeviceFaultTest, TheFaultIsReportedOnce) {
  loseDevice();
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
  VkDeviceFaultInfoKHR reports[2] = {report, report};
  count = 2;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, reports), VK_SUCCESS);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(reports[0].flags, VkDeviceFaultFlagsKHR{VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR});
  EXPECT_NE(std::string(reports[0].description).find("out of memory"), std::string::npos)
      << reports[0].description;
  count = 2;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, reports), VK_SUCCESS);
  EXPECT_EQ(count, 0u);
}

TEST_F(DeviceFaultTest, TheReportIsKeptForWhoHasRoomForIt) {
  loseDevice();
  MISUSE_FROM_HERE();
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, &report), VK_INCOMPLETE);
  count = 1;
  EXPECT_EQ(vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, &report), VK_SUCCESS);
  EXPECT_EQ(count, 1u);
}

TEST_F(DeviceFaultTest, AThreadCanWaitForTheFault) {
  VkResult result = VK_NOT_READY;
  count = 1;
  std::thread waiter(
      [&] { result = vk.vkGetDeviceFaultReportsKHR(device, UINT64_MAX, &count, &report); });
  loseDevice();
  waiter.join();
  EXPECT_EQ(result, VK_SUCCESS);
  EXPECT_EQ(count, 1u);
}

TEST_F(DeviceFaultTest, TheOlderQueryDescribesItAgainAndAgain) {
  loseDevice();
  VkDeviceFaultCountsEXT counts{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT,
                                .addressInfoCount = 3,
                                .vendorInfoCount = 3,
                                .vendorBinarySize = 3};
  EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, nullptr), VK_SUCCESS);
  EXPECT_EQ(counts.addressInfoCount + counts.vendorInfoCount + counts.vendorBinarySize, 0u);
  for (int i = 0; i < 2; ++i) {
    VkDeviceFaultInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
    EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, &info), VK_SUCCESS);
    EXPECT_NE(std::string(info.description).find("out of memory"), std::string::npos)
        << info.description;
  }
  VkDeviceFaultDebugInfoKHR dump{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                 .vendorBinarySize = 5};
  EXPECT_EQ(vk.vkGetDeviceFaultDebugInfoKHR(device, &dump), VK_SUCCESS);
  EXPECT_EQ(dump.vendorBinarySize, 0u);
}

}  // namespace
}  // namespace api_test
