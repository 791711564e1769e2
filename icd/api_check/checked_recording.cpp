// SPDX-License-Identifier: Apache-2.0

// Command buffers, and the commands that dispatch, under the check of the API.
#include <span>

#include "icd/api_check/api_check.h"
#include "icd/api_check/checked.h"
#include "icd/command_pool.h"
#include "icd/entrypoints.h"

namespace icd::checked {

namespace {

constexpr auto kBuffer = VK_OBJECT_TYPE_COMMAND_BUFFER;

// Of a pool that is reset or destroyed.
void expectUnusedBuffers(ApiCheck& check, const UseRule& rule, VkCommandPool pool,
                         Findings& found) {
  for (CommandBuffer& buffer : CommandPool::from(pool)->buffers)
    check.expectUnused(rule, kBuffer, numberOf(buffer.handle()), found);
}

void forgetBuffer(ApiCheck& check, VkCommandBuffer buffer) {
  check.forgetRecording(buffer);
  check.objects().remove(numberOf(buffer));
}

void bindProgram(VkCommandBuffer buffer, const char* command, VkObjectType type, uint64_t handle) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings&) {
    check.recordingOf(buffer).program = nullptr;
    check.use(buffer, command, type, handle);
    check.recordingOf(buffer).program = check.programOf(handle);
  });
}

void push(VkCommandBuffer buffer, VkPipelineLayout layout, VkShaderStageFlags stages,
          uint32_t offset, uint32_t size) {
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
  ApiCheck& check = apiCheckOf(buffer);
  const PushRanges ranges(PipelineLayout::from(layout)->push_constants);
  check.with([&](Findings&) { check.recordingOf(buffer).push(ranges, offset, size); });
}

void checkDispatch(VkCommandBuffer buffer, const char* command) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings& found) {
    DispatchCheck(command, *CommandBuffer::from(buffer), check.recordingOf(buffer), check.objects())
        .run(found);
  });
}

}  // namespace

void vkDestroyCommandPool(VkDevice device, VkCommandPool pool,
                          const VkAllocationCallbacks* callbacks) {
  if (pool != VK_NULL_HANDLE) {
    ApiCheck& check = apiCheckOf(device);
    check.with([&](Findings& found) {
      expectUnusedBuffers(check,
                          {"vkDestroyCommandPool", "VUID-vkDestroyCommandPool-commandPool-00041"},
                          pool, found);
      for (CommandBuffer& buffer : CommandPool::from(pool)->buffers)
        forgetBuffer(check, buffer.handle());
      check.objects().remove(numberOf(pool));
    });
  }
  icd::vkDestroyCommandPool(device, pool, callbacks);
}

VkResult vkResetCommandPool(VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) {
    expectUnusedBuffers(check, {"vkResetCommandPool", "VUID-vkResetCommandPool-commandPool-00040"},
                        pool, found);
    for (CommandBuffer& buffer : CommandPool::from(pool)->buffers)
      check.beginRecording(buffer.handle());
  });
  return icd::vkResetCommandPool(device, pool, flags);
}

void vkFreeCommandBuffers(VkDevice device, VkCommandPool pool, uint32_t count,
                          const VkCommandBuffer* buffers) {
  ApiCheck& check = apiCheckOf(device);
  check.with([&](Findings& found) {
    for (VkCommandBuffer buffer : std::span(buffers, count)) {
      if (buffer == VK_NULL_HANDLE) continue;
      check.expectUnused(
          {"vkFreeCommandBuffers", "VUID-vkFreeCommandBuffers-pCommandBuffers-00047"}, kBuffer,
          numberOf(buffer), found);
      forgetBuffer(check, buffer);
    }
  });
  icd::vkFreeCommandBuffers(device, pool, count, buffers);
}

VkResult vkBeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo* info) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings& found) {
    check.expectUnused({"vkBeginCommandBuffer", "VUID-vkBeginCommandBuffer-commandBuffer-00049"},
                       kBuffer, numberOf(buffer), found);
    check.beginRecording(buffer);
    check.recordingOf(buffer).may_be_pending_twice =
        (info->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0;
  });
  const VkResult result = icd::vkBeginCommandBuffer(buffer, info);
  check.with([&](Findings&) {
    CommandBuffer::from(buffer)->record(rt::Callback{
        [&check, number = check.recordingOf(buffer).number] { check.hostWatch().begin(number); }});
  });
  return result;
}

VkResult vkResetCommandBuffer(VkCommandBuffer buffer, VkCommandBufferResetFlags flags) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings& found) {
    check.expectUnused({"vkResetCommandBuffer", "VUID-vkResetCommandBuffer-commandBuffer-00045"},
                       kBuffer, numberOf(buffer), found);
    check.beginRecording(buffer);
  });
  return icd::vkResetCommandBuffer(buffer, flags);
}

void vkCmdExecuteCommands(VkCommandBuffer buffer, uint32_t count,
                          const VkCommandBuffer* secondaries) {
  ApiCheck& check = apiCheckOf(buffer);
  check.with([&](Findings&) {
    Recording& recording = check.recordingOf(buffer);
    auto how = describeCommand("vkCmdExecuteCommands", *CommandBuffer::from(buffer), recording,
                               check.objects());
    for (VkCommandBuffer secondary : std::span(secondaries, count))
      check.execute(recording, secondary, how);
  });
  icd::vkCmdExecuteCommands(buffer, count, secondaries);
}

void vkCmdBindPipeline(VkCommandBuffer buffer, VkPipelineBindPoint bind_point,
                       VkPipeline pipeline) {
  if (bind_point == VK_PIPELINE_BIND_POINT_COMPUTE)
    bindProgram(buffer, "vkCmdBindPipeline", VK_OBJECT_TYPE_PIPELINE, numberOf(pipeline));
  icd::vkCmdBindPipeline(buffer, bind_point, pipeline);
}

void vkCmdBindShadersEXT(VkCommandBuffer buffer, uint32_t count,
                         const VkShaderStageFlagBits* stages, const VkShaderEXT* shaders) {
  for (uint32_t i = 0; i < count; ++i)
    if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT)
      bindProgram(buffer, "vkCmdBindShadersEXT", VK_OBJECT_TYPE_SHADER_EXT,
                  shaders != nullptr ? numberOf(shaders[i]) : 0);
  icd::vkCmdBindShadersEXT(buffer, count, stages, shaders);
}

void vkCmdPushConstants(VkCommandBuffer buffer, VkPipelineLayout layout, VkShaderStageFlags stages,
                        uint32_t offset, uint32_t size, const void* values) {
  push(buffer, layout, stages, offset, size);
  icd::vkCmdPushConstants(buffer, layout, stages, offset, size, values);
}

void vkCmdPushConstants2KHR(VkCommandBuffer buffer, const VkPushConstantsInfo* info) {
  push(buffer, info->layout, info->stageFlags, info->offset, info->size);
  icd::vkCmdPushConstants2KHR(buffer, info);
}

void vkCmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  checkDispatch(buffer, "vkCmdDispatch");
  icd::vkCmdDispatch(buffer, x, y, z);
}

void vkCmdDispatchBase(VkCommandBuffer buffer, uint32_t base_x, uint32_t base_y, uint32_t base_z,
                       uint32_t x, uint32_t y, uint32_t z) {
  checkDispatch(buffer, "vkCmdDispatchBase");
  icd::vkCmdDispatchBase(buffer, base_x, base_y, base_z, x, y, z);
}

void vkCmdDispatchIndirect(VkCommandBuffer buffer, VkBuffer indirect, VkDeviceSize offset) {
  constexpr const char* kName = "vkCmdDispatchIndirect";
  checkDispatch(buffer, kName);
  apiCheckOf(buffer).accessBuffer(buffer, kName, indirect, offset,
                                  sizeof(VkDispatchIndirectCommand), false);
  icd::vkCmdDispatchIndirect(buffer, indirect, offset);
}

void vkCmdDispatchIndirect2KHR(VkCommandBuffer buffer, const VkDispatchIndirect2InfoKHR* info) {
  checkDispatch(buffer, "vkCmdDispatchIndirect2KHR");
  icd::vkCmdDispatchIndirect2KHR(buffer, info);
}

}  // namespace icd::checked
