// SPDX-License-Identifier: Apache-2.0

// Memory that the host writes while a submission is pending that accesses it.
#include "tests/checks/api/api_seed.h"

namespace api_test {

namespace {

VkFence submitCopying(ApiSeedTest& test) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  return test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), set));
}

// The next frame's values come too early.
void inputIsRewritten(ApiSeedTest& test, bool has_bug) {
  const VkFence fence = submitCopying(test);
  if (!has_bug) test.waitFor(fence);
  test.inputs.words[3] = 7;
  if (has_bug) test.waitFor(fence);
}

void resultIsCleared(ApiSeedTest& test, bool has_bug) {
  const VkFence fence = submitCopying(test);
  if (!has_bug) test.waitFor(fence);
  test.results.words[15] = 7;
  if (has_bug) test.waitFor(fence);
}

constexpr const char* kRingShader = R"(#version 450
layout(push_constant) uniform Push { uint part; };
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Input { uint inputs[]; };
void main() {
  for (uint i = 0; i < 8; ++i) results[i] = inputs[8 * part + i];
})";

// A part of the buffer that the dispatch does not access is the host's, although all is bound.
void otherPartOfRing(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkPipeline program = test.makeProgram(kRingShader);
  const VkDescriptorSet set = test.copyingSet();
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.bind(to, program, set);
    test.push(to, test.layout, 0, 4);  // 0: the first part
    test.vk.vkCmdDispatch(to, 1, 1, 1);
  }));
  for (uint32_t i = 0; i < 8; ++i) test.inputs.words[(has_bug ? 0 : 8) + i] = 7;
  test.waitFor(fence);
}

void sourceOfCopy(ApiSeedTest& test, bool has_bug) {
  const WordBuffer source = test.makeBuffer(16), target = test.makeBuffer(16);
  test.name(source.buffer, "staging");
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    const VkBufferCopy region{.srcOffset = 0, .dstOffset = 0, .size = 32};
    test.vk.vkCmdCopyBuffer(to, source.buffer, target.buffer, 1, &region);
  }));
  source.words[has_bug ? 7 : 8] = 1;  // the second half is not copied
  test.waitFor(fence);
}

void countsOfDispatch(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkPipeline program = test.makeProgram(kCopyingShader);
  const VkDescriptorSet set = test.copyingSet();
  const WordBuffer counts = test.makeBuffer(3);
  for (uint32_t& count : counts.words) count = 1;
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.bind(to, program, set);
    test.vk.vkCmdDispatchIndirect(to, counts.buffer, 0);
  }));
  if (!has_bug) test.waitFor(fence);
  counts.words[0] = 0;
  if (has_bug) test.waitFor(fence);
}

// Mapped only then.
void mappedWhilePending(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  test.vk.vkUnmapMemory(test.device, test.inputs.memory);
  const VkFence fence = test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), set));
  if (!has_bug) test.waitFor(fence);
  void* mapped = nullptr;
  ASSERT_EQ(test.vk.vkMapMemory(test.device, test.inputs.memory, 0, VK_WHOLE_SIZE, 0, &mapped),
            VK_SUCCESS);
  static_cast<uint32_t*>(mapped)[5] = 7;
  if (has_bug) test.waitFor(fence);
}

// A submission that waits for the host finds what that wrote before it signalled.
void writtenAfterSignal(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  const VkCommandBuffer commands = test.dispatchOf(test.makeProgram(kCopyingShader), set);
  const VkSemaphore timeline = test.makeTimeline(0);
  const uint64_t one = 1;
  const VkTimelineSemaphoreSubmitInfo values{
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = 1,
      .pWaitSemaphoreValues = &one};
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = &values,
                            .waitSemaphoreCount = 1,
                            .pWaitSemaphores = &timeline,
                            .pWaitDstStageMask = &stage,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &commands};
  const VkFence fence = test.makeFence();
  ASSERT_EQ(test.vk.vkQueueSubmit(test.queue, 1, &submit, fence), VK_SUCCESS);
  if (!has_bug) test.inputs.words[3] = 7;
  const VkSemaphoreSignalInfo signal{
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 1};
  ASSERT_EQ(test.vk.vkSignalSemaphore(test.device, &signal), VK_SUCCESS);
  if (has_bug) test.inputs.words[3] = 7;
  test.waitFor(fence);
}

// The first one has ended, the second one has not.
void secondSubmission(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkPipeline program = test.makeProgram(kCopyingShader);
  const VkDescriptorSet first_set = test.copyingSet(), second_set = test.newSet();
  const WordBuffer second_results = test.makeBuffer(16), second_inputs = test.makeBuffer(16);
  test.write(second_set, 0, second_results.buffer);
  test.write(second_set, 1, second_inputs.buffer);
  test.waitFor(test.submit(test.dispatchOf(program, first_set)));
  const VkFence second = test.submit(test.dispatchOf(program, second_set));
  (has_bug ? second_inputs : test.inputs).words[3] = 7;
  test.waitFor(second);
}

constexpr const char* kCountingShader = R"(#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(set = 0, binding = 1) buffer Input { uint counter; };
void main() {
  results[gl_LocalInvocationIndex] = atomicAdd(counter, 1);
})";

void counterIsReset(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  const VkFence fence = test.submit(test.dispatchOf(test.makeProgram(kCountingShader), set));
  if (!has_bug) test.waitFor(fence);
  test.inputs.words[0] = 100;
  if (has_bug) test.waitFor(fence);
}

}  // namespace

std::vector<ApiSeed> hostAccessSeeds() {
  constexpr const char* kKind = "host-access";
  constexpr const char* kId = "api-host-access";
  return {
      {kKind, "input_is_rewritten", kId,
       "a load of 4 bytes of 'Input' .* reads what the host has written since the submission\n"
       "  at .*:6.*\n.*\n.*buffer 'inputs' of 64 bytes, byte 12",
       inputIsRewritten},
      {kKind, "result_is_cleared", kId,
       "a store of 4 bytes of 'Results' .* meets what the host has written", resultIsCleared},
      {kKind, "other_part_of_ring", kId, "a load of 4 bytes of 'Input'", otherPartOfRing},
      {kKind, "source_of_copy", kId,
       "command 1, vkCmdCopyBuffer, of .*, accesses what the host has written since the "
       "submission\n  buffer 'staging' of 64 bytes, byte 28",
       sourceOfCopy},
      {kKind, "counts_of_dispatch", kId, "vkCmdDispatchIndirect, of", countsOfDispatch},
      {kKind, "mapped_while_pending", kId, "byte 20", mappedWhilePending},
      {kKind, "written_after_signal", kId, "byte 12", writtenAfterSignal},
      {kKind, "second_submission", kId, "a load of 4 bytes of 'Input'", secondSubmission},
      {kKind, "counter_is_reset", kId, "an atomic operation on 4 bytes of 'Input'", counterIsReset},
  };
}

}  // namespace api_test
