// SPDX-License-Identifier: Apache-2.0

// Commands that change what the next dispatches use.
#include <algorithm>
#include <cstring>
#include <span>

#include "icd/command_buffer.h"
#include "icd/descriptor_set.h"
#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"
#include "icd/pipeline.h"
#include "icd/shader_object.h"

namespace icd {

void vkCmdBindPipeline(VkCommandBuffer buffer, VkPipelineBindPoint bind_point,
                       VkPipeline pipeline) {
  if (bind_point != VK_PIPELINE_BIND_POINT_COMPUTE) {
    return failCommand<void>("vkCmdBindPipeline", "this device has compute pipelines only",
                             VK_ERROR_FEATURE_NOT_PRESENT, buffer);
  }
  CommandBuffer::from(buffer)->state.program = Pipeline::from(pipeline);
}

// Other stages have no shader objects, and unbinding them is nothing.
void vkCmdBindShadersEXT(VkCommandBuffer buffer, uint32_t count,
                         const VkShaderStageFlagBits* stages, const VkShaderEXT* shaders) {
  for (uint32_t i = 0; i < count; ++i) {
    if (stages[i] != VK_SHADER_STAGE_COMPUTE_BIT) continue;
    CommandBuffer::from(buffer)->state.program =
        shaders != nullptr ? ShaderObject::from(shaders[i]) : nullptr;
  }
}

void vkCmdBindDescriptorSets(VkCommandBuffer buffer, VkPipelineBindPoint bind_point,
                             VkPipelineLayout, uint32_t first_set, uint32_t set_count,
                             const VkDescriptorSet* sets, uint32_t dynamic_offset_count,
                             const uint32_t* dynamic_offsets) {
  CommandBuffer::State& state = CommandBuffer::from(buffer)->state;
  if (bind_point != VK_PIPELINE_BIND_POINT_COMPUTE || first_set > state.sets.size() ||
      set_count > state.sets.size() - first_set) {
    return failCommand<void>("vkCmdBindDescriptorSets",
                             "not for compute, or beyond maxBoundDescriptorSets", VK_ERROR_UNKNOWN,
                             buffer);
  }
  std::span offsets(dynamic_offsets, dynamic_offset_count);
  for (uint32_t i = 0; i < set_count; ++i) {
    CommandBuffer::BoundSet& bound = state.sets[first_set + i];
    const DescriptorSet* set = DescriptorSet::from(sets[i]);
    if (set == nullptr) {
      bound = {};
      continue;
    }
    bound.pushed = nullptr;
    bound.memory = set->memory();
    bound.layout = set->layout;
    size_t taken = std::min(
        {size_t{set->layout->dynamic_count}, offsets.size(), bound.dynamic_offsets.size()});
    std::ranges::copy(offsets.first(taken), bound.dynamic_offsets.begin());
    offsets = offsets.subspan(taken);
  }
}

void vkCmdPushConstants(VkCommandBuffer buffer, VkPipelineLayout, VkShaderStageFlags,
                        uint32_t offset, uint32_t size, const void* values) {
  auto& constants = CommandBuffer::from(buffer)->state.push_constants;
  if (offset > constants.size() || size > constants.size() - offset) {
    return failCommand<void>("vkCmdPushConstants", "beyond maxPushConstantsSize", VK_ERROR_UNKNOWN,
                             buffer);
  }
  std::memcpy(constants.data() + offset, values, size);
}

void vkCmdBindDescriptorSets2KHR(VkCommandBuffer buffer, const VkBindDescriptorSetsInfo* info) {
  // Of other stages there is nothing to bind for.
  if ((info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
  vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, info->layout, info->firstSet,
                          info->descriptorSetCount, info->pDescriptorSets, info->dynamicOffsetCount,
                          info->pDynamicOffsets);
}

void vkCmdPushConstants2KHR(VkCommandBuffer buffer, const VkPushConstantsInfo* info) {
  vkCmdPushConstants(buffer, info->layout, info->stageFlags, info->offset, info->size,
                     info->pValues);
}

}  // namespace icd
