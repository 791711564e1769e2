// SPDX-License-Identifier: Apache-2.0

// VK_KHR_calibrated_timestamps, by both its names.
#include <time.h>

#include <algorithm>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class CalibratedTimestampsTest : public DeviceTest {
 protected:
  CalibratedTimestampsTest() {
    device_extensions = {VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
                         VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME};
  }

  static VkCalibratedTimestampInfoKHR infoOf(VkTimeDomainKHR domain) {
    return {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR, .timeDomain = domain};
  }
};

uint64_t readClock(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

TEST_F(CalibratedTimestampsTest, DomainsAreThoseOfTheDeviceAndTheSystem) {
  uint32_t count = 0;
  ASSERT_EQ(vk.vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(physical_device, &count, nullptr),
            VK_SUCCESS);
  std::vector<VkTimeDomainKHR> domains(count);
  ASSERT_EQ(
      vk.vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(physical_device, &count, domains.data()),
      VK_SUCCESS);
  std::ranges::sort(domains);
  EXPECT_EQ(domains, (std::vector{VK_TIME_DOMAIN_DEVICE_KHR, VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
                                  VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR}));
  count = 1;
  EXPECT_EQ(
      vk.vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(physical_device, &count, domains.data()),
      VK_INCOMPLETE);
}

TEST_F(CalibratedTimestampsTest, ReadingsLieBetweenThoseOfTheHost) {
  const VkCalibratedTimestampInfoKHR infos[] = {infoOf(VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR),
                                                infoOf(VK_TIME_DOMAIN_DEVICE_KHR),
                                                infoOf(VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR)};
  uint64_t times[3] = {}, deviation = 0;
  const uint64_t before = readClock(CLOCK_MONOTONIC), raw_before = readClock(CLOCK_MONOTONIC_RAW);
  ASSERT_EQ(vk.vkGetCalibratedTimestampsKHR(device, 3, infos, times, &deviation), VK_SUCCESS);
  const uint64_t after = readClock(CLOCK_MONOTONIC), raw_after = readClock(CLOCK_MONOTONIC_RAW);
  EXPECT_GE(times[0], raw_before);
  EXPECT_LE(times[0], raw_after);
  for (uint64_t time : {times[1], times[2]}) {
    EXPECT_GE(time, before);
    EXPECT_LE(time, after);
  }
  EXPECT_GE(deviation, 1u);
  EXPECT_LE(deviation, after - before + 1);
}

// What a command writes is of the device's domain.
TEST_F(CalibratedTimestampsTest, QueriesAreOfTheDevicesDomain) {
  VkQueryPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = 1};
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateQueryPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyQueryPool(device, pool, nullptr); });
  const VkCalibratedTimestampInfoKHR info = infoOf(VK_TIME_DOMAIN_DEVICE_KHR);
  uint64_t before = 0, written = 0, after = 0, deviation = 0;
  ASSERT_EQ(vk.vkGetCalibratedTimestampsKHR(device, 1, &info, &before, &deviation), VK_SUCCESS);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdResetQueryPool(commands, pool, 0, 1);
    vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
  });
  ASSERT_EQ(vk.vkGetCalibratedTimestampsKHR(device, 1, &info, &after, &deviation), VK_SUCCESS);
  ASSERT_EQ(vk.vkGetQueryPoolResults(device, pool, 0, 1, sizeof written, &written, sizeof written,
                                     VK_QUERY_RESULT_64_BIT),
            VK_SUCCESS);
  EXPECT_LE(before, written);
  EXPECT_LE(written, after);
}

TEST_F(CalibratedTimestampsTest, TheOlderNamesMeanTheSame) {
  auto get = reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(
      vk.vkGetDeviceProcAddr(device, "vkGetCalibratedTimestampsEXT"));
  ASSERT_NE(get, nullptr);
  const VkCalibratedTimestampInfoKHR info = infoOf(VK_TIME_DOMAIN_DEVICE_KHR);
  uint64_t time = 0, deviation = 0;
  EXPECT_EQ(get(device, 1, &info, &time, &deviation), VK_SUCCESS);
  EXPECT_NE(time, 0u);
}

TEST_F(CalibratedTimestampsTest, UnknownDomainIsRefused) {
  MISUSE_FROM_HERE();
  const VkCalibratedTimestampInfoKHR info = infoOf(VK_TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER_KHR);
  uint64_t time = 0, deviation = 0;
  EXPECT_LT(vk.vkGetCalibratedTimestampsKHR(device, 1, &info, &time, &deviation), 0);
  EXPECT_TRUE(wasTold("time domain"));
}

}  // namespace
}  // namespace api_test
