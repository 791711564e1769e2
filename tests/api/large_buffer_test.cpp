// SPDX-License-Identifier: Apache-2.0

// VK_EXT_shader_64bit_indexing: bindings of more than 4 GiB.
#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

class LargeBufferTest : public PipelineTest {
 protected:
  LargeBufferTest() {
    device_extensions = {VK_EXT_SHADER_64BIT_INDEXING_EXTENSION_NAME};
    device_features = &features_;
  }

 private:
  VkPhysicalDeviceShader64BitIndexingFeaturesEXT features_{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_64_BIT_INDEXING_FEATURES_EXT,
      .shader64BitIndexing = VK_TRUE};
};

// Few of its pages are touched.
TEST_F(LargeBufferTest, WordsBehindFourGigabytes) {
  VkPhysicalDeviceMemoryProperties memory;
  vk.vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
  constexpr size_t kWords = (size_t{5} << 30) / 4;
  if (memory.memoryHeaps[0].size < 2 * kWords * 4) GTEST_SKIP() << "not enough memory";
  const VkDescriptorSetLayout set_layout = makeSetLayout();
  VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 4);
  VkPipeline pipeline = makePipeline(layout, R"(#version 450
#extension GL_EXT_shader_64bit_indexing : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#pragma shader_64bit_indexing
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint step; };
layout(set = 0, binding = 0) buffer Words { uint words[]; };
void main() {
  uint64_t last = words.length64() - 1;
  words[last - gl_LocalInvocationID.x] = gl_LocalInvocationID.x + 1;
  if (gl_LocalInvocationID.x == 0) words[(last + 1) / 2 + uint64_t(step)] = uint(last >> 20);
})");
  ASSERT_NE(pipeline, VkPipeline{VK_NULL_HANDLE});
  WordBuffer large = makeBuffer(kWords);
  VkDescriptorSet set = makeSet(set_layout);
  writeStorageBuffer(set, large.buffer);
  const uint32_t step = 1 << 29;
  run([&](VkCommandBuffer commands) {
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                               nullptr);
    vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof step, &step);
    vk.vkCmdDispatch(commands, 1, 1, 1);
  });
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(large.words[kWords - 1 - i], i + 1);
  EXPECT_EQ(large.words[kWords / 2 + step], uint32_t((kWords - 1) >> 20));
  EXPECT_EQ(large.words[(kWords - 1) & 0x3fffffff], 0u);
}

}  // namespace
}  // namespace api_test
