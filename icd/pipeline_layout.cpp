// SPDX-License-Identifier: Apache-2.0

#include "icd/pipeline_layout.h"

#include <span>

#include "icd/device.h"
#include "icd/entrypoints.h"
#include "icd/guarded.h"

namespace icd {
namespace {

jit::DescriptorKind kindOf(VkDescriptorType type) {
  if (isInline(type)) return jit::DescriptorKind::InlineUniformBlock;
  bool uniform = type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                 type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  return uniform ? jit::DescriptorKind::UniformBuffer : jit::DescriptorKind::StorageBuffer;
}

// A set may have no layout (VK_NULL_HANDLE): then nothing of it is used.
std::shared_ptr<const DescriptorLayout> layoutOf(VkDescriptorSetLayout handle) {
  return handle != VK_NULL_HANDLE ? DescriptorSetLayout::from(handle)->layout : nullptr;
}

uint64_t dynamicCount(const VkPipelineLayoutCreateInfo& info) {
  uint64_t count = 0;
  for (VkDescriptorSetLayout handle : std::span(info.pSetLayouts, info.setLayoutCount)) {
    if (auto layout = layoutOf(handle)) count += layout->dynamic_count;
  }
  return count;
}

}  // namespace

const char* obstacle(const Device& device, const VkPipelineLayoutCreateInfo& info) {
  const VkPhysicalDeviceLimits& limits = device.physical_device.properties.v10.properties.limits;
  if (info.setLayoutCount > limits.maxBoundDescriptorSets)
    return "more sets than maxBoundDescriptorSets";
  if (dynamicCount(info) > rt::kMaxDynamicBuffers)
    return "more dynamic buffers than maxDescriptorSetTotalBuffersDynamic";
  for (const VkPushConstantRange& range :
       std::span(info.pPushConstantRanges, info.pushConstantRangeCount)) {
    if (range.offset > limits.maxPushConstantsSize ||
        range.size > limits.maxPushConstantsSize - range.offset)
      return "push constants beyond maxPushConstantsSize";
  }
  return nullptr;
}

PipelineLayout::PipelineLayout(const VkPipelineLayoutCreateInfo& info)
    : push_constants(info.pPushConstantRanges,
                     info.pPushConstantRanges + info.pushConstantRangeCount) {
  uint32_t next_dynamic = 0;
  for (uint32_t set = 0; set < info.setLayoutCount; ++set) {
    const auto& layout = sets[set] = layoutOf(info.pSetLayouts[set]);
    if (layout == nullptr) continue;
    dynamic_ranges[set] = {.first = next_dynamic, .count = layout->dynamic_count};
    for (const DescriptorBinding& binding : layout->bindings) {
      if (binding.count == 0) continue;
      bindings.push_back(
          {.set = set,
           .binding = binding.binding,
           .kind = kindOf(binding.type),
           .count = binding.count,
           .offset = binding.offset,
           .dynamic_index = isDynamic(binding.type)
                                ? static_cast<int32_t>(next_dynamic + binding.first_dynamic)
                                : -1});
    }
    next_dynamic += layout->dynamic_count;
  }
}

VkResult vkCreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                const VkAllocationCallbacks*, VkPipelineLayout* layout) {
  if (const char* reason = obstacle(*Device::from(device), *info)) {
    return failCommand<VkResult>("vkCreatePipelineLayout", reason, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                 device);
  }
  return createObject<PipelineLayout>(layout, *info);
}

void vkDestroyPipelineLayout(VkDevice, VkPipelineLayout layout, const VkAllocationCallbacks*) {
  destroyObject<PipelineLayout>(layout);
}

}  // namespace icd
