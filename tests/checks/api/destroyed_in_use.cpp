// SPDX-License-Identifier: Apache-2.0

// Objects that are destroyed, freed or reset while a submission may use them.
#include "tests/checks/api/api_seed.h"

namespace api_test {

namespace {

// Whatever wrongly comes before the wait comes after it in the twin.
void around(ApiSeedTest& test, bool has_bug, VkFence fence, const std::function<void()>& act) {
  if (!has_bug) test.waitFor(fence);
  act();
  if (has_bug) test.waitFor(fence);
}

// After PositiveObjectLifetime/ObjectLifetime.BufferInUseDestroyedSignaled.
void bufferOfCopy(ApiSeedTest& test, bool has_bug) {
  const WordBuffer memory = test.makeBuffer(16), other = test.makeBuffer(16);
  const VkBuffer buffer = test.aliasOf(memory);
  test.name(buffer, "staging");
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    const VkBufferCopy region{.size = 64};
    test.vk.vkCmdCopyBuffer(to, buffer, other.buffer, 1, &region);
  }));
  around(test, has_bug, fence, [&] { test.vk.vkDestroyBuffer(test.device, buffer, nullptr); });
}

void bufferOfDescriptor(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkDescriptorSet set = test.copyingSet();
  const VkBuffer buffer = test.aliasOf(test.inputs);
  test.write(set, 1, buffer);
  const VkFence fence = test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), set));
  around(test, has_bug, fence, [&] { test.vk.vkDestroyBuffer(test.device, buffer, nullptr); });
}

void memoryOfBuffer(ApiSeedTest& test, bool has_bug) {
  const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = 4096};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkAllocateMemory(test.device, &info, nullptr, &memory), VK_SUCCESS);
  const VkBuffer buffer =
      test.aliasOf({.buffer = {}, .memory = memory, .words = test.makeBuffer(16).words});
  const VkFence fence = test.submit(test.recordCommands(
      [&](VkCommandBuffer to) { test.vk.vkCmdFillBuffer(to, buffer, 0, VK_WHOLE_SIZE, 7); }));
  around(test, has_bug, fence, [&] { test.vk.vkFreeMemory(test.device, memory, nullptr); });
  test.vk.vkDestroyBuffer(test.device, buffer, nullptr);
}

// After ObjectLifetime.PipelineInUseDestroyedSignaled.
void pipeline(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = test.moduleOf(kCopyingShader),
                .pName = "main"},
      .layout = test.layout};
  VkPipeline made = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateComputePipelines(test.device, VK_NULL_HANDLE, 1, &info, nullptr, &made),
            VK_SUCCESS);
  const VkFence fence = test.submit(test.dispatchOf(made, test.copyingSet()));
  around(test, has_bug, fence, [&] { test.vk.vkDestroyPipeline(test.device, made, nullptr); });
}

void shaderObject(ApiSeedTest& test, bool has_bug) {
  test.useBuffers();
  const std::vector<uint32_t> words =
      host::compileGlsl(kCopyingShader, "test.comp", {.debug_lines = true});
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
  const VkShaderCreateInfoEXT info{.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = words.size() * 4,
                                   .pCode = words.data(),
                                   .pName = "main",
                                   .setLayoutCount = 1,
                                   .pSetLayouts = &test.set_layout,
                                   .pushConstantRangeCount = 1,
                                   .pPushConstantRanges = &range};
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateShadersEXT(test.device, 1, &info, nullptr, &shader), VK_SUCCESS);
  const VkDescriptorSet set = test.copyingSet();
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    test.vk.vkCmdBindShadersEXT(to, 1, &stage, &shader);
    test.vk.vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, test.layout, 0, 1, &set, 0,
                                    nullptr);
    test.vk.vkCmdDispatch(to, 1, 1, 1);
  }));
  around(test, has_bug, fence, [&] { test.vk.vkDestroyShaderEXT(test.device, shader, nullptr); });
}

VkFence submitCopying(ApiSeedTest& test, VkDescriptorSet* set = nullptr) {
  test.useBuffers();
  const VkDescriptorSet used = test.copyingSet();
  if (set != nullptr) *set = used;
  return test.submit(test.dispatchOf(test.makeProgram(kCopyingShader), used));
}

// After ObjectLifetime.DescriptorPoolInUseDestroyedSignaled.
void descriptorPool(ApiSeedTest& test, bool has_bug) {
  const VkFence fence = submitCopying(test);
  around(test, has_bug, fence, [&] {
    test.vk.vkDestroyDescriptorPool(test.device, std::exchange(test.pool, VK_NULL_HANDLE), nullptr);
  });
}

// After ObjectLifetime.DescriptorPoolInUseResetSignaled.
void descriptorPoolReset(ApiSeedTest& test, bool has_bug) {
  const VkFence fence = submitCopying(test);
  around(test, has_bug, fence, [&] { test.vk.vkResetDescriptorPool(test.device, test.pool, 0); });
}

void descriptorSet(ApiSeedTest& test, bool has_bug) {
  VkDescriptorSet set = VK_NULL_HANDLE;
  const VkFence fence = submitCopying(test, &set);
  around(test, has_bug, fence,
         [&] { test.vk.vkFreeDescriptorSets(test.device, test.pool, 1, &set); });
}

VkFence submitFill(ApiSeedTest& test, VkCommandBuffer* commands = nullptr) {
  const WordBuffer buffer = test.makeBuffer(16);
  const VkCommandBuffer made = test.recordCommands(
      [&](VkCommandBuffer to) { test.vk.vkCmdFillBuffer(to, buffer.buffer, 0, VK_WHOLE_SIZE, 7); });
  if (commands != nullptr) *commands = made;
  return test.submit(made);
}

// After ObjectLifetime.FenceInUseDestroyedSignaled.
void fenceOfSubmission(ApiSeedTest& test, bool has_bug) {
  const VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateFence(test.device, &info, nullptr, &fence), VK_SUCCESS);
  ASSERT_EQ(test.vk.vkQueueSubmit(test.queue, 0, nullptr, fence), VK_SUCCESS);
  if (!has_bug) test.waitFor(fence);
  test.vk.vkDestroyFence(test.device, fence, nullptr);
}

void fenceReset(ApiSeedTest& test, bool has_bug) {
  const VkFence fence = submitFill(test);
  if (!has_bug) test.waitFor(fence);
  EXPECT_EQ(test.vk.vkResetFences(test.device, 1, &fence), VK_SUCCESS);
}

// After ObjectLifetime.SemaphoreInUseDestroyedSignaled.
void semaphore(ApiSeedTest& test, bool has_bug) {
  const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore made = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateSemaphore(test.device, &info, nullptr, &made), VK_SUCCESS);
  const VkFence fence = test.makeFence();
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .signalSemaphoreCount = 1,
                            .pSignalSemaphores = &made};
  ASSERT_EQ(test.vk.vkQueueSubmit(test.queue, 1, &submit, fence), VK_SUCCESS);
  around(test, has_bug, fence, [&] { test.vk.vkDestroySemaphore(test.device, made, nullptr); });
}

// After ObjectLifetime.EventInUseDestroyedSignaled.
void event(ApiSeedTest& test, bool has_bug) {
  const VkEventCreateInfo info{.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent made = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateEvent(test.device, &info, nullptr, &made), VK_SUCCESS);
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.vk.vkCmdSetEvent(to, made, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  }));
  around(test, has_bug, fence, [&] { test.vk.vkDestroyEvent(test.device, made, nullptr); });
}

// After ObjectLifetime.QueryPoolInUseDestroyedSignaled.
void queryPool(ApiSeedTest& test, bool has_bug) {
  const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                   .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                   .queryCount = 2};
  VkQueryPool made = VK_NULL_HANDLE;
  ASSERT_EQ(test.vk.vkCreateQueryPool(test.device, &info, nullptr, &made), VK_SUCCESS);
  const VkFence fence = test.submit(test.recordCommands([&](VkCommandBuffer to) {
    test.vk.vkCmdResetQueryPool(to, made, 0, 2);
    test.vk.vkCmdWriteTimestamp(to, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, made, 0);
  }));
  around(test, has_bug, fence, [&] { test.vk.vkDestroyQueryPool(test.device, made, nullptr); });
}

// Waits for another submission's fence.
void otherFence(ApiSeedTest& test, bool has_bug) {
  const VkFence first = submitFill(test);
  const WordBuffer memory = test.makeBuffer(16);
  const VkBuffer buffer = test.aliasOf(memory);
  const VkFence second = test.submit(test.recordCommands(
      [&](VkCommandBuffer to) { test.vk.vkCmdFillBuffer(to, buffer, 0, VK_WHOLE_SIZE, 7); }));
  test.waitFor(has_bug ? first : second);
  test.vk.vkDestroyBuffer(test.device, buffer, nullptr);
}

// Waits for a value that an earlier submission signals.
void earlierValue(ApiSeedTest& test, bool has_bug) {
  const VkSemaphore timeline = test.makeTimeline(0);
  const WordBuffer memory = test.makeBuffer(16);
  const VkBuffer buffer = test.aliasOf(memory);
  const VkCommandBuffer commands = test.recordCommands(
      [&](VkCommandBuffer to) { test.vk.vkCmdFillBuffer(to, buffer, 0, VK_WHOLE_SIZE, 7); });
  for (const uint64_t value : {uint64_t{1}, uint64_t{2}}) {
    const VkTimelineSemaphoreSubmitInfo values{
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value};
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = &values,
                              .commandBufferCount = value == 2 ? 1u : 0u,
                              .pCommandBuffers = &commands,
                              .signalSemaphoreCount = 1,
                              .pSignalSemaphores = &timeline};
    ASSERT_EQ(test.vk.vkQueueSubmit(test.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  }
  const uint64_t awaited = has_bug ? 1 : 2;
  const VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                 .semaphoreCount = 1,
                                 .pSemaphores = &timeline,
                                 .pValues = &awaited};
  ASSERT_EQ(test.vk.vkWaitSemaphores(test.device, &wait, UINT64_MAX), VK_SUCCESS);
  test.vk.vkDestroyBuffer(test.device, buffer, nullptr);
}

}  // namespace

std::vector<ApiSeed> destroyedInUseSeeds() {
  constexpr const char* kKind = "destroyed-in-use";
  return {
      {kKind, "buffer_of_copy", "VUID-vkDestroyBuffer-buffer-00922",
       "vkDestroyBuffer: buffer 'staging' is in use\n  used by submission 1: command 1, "
       "vkCmdCopyBuffer",
       bufferOfCopy},
      {kKind, "buffer_of_descriptor", "VUID-vkDestroyBuffer-buffer-00922",
       "vkCmdDispatch, of command buffer .*, with pipeline .*, as 'Input' \\(set 0, binding 1\\)",
       bufferOfDescriptor},
      {kKind, "memory_of_buffer", "VUID-vkFreeMemory-memory-00677",
       "memory 0x[0-9a-f]+ is in use\n.* vkCmdFillBuffer", memoryOfBuffer},
      {kKind, "pipeline", "VUID-vkDestroyPipeline-pipeline-00765", "vkDestroyPipeline: pipeline",
       pipeline},
      {kKind, "shader_object", "VUID-vkDestroyShaderEXT-None-08481", "vkCmdBindShadersEXT",
       shaderObject},
      {kKind, "descriptor_pool", "VUID-vkDestroyDescriptorPool-descriptorPool-00303",
       "descriptor set 0x[0-9a-f]+ is in use", descriptorPool},
      {kKind, "descriptor_pool_reset", "VUID-vkResetDescriptorPool-descriptorPool-00313",
       "vkResetDescriptorPool: descriptor set", descriptorPoolReset},
      {kKind, "descriptor_set", "VUID-vkFreeDescriptorSets-pDescriptorSets-00309",
       "vkCmdBindDescriptorSets", descriptorSet},
      {kKind, "fence", "VUID-vkDestroyFence-fence-01120", "used by submission 1: vkQueueSubmit",
       fenceOfSubmission},
      {kKind, "fence_reset", "VUID-vkResetFences-pFences-01123", "vkResetFences: fence",
       fenceReset},
      {kKind, "semaphore", "VUID-vkDestroySemaphore-semaphore-05149",
       "vkDestroySemaphore: semaphore", semaphore},
      {kKind, "event", "VUID-vkDestroyEvent-event-01145", "vkCmdSetEvent", event},
      {kKind, "query_pool", "VUID-vkDestroyQueryPool-queryPool-00793",
       "command 1, vkCmdResetQueryPool", queryPool},
      {kKind, "other_fence", "VUID-vkDestroyBuffer-buffer-00922", "used by submission 2",
       otherFence},
      {kKind, "earlier_value", "VUID-vkDestroyBuffer-buffer-00922", "used by submission 2",
       earlierValue},
  };
}

}  // namespace api_test
