// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "tests/support/vulkan_host.h"

namespace host {

ComputePipeline::ComputePipeline(const Device& device, const PipelineDescription& description)
    : device_(device) {
  const Functions& functions = device.functions();
  try {
    VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module.codeSize = description.spirv.size_bytes();
    module.pCode = description.spirv.data();
    check(functions.vkCreateShaderModule(device.handle(), &module, nullptr, &module_),
          "vkCreateShaderModule");

    uint32_t sets = 0;
    for (const Binding& binding : description.bindings) sets = std::max(sets, binding.set + 1);
    for (uint32_t set = 0; set < sets; ++set) {
      std::vector<VkDescriptorSetLayoutBinding> bindings;
      for (const Binding& binding : description.bindings) {
        if (binding.set != set) continue;
        bindings.push_back(
            {binding.binding, binding.type, binding.count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
      }
      VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
      layout.bindingCount = static_cast<uint32_t>(bindings.size());
      layout.pBindings = bindings.data();
      VkDescriptorSetLayout handle;
      check(functions.vkCreateDescriptorSetLayout(device.handle(), &layout, nullptr, &handle),
            "vkCreateDescriptorSetLayout");
      set_layouts_.push_back(handle);
    }
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, description.push_bytes};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = sets;
    layout.pSetLayouts = set_layouts_.data();
    layout.pushConstantRangeCount = description.push_bytes != 0;
    layout.pPushConstantRanges = &push;
    check(functions.vkCreatePipelineLayout(device.handle(), &layout, nullptr, &layout_),
          "vkCreatePipelineLayout");

    std::vector<VkSpecializationMapEntry> entries;
    std::vector<std::byte> data;
    for (const SpecializationEntry& entry : description.specializations) {
      entries.push_back({entry.id, static_cast<uint32_t>(data.size()), entry.bytes});
      data.resize(data.size() + entry.bytes);
      std::memcpy(data.data() + entries.back().offset, &entry.value, entry.bytes);
    }
    const VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(),
                                              data.size(), data.data()};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup_size{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
    subgroup_size.requiredSubgroupSize = description.subgroup_size;
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    if (description.subgroup_size != 0) info.stage.pNext = &subgroup_size;
    if (description.full_subgroups) {
      info.stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module_;
    info.stage.pName = description.entry_point.c_str();
    if (!entries.empty()) info.stage.pSpecializationInfo = &specialization;
    info.layout = layout_;
    VkPipelineRobustnessCreateInfo robustness{VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO};
    robustness.storageBuffers = robustness.uniformBuffers =
        VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
    if (description.robust) info.pNext = &robustness;
    // dispatchBase needs this flag, and it costs nothing.
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
    if (description.statistics && functions.vkGetPipelineExecutableStatisticsKHR != nullptr)
      info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    check(functions.vkCreateComputePipelines(device.handle(), VK_NULL_HANDLE, 1, &info, nullptr,
                                             &pipeline_),
          "vkCreateComputePipelines");
  } catch (...) {
    destroy();
    throw;
  }
}

void ComputePipeline::destroy() {
  const Functions& functions = device_.functions();
  functions.vkDestroyPipeline(device_.handle(), pipeline_, nullptr);
  functions.vkDestroyPipelineLayout(device_.handle(), layout_, nullptr);
  for (VkDescriptorSetLayout layout : set_layouts_) {
    functions.vkDestroyDescriptorSetLayout(device_.handle(), layout, nullptr);
  }
  functions.vkDestroyShaderModule(device_.handle(), module_, nullptr);
}

ComputePipeline::~ComputePipeline() { destroy(); }

std::map<std::string, uint64_t> ComputePipeline::statistics() const {
  const auto get = device_.functions().vkGetPipelineExecutableStatisticsKHR;
  if (get == nullptr) return {};
  VkPipelineExecutableInfoKHR which{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
  which.pipeline = pipeline_;
  uint32_t count = 0;
  check(get(device_.handle(), &which, &count, nullptr), "vkGetPipelineExecutableStatisticsKHR");
  std::vector<VkPipelineExecutableStatisticKHR> all(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
  check(get(device_.handle(), &which, &count, all.data()), "vkGetPipelineExecutableStatisticsKHR");
  std::map<std::string, uint64_t> values;
  for (const auto& one : all)
    if (one.format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR)
      values[one.name] = one.value.u64;
  return values;
}

}  // namespace host
