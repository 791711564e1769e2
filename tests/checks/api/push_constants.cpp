// SPDX-License-Identifier: Apache-2.0

// Dispatches whose shader uses push constants that were not set.
#include "tests/checks/api/api_seed.h"

namespace api_test {

namespace {

constexpr const char* kPushShader = R"(#version 450
layout(push_constant) uniform Push { uint first, second; uint rest[2]; };
layout(set = 0, binding = 0) buffer Results { uint results[]; };
void main() { results[0] = first + second; })";

constexpr const char* kElementShader = R"(#version 450
layout(push_constant) uniform Push { uint first, second; uint rest[2]; };
layout(set = 0, binding = 0) buffer Results { uint results[]; };
void main() { results[0] = rest[1]; })";

struct Pushed {
  VkPipeline program;
  VkDescriptorSet set;
};

Pushed programOf(ApiSeedTest& test, const char* glsl) {
  test.useBuffers();
  return {test.makeProgram(glsl), test.copyingSet()};
}

void run(ApiSeedTest& test, const Pushed& what,
         const std::function<void(VkCommandBuffer)>& pushAll) {
  test.waitFor(test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.bind(to, what.program, what.set);
    pushAll(to);
    test.vk.vkCmdDispatch(to, 1, 1, 1);
  })));
}

// After NegativePushConstants' dispatches and draws without their constants.
void neverSet(ApiSeedTest& test, bool has_bug) {
  run(test, programOf(test, kPushShader), [&](VkCommandBuffer to) {
    if (!has_bug) test.push(to, test.layout, 0, 8);
  });
}

void secondMember(ApiSeedTest& test, bool has_bug) {
  run(test, programOf(test, kPushShader),
      [&](VkCommandBuffer to) { test.push(to, test.layout, 0, has_bug ? 4 : 8); });
}

// The others are not used, and need not be set.
void elementOfArray(ApiSeedTest& test, bool has_bug) {
  run(test, programOf(test, kElementShader),
      [&](VkCommandBuffer to) { test.push(to, test.layout, has_bug ? 8 : 12, 4); });
}

// After NegativePushConstants' layouts that are not compatible.
void otherLayout(ApiSeedTest& test, bool has_bug) {
  const Pushed what = programOf(test, kPushShader);
  const VkPipelineLayout other = test.makePipelineLayout({&test.set_layout, 1}, has_bug ? 8 : 16);
  run(test, what, [&](VkCommandBuffer to) { test.push(to, other, 0, 8); });
}

// The last one who sets them decides.
void setAgainWithOtherLayout(ApiSeedTest& test, bool has_bug) {
  const Pushed what = programOf(test, kPushShader);
  const VkPipelineLayout other = test.makePipelineLayout({&test.set_layout, 1}, 8);
  run(test, what, [&](VkCommandBuffer to) {
    test.push(to, has_bug ? test.layout : other, 0, 8);
    test.push(to, has_bug ? other : test.layout, 0, 8);
  });
}

// Nothing is left of what was recorded before.
void setBeforeBegin(ApiSeedTest& test, bool has_bug) {
  const Pushed what = programOf(test, kPushShader);
  const VkCommandBuffer commands = test.allocateCommands();
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  for (const bool is_first : {true, false}) {
    EXPECT_EQ(test.vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    test.bind(commands, what.program, what.set);
    if (is_first || !has_bug) test.push(commands, test.layout, 0, 8);
    test.vk.vkCmdDispatch(commands, 1, 1, 1);
    EXPECT_EQ(test.vk.vkEndCommandBuffer(commands), VK_SUCCESS);
  }
  test.waitFor(test.submit(commands));
}

// After NegativePushConstants' secondary command buffers, which inherit nothing.
void setInPrimary(ApiSeedTest& test, bool has_bug) {
  const Pushed what = programOf(test, kPushShader);
  const VkCommandBuffer secondary = test.allocateCommands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inherited{
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .pInheritanceInfo = &inherited};
  EXPECT_EQ(test.vk.vkBeginCommandBuffer(secondary, &begin), VK_SUCCESS);
  test.bind(secondary, what.program, what.set);
  if (!has_bug) test.push(secondary, test.layout, 0, 8);
  test.vk.vkCmdDispatch(secondary, 1, 1, 1);
  EXPECT_EQ(test.vk.vkEndCommandBuffer(secondary), VK_SUCCESS);
  test.waitFor(test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.push(to, test.layout, 0, 8);
    test.vk.vkCmdExecuteCommands(to, 1, &secondary);
  })));
}

}  // namespace

std::vector<ApiSeed> pushConstantSeeds() {
  constexpr const char* kKind = "push-constant-not-set";
  constexpr const char* kId = "VUID-vkCmdDispatch-None-08601";
  return {
      {kKind, "never_set", kId, "push constants between byte 0 and 8, which were never set",
       neverSet},
      {kKind, "second_member", kId, "between byte 4 and 8, which were never set", secondMember},
      {kKind, "element_of_push_array", kId, "between byte 12 and 16, which were never set",
       elementOfArray},
      {kKind, "other_layout", kId, "with a pipeline layout whose push constant ranges",
       otherLayout},
      {kKind, "set_again_with_other_layout", kId, "whose push constant ranges are not its own",
       setAgainWithOtherLayout},
      {kKind, "set_before_begin", kId, "between byte 0 and 8, which were never set",
       setBeforeBegin},
      {kKind, "set_in_primary", kId, "between byte 0 and 8, which were never set", setInPrimary},
  };
}

}  // namespace api_test
