// SPDX-License-Identifier: Apache-2.0

// Queries: timestamps and counts of compute shader invocations.
#include <algorithm>
#include <array>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class QueryTest : public PipelineTest {
 protected:
  QueryTest() {
    device_extensions = {VK_KHR_MAINTENANCE_9_EXTENSION_NAME};
    device_features = &maintenance9_;
  }

  VkQueryPool makePool(VkQueryType type, uint32_t count,
                       VkQueryPipelineStatisticFlags statistics = 0) {
    VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                               .queryType = type,
                               .queryCount = count,
                               .pipelineStatistics = statistics};
    VkQueryPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
    atEnd([=, this] { vk.vkDestroyQueryPool(device, pool, nullptr); });
    return pool;
  }

  // Whether a recording with this command in it fails.
  template <class Record>
  bool recordingFails(Record record) {
    VkCommandBuffer commands = allocateCommands();
    VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vk.vkBeginCommandBuffer(commands, &begin);
    record(commands);
    return vk.vkEndCommandBuffer(commands) < 0;
  }

 private:
  VkPhysicalDeviceMaintenance9FeaturesKHR maintenance9_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR,
      .maintenance9 = VK_TRUE};
};

constexpr auto kComputeInvocations = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;

TEST_F(QueryTest, TimestampsAscend) {
  VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                             .queryType = VK_QUERY_TYPE_TIMESTAMP,
                             .queryCount = 3};
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
  vk.vkResetQueryPool(device, pool, 0, 3);
  uint64_t times[3][2] = {};
  EXPECT_EQ(vk.vkGetQueryPoolResults(device, pool, 0, 3, sizeof times, times, sizeof times[0],
                                     VK_QUERY_RESULT_64_BIT),
            VK_NOT_READY);
  WordBuffer buffer = makeBuffer(1 << 20), results = makeBuffer(4);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdResetQueryPool(commands, pool, 0, 3);
    vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    vk.vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, 1);
    vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    vk.vkCmdCopyQueryPoolResults(commands, pool, 0, 2, results.buffer, 0, 8,
                                 VK_QUERY_RESULT_64_BIT);
  });
  EXPECT_EQ(
      vk.vkGetQueryPoolResults(device, pool, 0, 3, sizeof times, times, sizeof times[0],
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
      VK_NOT_READY);
  EXPECT_EQ(times[0][1], 1u);
  EXPECT_EQ(times[2][1], 0u);
  EXPECT_GT(times[1][0], times[0][0]);
  uint64_t copied[2];
  memcpy(copied, results.words.data(), sizeof copied);
  EXPECT_EQ(copied[0], times[0][0]);
  EXPECT_EQ(copied[1], times[1][0]);
  vk.vkDestroyQueryPool(device, pool, nullptr);
}

// VK_KHR_maintenance9.
TEST_F(QueryTest, QueriesBeginReset) {
  VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                             .flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR,
                             .queryType = VK_QUERY_TYPE_TIMESTAMP,
                             .queryCount = 2};
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
  run([&](VkCommandBuffer commands) {
    vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 1);
  });
  uint64_t times[2][2] = {};
  EXPECT_EQ(
      vk.vkGetQueryPoolResults(device, pool, 0, 2, sizeof times, times, sizeof times[0],
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
      VK_NOT_READY);
  EXPECT_EQ(times[0][1], 0u);
  EXPECT_EQ(times[1][1], 1u);
  // VK_KHR_maintenance7: 32 bits are the low ones of 64.
  uint32_t low = 0;
  ASSERT_EQ(vk.vkGetQueryPoolResults(device, pool, 1, 1, sizeof low, &low, sizeof low, 0),
            VK_SUCCESS);
  EXPECT_EQ(low, static_cast<uint32_t>(times[1][0]));
  vk.vkDestroyQueryPool(device, pool, nullptr);
}

TEST_F(QueryTest, CountsInvocationsOfComputeShaders) {
  VkPhysicalDeviceFeatures features;
  vk.vkGetPhysicalDeviceFeatures(physical_device, &features);
  EXPECT_TRUE(features.pipelineStatisticsQuery);
  EXPECT_TRUE(features.inheritedQueries);
  VkPipelineLayout layout = makePipelineLayout({}, 0);
  VkPipeline pipeline = makePipeline(layout, R"(#version 450
layout(local_size_x = 8, local_size_y = 3) in;
void main() {})");
  VkQueryPool pool = makePool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 3, kComputeInvocations);
  WordBuffer grid = makeBuffer(3), copied = makeBuffer(4);
  std::ranges::copy(std::array<uint32_t, 3>{2, 2, 5}, grid.words.begin());

  VkCommandBuffer secondary = allocateCommands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inheritance{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .pipelineStatistics = kComputeInvocations};
  VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                 .pInheritanceInfo = &inheritance};
  ASSERT_EQ(vk.vkBeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  vk.vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vk.vkCmdDispatchIndirect(secondary, grid.buffer, 0);
  ASSERT_EQ(vk.vkEndCommandBuffer(secondary), VK_SUCCESS);

  run([&](VkCommandBuffer commands) {
    vk.vkCmdResetQueryPool(commands, pool, 0, 3);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdDispatch(commands, 9, 1, 1);
    vk.vkCmdBeginQuery(commands, pool, 0, 0);
    vk.vkCmdDispatch(commands, 4, 1, 1);
    vk.vkCmdEndQuery(commands, pool, 0);
    vk.vkCmdBeginQuery(commands, pool, 2, 0);
    vk.vkCmdExecuteCommands(commands, 1, &secondary);
    vk.vkCmdEndQuery(commands, pool, 2);
    vk.vkCmdCopyQueryPoolResults(commands, pool, 0, 1, copied.buffer, 0, 16,
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  });
  uint64_t results[3][2] = {};
  EXPECT_EQ(
      vk.vkGetQueryPoolResults(device, pool, 0, 3, sizeof results, results, sizeof results[0],
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
      VK_NOT_READY);
  EXPECT_EQ(results[0][0], 4u * 24);
  EXPECT_EQ(results[0][1], 1u);
  EXPECT_EQ(results[1][1], 0u);
  EXPECT_EQ(results[2][0], 20u * 24);
  EXPECT_EQ(results[2][1], 1u);
  EXPECT_EQ(copied.words[0], 4u * 24);
  EXPECT_EQ(copied.words[2], 1u);
}

// Making a pool needs no queue that could use it (specification, "Query Pools").
TEST_F(QueryTest, WhatOtherQueuesCountNeverBecomesAvailable) {
  VkQueryPool occlusion = makePool(VK_QUERY_TYPE_OCCLUSION, 2);
  VkQueryPool vertices =
      makePool(VK_QUERY_TYPE_PIPELINE_STATISTICS, 2,
               kComputeInvocations | VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT);
  for (VkQueryPool pool : {occlusion, vertices}) vk.vkResetQueryPool(device, pool, 0, 2);
  // A number for each statistic, and the availability.
  uint32_t results[2][3] = {{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(
      vk.vkGetQueryPoolResults(device, vertices, 0, 2, sizeof results, results, sizeof results[0],
                               VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
      VK_NOT_READY);
  for (const auto& result : results) {
    for (uint32_t number : result) EXPECT_EQ(number, 0u);
  }
  MISUSE_FROM_HERE();
  for (VkQueryPool pool : {occlusion, vertices}) {
    EXPECT_TRUE(recordingFails(
        [&](VkCommandBuffer commands) { vk.vkCmdBeginQuery(commands, pool, 0, 0); }));
    EXPECT_TRUE(recordingFails([&](VkCommandBuffer commands) {
      vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    }));
  }
  VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                             .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
                             .queryCount = 1};
  VkQueryPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(vk.vkCreateQueryPool(device, &info, nullptr, &pool), VK_ERROR_FEATURE_NOT_PRESENT);
}

TEST_F(QueryTest, QueriesOutsideOfThePoolAreRefused) {
  MISUSE_FROM_HERE();
  VkQueryPool pool = makePool(VK_QUERY_TYPE_TIMESTAMP, 4);
  WordBuffer buffer = makeBuffer(4);
  messages();
  vk.vkResetQueryPool(device, pool, 3, 2);
  EXPECT_TRUE(wasTold("vkResetQueryPool"));
  vk.vkResetQueryPool(device, pool, UINT32_MAX, 2);
  EXPECT_TRUE(wasTold("vkResetQueryPool"));
  uint64_t times[4];
  EXPECT_LT(vk.vkGetQueryPoolResults(device, pool, 4, 1, sizeof times, times, 8, 0), 0);
  EXPECT_LT(vk.vkGetQueryPoolResults(device, pool, 0, 4, 31, times, 8, VK_QUERY_RESULT_64_BIT), 0);
  EXPECT_LT(vk.vkGetQueryPoolResults(device, pool, 0, 2, sizeof times, times, UINT64_MAX, 0), 0);
  EXPECT_EQ(vk.vkGetQueryPoolResults(device, pool, 4, 0, 0, times, 8, 0), VK_SUCCESS);
  auto stage = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
  EXPECT_TRUE(recordingFails(
      [&](VkCommandBuffer commands) { vk.vkCmdWriteTimestamp(commands, stage, pool, 4); }));
  EXPECT_TRUE(recordingFails(
      [&](VkCommandBuffer commands) { vk.vkCmdResetQueryPool(commands, pool, 1, 4); }));
  EXPECT_TRUE(recordingFails([&](VkCommandBuffer commands) {
    vk.vkCmdCopyQueryPoolResults(commands, pool, 2, 3, buffer.buffer, 0, 4, 0);
  }));
  EXPECT_TRUE(recordingFails([&](VkCommandBuffer commands) {
    vk.vkCmdCopyQueryPoolResults(commands, pool, 0, 4, buffer.buffer, 4, 4, 0);
  }));
  EXPECT_TRUE(recordingFails([&](VkCommandBuffer commands) {
    vk.vkCmdCopyQueryPoolResults(commands, pool, 0, 4, buffer.buffer, 0, uint64_t{1} << 62, 0);
  }));
}

}  // namespace
}  // namespace api_test
