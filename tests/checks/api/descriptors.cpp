// SPDX-License-Identifier: Apache-2.0

// Dispatches whose shader uses descriptors that are not there.
#include "tests/checks/api/api_seed.h"

namespace api_test {

namespace {

void runOnce(ApiSeedTest& test, VkPipeline program, VkDescriptorSet set) {
  test.waitFor(test.submit(test.dispatchOf(program, set)));
}

// After NegativeDescriptors.DescriptorSetNotUpdated.
void neverWritten(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.newSet();
  test.write(set, 0, test.makeBuffer(16).buffer);
  if (!has_bug) test.write(set, 1, test.makeBuffer(16).buffer);
  runOnce(test, test.makeProgram(kCopyingShader), set);
}

// After NegativePipelineLayout's dispatches without their sets.
void setNotBound(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkPipeline program = test.makeProgram(kCopyingShader);
  const VkDescriptorSet set = test.copyingSet();
  const VkCommandBuffer commands = test.allocateCommands();
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(test.vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  test.vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program);
  if (!has_bug) test.bind(commands, program, set);
  test.vk.vkCmdDispatch(commands, 1, 1, 1);
  const VkResult ended = test.vk.vkEndCommandBuffer(commands);
  EXPECT_EQ(ended == VK_SUCCESS, !has_bug);
}

constexpr const char* kArrayShader = R"(#version 450
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Part { uint words[]; } parts[3];
void main() { results[0] = parts[0].words[0] + parts[2].words[0]; })";

// The second one is not used, and need not be there.
void elementOfArray(ApiSeedTest& test, bool has_bug) {
  test.useBindings({{}, {.count = 3}});
  const VkDescriptorSet set = test.newSet();
  test.write(set, 0, test.makeBuffer(16).buffer);
  test.write(set, 1, test.makeBuffer(16).buffer, 0);
  test.write(set, 1, test.makeBuffer(16).buffer, has_bug ? 1 : 2);
  runOnce(test, test.makeProgram(kArrayShader), set);
}

constexpr const char* kIndexedShader = R"(#version 450
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Part { uint words[]; } parts[3];
void main() { results[0] = parts[results[1]].words[0]; })";

// Which one is used is not known; none is there.
void arrayWithoutElements(ApiSeedTest& test, bool has_bug) {
  test.useBindings({{}, {.count = 3}});
  const VkDescriptorSet set = test.newSet();
  test.write(set, 0, test.makeBuffer(16).buffer);
  if (!has_bug) test.write(set, 1, test.makeBuffer(16).buffer, 0);
  runOnce(test, test.makeProgram(kIndexedShader), set);
}

// After NegativeDescriptors.DescriptorBufferDestroyed-like cases: the buffer goes before the
// dispatch.
void bufferIsGone(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  const VkBuffer buffer = test.aliasOf(test.inputs), other = test.aliasOf(test.inputs);
  test.write(set, 1, buffer);
  test.vk.vkDestroyBuffer(test.device, has_bug ? buffer : other, nullptr);
  runOnce(test, test.makeProgram(kCopyingShader), set);
  test.vk.vkDestroyBuffer(test.device, has_bug ? other : buffer, nullptr);
}

void memoryIsGone(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = 4096};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkAllocateMemory(test.device, &info, nullptr, &memory), VK_SUCCESS);
  const VkDescriptorSet set = test.copyingSet();
  const VkBuffer buffer =
      test.aliasOf({.buffer = {}, .memory = memory, .words = test.inputs.words});
  test.write(set, 1, buffer);
  const VkPipeline program = test.makeProgram(kCopyingShader);
  if (has_bug) {
    test.vk.vkFreeMemory(test.device, memory, nullptr);
    test.dispatchOf(program, set);
  } else {
    runOnce(test, program, set);
    test.vk.vkFreeMemory(test.device, memory, nullptr);
  }
  test.vk.vkDestroyBuffer(test.device, buffer, nullptr);
}

// After NegativePushDescriptor's dispatches with descriptors that were not pushed.
void notPushed(ApiSeedTest& test, bool has_bug) {
  test.useBindings({{}, {}}, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT);
  const VkPipeline program = test.makeProgram(kCopyingShader);
  const VkDescriptorBufferInfo infos[] = {
      {.buffer = test.makeBuffer(16).buffer, .range = VK_WHOLE_SIZE},
      {.buffer = test.makeBuffer(16).buffer, .range = VK_WHOLE_SIZE}};
  VkWriteDescriptorSet writes[2];
  for (uint32_t i = 0; i < 2; ++i)
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstBinding = i,
                 .descriptorCount = 1,
                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 .pBufferInfo = &infos[i]};
  test.waitFor(test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.vk.vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, program);
    test.vk.vkCmdPushDescriptorSetKHR(to, VK_PIPELINE_BIND_POINT_COMPUTE, test.layout, 0,
                                      has_bug ? 1 : 2, writes);
    test.vk.vkCmdDispatch(to, 1, 1, 1);
  })));
}

// After NegativeDescriptors' copies between sets: what was never written is copied as such.
void copiedFromNothing(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet from = test.newSet(), to = test.newSet();
  test.write(from, 0, test.makeBuffer(16).buffer);
  if (!has_bug) test.write(from, 1, test.makeBuffer(16).buffer);
  VkCopyDescriptorSet copies[2];
  for (uint32_t i = 0; i < 2; ++i)
    copies[i] = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                 .srcSet = from,
                 .srcBinding = i,
                 .dstSet = to,
                 .dstBinding = i,
                 .descriptorCount = 1};
  test.vk.vkUpdateDescriptorSets(test.device, 0, nullptr, 2, copies);
  runOnce(test, test.makeProgram(kCopyingShader), to);
}

// It may be written after it was bound, but not after the submission.
void writtenTooLate(ApiSeedTest& test, bool has_bug) {
  const VkDescriptorBindingFlags late = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
  test.useBindings({{.flags = late}, {.flags = late}});
  const VkDescriptorSet set = test.newSet();
  const WordBuffer results = test.makeBuffer(16), inputs = test.makeBuffer(16);
  const VkCommandBuffer commands = test.dispatchOf(test.makeProgram(kCopyingShader), set);
  test.write(set, 0, results.buffer);
  if (!has_bug) test.write(set, 1, inputs.buffer);
  const VkFence fence = test.submit(commands);
  test.waitFor(fence);
  if (has_bug) test.write(set, 1, inputs.buffer);
}

constexpr const char* kBranchingShader = R"(#version 450
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Input { uint inputs[]; };
void main() {
  if (results[1] != 0) results[0] = inputs[0];
})";

// What does not run needs no descriptor only where the binding says so.
void notPartiallyBound(ApiSeedTest& test, bool has_bug) {
  test.useBindings(
      {{},
       {.flags =
            has_bug ? 0 : VkDescriptorBindingFlags{VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT}}});
  const VkDescriptorSet set = test.newSet();
  test.write(set, 0, test.makeBuffer(16).buffer);
  runOnce(test, test.makeProgram(kBranchingShader), set);
}

constexpr const char* kBlockShader = R"(#version 450
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) uniform Block { uvec4 values; };
void main() { results[0] = values.y; })";

// After NegativeDescriptors' inline uniform blocks.
void blockNeverWritten(ApiSeedTest& test, bool has_bug) {
  test.useBindings({{}, {.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, .count = 16}});
  const VkDescriptorSet set = test.newSet();
  test.write(set, 0, test.makeBuffer(16).buffer);
  constexpr uint32_t kValues[4] = {1, 2, 3, 4};
  const VkWriteDescriptorSetInlineUniformBlock block{
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
      .dataSize = 16,
      .pData = kValues};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .pNext = &block,
                                   .dstSet = set,
                                   .dstBinding = 1,
                                   .descriptorCount = 16,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
  if (!has_bug) test.vk.vkUpdateDescriptorSets(test.device, 1, &write, 0, nullptr);
  runOnce(test, test.makeProgram(kBlockShader), set);
}

}  // namespace

std::vector<ApiSeed> descriptorSeeds() {
  constexpr const char* kKind = "descriptor-not-written";
  constexpr const char* kInvalid = "VUID-vkCmdDispatch-None-08114";
  return {
      {kKind, "never_written", kInvalid,
       "vkCmdDispatch: pipeline .* uses 'Input' \\(set 0, binding 1\\), which was never written",
       neverWritten},
      {kKind, "set_not_bound", "VUID-vkCmdDispatch-None-08600",
       "\\(set 0, binding 0\\), but no descriptor set is bound there", setNotBound},
      {kKind, "element_of_array", kInvalid,
       "'parts' \\(set 0, binding 1, element 2\\), which was never", elementOfArray},
      {kKind, "array_without_elements", kInvalid, "of which nothing was ever written",
       arrayWithoutElements},
      {kKind, "buffer_is_gone", kInvalid, "whose buffer has been destroyed", bufferIsGone},
      {kKind, "memory_is_gone", kInvalid, "lies in memory that has been freed", memoryIsGone},
      {kKind, "not_pushed", kInvalid, "binding 1\\), which was never written", notPushed},
      {kKind, "copied_from_nothing", kInvalid, "binding 1\\), which was never written",
       copiedFromNothing},
      {kKind, "written_too_late", kInvalid, "binding 1\\), which was never written",
       writtenTooLate},
      {kKind, "not_partially_bound", kInvalid, "binding 1\\), which was never written",
       notPartiallyBound},
      {kKind, "block_never_written", kInvalid, "of which nothing was ever written",
       blockNeverWritten},
  };
}

}  // namespace api_test
