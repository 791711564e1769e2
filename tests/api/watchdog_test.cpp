// SPDX-License-Identifier: Apache-2.0

// TESSERA_WATCHDOG: shaders that never end lose the device, and harm nothing else.
#include <gmock/gmock.h>

#include "tests/support/vulkan_fixture.h"

namespace api_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;

class WatchdogTest : public PipelineTest {
 protected:
  void SetUp() override {
    device_extensions = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME};
    PipelineTest::SetUp();
  }

  // Dispatches 4 workgroups of the shader; binding 0 is a buffer of zeros. The words afterwards.
  std::vector<uint32_t> dispatch(const std::string& glsl, VkResult expected) {
    const VkDescriptorSetLayout set_layout = makeSetLayout();
    const VkPipelineLayout layout = makePipelineLayout({&set_layout, 1}, 0);
    const VkPipeline pipeline = makePipeline(layout, "#version 450\n" + glsl);
    const VkDescriptorSet set = makeSet(set_layout);
    const WordBuffer buffer = makeBuffer(256);
    std::ranges::fill(buffer.words, 0);
    writeStorageBuffer(set, buffer.buffer);
    const VkCommandBuffer commands = recordCommands([&](VkCommandBuffer commands) {
      vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                 nullptr);
      vk.vkCmdDispatch(commands, 4, 1, 1);
    });
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &commands};
    const VkFence fence = makeFence();
    EXPECT_EQ(vk.vkQueueSubmit(queue, 1, &submit, fence), VK_SUCCESS);
    EXPECT_EQ(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, 600'000'000'000), expected);
    return {buffer.words.begin(), buffer.words.end()};
  }

  void expectLoss(const std::string& glsl) {
    dispatch(glsl, VK_ERROR_DEVICE_LOST);
    // Whoever hears of it may end the process: it has been said by now.
    EXPECT_THAT(messages(),
                Contains(AllOf(HasSubstr("device lost: a dispatch of entry point "
                                         "\"main\" took longer than "
                                         "TESSERA_WATCHDOG=0.05"),
                               ContainsRegex("workgroup \\([0-3], 0, 0\\) had not ended"))));
    VkDeviceFaultCountsEXT counts{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    VkDeviceFaultInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
    EXPECT_EQ(vk.vkGetDeviceFaultInfoEXT(device, &counts, &info), VK_SUCCESS);
    EXPECT_NE(std::string(info.description).find("took longer than"), std::string::npos)
        << info.description;
    EXPECT_EQ(vk.vkQueueSubmit(queue, 0, nullptr, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
  }

  const ScopedVariable limit_{"TESSERA_WATCHDOG", "0.05"};
};

TEST_F(WatchdogTest, ALoopWithoutEnd) {
  expectLoss("layout(local_size_x = 64) in;\nvoid main() { for (;;) {} }");
}

TEST_F(WatchdogTest, AWaitForMemoryThatNobodyWrites) {
  expectLoss(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) volatile buffer Data { uint words[]; };\n"
      "void main() { while (words[gl_GlobalInvocationID.x] == 0) {} }");
}

TEST_F(WatchdogTest, ALoopOfSomeInvocations) {
  expectLoss(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer Data { uint words[]; };\n"
      "void main() {\n"
      "  uint i = gl_LocalInvocationID.x;\n"
      "  while (i % 3 != 1) { i += 3; words[i % 256] = i; }\n"
      "}");
}

TEST_F(WatchdogTest, ALoopWithABarrier) {
  expectLoss(
      "layout(local_size_x = 256) in;\n"
      "shared uint turns;\n"
      "void main() {\n"
      "  turns = 0;\n"
      "  do {\n"
      "    barrier();\n"
      "    if (gl_LocalInvocationIndex == 200) turns |= 2;\n"
      "    barrier();\n"
      "  } while ((turns & 1) == 0);\n"
      "}");
}

TEST_F(WatchdogTest, ALockThatIsNeverFree) {
  expectLoss(
      "layout(local_size_x = 8) in;\n"
      "layout(binding = 0) buffer Data { uint words[]; };\n"
      "void main() { while (atomicExchange(words[0], 1) != 0) {} }");
}

TEST_F(WatchdogTest, ALoopThatCountsFromNoValue) {
  expectLoss(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer Data { uint words[]; };\n"
      "void main() {\n"
      "  uint k;\n"
      "  while (k < 4u) { words[k] = k; k >>= 1; }\n"
      "}");
}

TEST_F(WatchdogTest, ALoopUpToNoValue) {
  expectLoss(
      "layout(local_size_x = 64) in;\n"
      "void main() {\n"
      "  uint end;\n"
      "  for (uint k = gl_LocalInvocationID.x % 2; k + 1 > end % 2; k = (k + 2) % 1022) {}\n"
      "}");
}

// A subgroup's turn after the barrier begins in the midst of the loop.
TEST_F(WatchdogTest, ALoopOfWhichOneWayHasABarrier) {
  expectLoss(
      "layout(local_size_x = 256) in;\n"
      "layout(binding = 0) buffer Data { uint words[]; };\n"
      "void main() {\n"
      "  uint k = 0;\n"
      "  do {\n"
      "    if (words[k % 64] == 1) barrier();\n"
      "    words[64 + k % 64] = k++;\n"
      "  } while (words[3] == 0);\n"
      "}");
}

struct PatientWatchdogTest : WatchdogTest {
  const ScopedVariable long_limit_{"TESSERA_WATCHDOG", "600"};
};

TEST_F(PatientWatchdogTest, WhatEndsInTimeIsAsWithoutIt) {
  const std::vector<uint32_t> words = dispatch(
      "layout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer Data { uint words[]; };\n"
      "shared uint sum;\n"
      "void main() {\n"
      "  const uint id = gl_GlobalInvocationID.x;\n"
      "  uint n = 0;\n"
      "  for (uint i = 0; i < id; ++i) n += i;\n"
      "  sum = 0;\n"
      "  for (uint turn = 0; turn < 5000; ++turn) {\n"
      "    barrier();\n"
      "    if (gl_LocalInvocationIndex == turn % 64) sum++;\n"
      "    barrier();\n"
      "  }\n"
      "  words[id] = n + sum;\n"
      "}",
      VK_SUCCESS);
  for (uint32_t id = 0; id < words.size(); ++id)
    EXPECT_EQ(words[id], id * (id - 1) / 2 + 5000) << id;
}

}  // namespace
}  // namespace api_test
