// SPDX-License-Identifier: Apache-2.0

// VK_KHR_device_address_commands.
#include <algorithm>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

// All buffers of these tests are storage buffers as well.
constexpr VkAddressCommandFlagsKHR kStorage = VK_ADDRESS_COMMAND_STORAGE_BUFFER_USAGE_BIT_KHR;

class DeviceAddressTest : public PipelineTest {
 protected:
  DeviceAddressTest() {
    device_extensions = {VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME,
                         VK_AMD_BUFFER_MARKER_EXTENSION_NAME};
    device_features = &features_;
  }

  VkDeviceAddressRangeKHR rangeOf(const WordBuffer& buffer, size_t first, size_t count) {
    VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                   .buffer = buffer.buffer};
    return {vk.vkGetBufferDeviceAddress(device, &info) + first * 4, count * 4};
  }

  // The result of a recording in which `record` is all there is.
  VkResult tryToRecord(const std::function<void(VkCommandBuffer)>& record) {
    VkCommandBuffer commands = allocateCommands();
    VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    EXPECT_EQ(vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    record(commands);
    return vk.vkEndCommandBuffer(commands);
  }

 private:
  VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
      .deviceAddressCommands = VK_TRUE};
};

TEST_F(DeviceAddressTest, MemoryIsFilledUpdatedAndCopied) {
  WordBuffer from = makeBuffer(8), to = makeBuffer(8);
  const uint32_t data[] = {5, 6};
  const VkDeviceAddressRangeKHR middle = rangeOf(from, 2, 4), pair = rangeOf(from, 3, 3);
  const VkDeviceMemoryCopyKHR regions[] = {{.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                            .srcRange = rangeOf(from, 2, 3),
                                            .srcFlags = kStorage,
                                            .dstRange = rangeOf(to, 5, 3),
                                            .dstFlags = kStorage},
                                           {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                            .srcRange = rangeOf(from, 5, 1),
                                            .srcFlags = kStorage,
                                            .dstRange = rangeOf(to, 0, 2),
                                            .dstFlags = kStorage}};
  const VkCopyDeviceMemoryInfoKHR copy{.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                       .regionCount = 2,
                                       .pRegions = regions};
  run([&](VkCommandBuffer commands) {
    vk.vkCmdFillMemoryKHR(commands, &middle, kStorage, 9);
    barrier(commands);
    vk.vkCmdUpdateMemoryKHR(commands, &pair, kStorage, sizeof data, data);
    barrier(commands);
    vk.vkCmdCopyMemoryKHR(commands, &copy);
  });
  EXPECT_EQ(std::vector(from.words.begin(), from.words.end()),
            (std::vector<uint32_t>{0, 0, 9, 5, 6, 9, 0, 0}));
  EXPECT_EQ(std::vector(to.words.begin(), to.words.end()),
            (std::vector<uint32_t>{9, 0, 0, 0, 0, 9, 5, 6}));
}

TEST_F(DeviceAddressTest, MarkersAreWritten) {
  WordBuffer buffer = makeBuffer(3);
  const VkMemoryMarkerInfoAMD marker{.sType = VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD,
                                     .stage = VK_PIPELINE_STAGE_2_COPY_BIT,
                                     .dstRange = rangeOf(buffer, 1, 1),
                                     .marker = 17};
  run([&](VkCommandBuffer commands) { vk.vkCmdWriteMarkerToMemoryAMD(commands, &marker); });
  EXPECT_EQ(std::vector(buffer.words.begin(), buffer.words.end()),
            (std::vector<uint32_t>{0, 17, 0}));
}

TEST_F(DeviceAddressTest, CountsOfADispatchAreRead) {
  VkDescriptorSetLayout set_layout = makeSetLayout();
  VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
  VkPipeline pipeline = makePipeline(layout,
                                     "#version 450\n"
                                     "layout(binding = 0) buffer B { uint count; };\n"
                                     "void main() { atomicAdd(count, 1); }");
  WordBuffer result = makeBuffer(1), counts = makeBuffer(4);
  VkDescriptorSet set = makeSet(set_layout);
  VkDescriptorBufferInfo whole{.buffer = result.buffer, .range = VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                             .dstSet = set,
                             .descriptorCount = 1,
                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                             .pBufferInfo = &whole};
  vk.vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  const VkDispatchIndirect2InfoKHR info{.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
                                        .addressRange = rangeOf(counts, 1, 3),
                                        .addressFlags = kStorage};
  const VkDeviceAddressRangeKHR last = rangeOf(counts, 3, 1);
  const uint32_t before[] = {100, 5, 3, 100};
  std::ranges::copy(before, counts.words.begin());
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                               nullptr);
    vk.vkCmdFillMemoryKHR(commands, &last, kStorage, 2);
    const VkMemoryRangeBarrierKHR range{.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
                                        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                        .dstStageMask = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                                        .dstAccessMask = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT,
                                        .addressRange = last,
                                        .addressFlags = kStorage};
    const VkMemoryRangeBarriersInfoKHR ranges{
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &range};
    const VkDependencyInfo barrier{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &ranges};
    vk.vkCmdPipelineBarrier2(commands, &barrier);
    vk.vkCmdDispatchIndirect2KHR(commands, &info);
  });
  EXPECT_EQ(result.words[0], 30u);
}

TEST_F(DeviceAddressTest, ResultsOfQueriesAreCopied) {
  VkQueryPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = 2};
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.vkCreateQueryPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  atEnd([=, this] { vk.vkDestroyQueryPool(device, pool, nullptr); });
  WordBuffer results = makeBuffer(10);
  const VkDeviceAddressRangeKHR whole = rangeOf(results, 1, 8);
  const VkStridedDeviceAddressRangeKHR range{whole.address, whole.size, 20};
  run([&](VkCommandBuffer commands) {
    vk.vkCmdResetQueryPool(commands, pool, 0, 2);
    vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    vk.vkCmdCopyQueryPoolResultsToMemoryKHR(commands, pool, 0, 2, &range, kStorage,
                                            VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  });
  EXPECT_EQ(results.words[2], 0u);
  EXPECT_NE(results.words[6], 0u);
  EXPECT_EQ(results.words[7], 1u);
  EXPECT_EQ(results.words[8], 0u);
}

TEST_F(DeviceAddressTest, RangesThatCannotBeAreRefused) {
  MISUSE_FROM_HERE();
  WordBuffer buffer = makeBuffer(8);
  const VkDeviceAddressRangeKHR none{0, 16}, small = rangeOf(buffer, 0, 2);
  const uint32_t data[4] = {};
  EXPECT_LT(
      tryToRecord([&](VkCommandBuffer commands) { vk.vkCmdFillMemoryKHR(commands, &none, 0, 1); }),
      0);
  EXPECT_LT(tryToRecord([&](VkCommandBuffer commands) {
              vk.vkCmdUpdateMemoryKHR(commands, &small, 0, sizeof data, data);
            }),
            0);
  const VkDeviceMemoryCopyKHR region{.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                     .srcRange = rangeOf(buffer, 4, 3),
                                     .dstRange = small};
  const VkCopyDeviceMemoryInfoKHR copy{.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                       .regionCount = 1,
                                       .pRegions = &region};
  EXPECT_LT(tryToRecord([&](VkCommandBuffer commands) { vk.vkCmdCopyMemoryKHR(commands, &copy); }),
            0);
  VkPipeline pipeline = makePipeline(makePipelineLayout({}, 0), "#version 450\nvoid main() {}");
  const VkDispatchIndirect2InfoKHR info{.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
                                        .addressRange = small};
  EXPECT_LT(tryToRecord([&](VkCommandBuffer commands) {
              vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
              vk.vkCmdDispatchIndirect2KHR(commands, &info);
            }),
            0);
  EXPECT_TRUE(wasTold("vkCmdDispatchIndirect2KHR"));
  VkDispatchIndirect2InfoKHR odd = info;
  odd.addressRange = {rangeOf(buffer, 0, 4).address + 2, 12};
  EXPECT_LT(tryToRecord([&](VkCommandBuffer commands) {
              vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
              vk.vkCmdDispatchIndirect2KHR(commands, &odd);
            }),
            0);
  EXPECT_TRUE(wasTold("multiple of 4"));
}

}  // namespace
}  // namespace api_test
