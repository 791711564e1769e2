// SPDX-License-Identifier: Apache-2.0

#include "icd/pipeline_request.h"

#include <span>

#include "icd/chain.h"
#include "icd/shader_module.h"
#include "jit/base/debug.h"
#include "jit/base/profile.h"
#include "runtime/printable.h"

namespace icd {
namespace {

std::vector<jit::Specialization> specializationsOf(const VkSpecializationInfo* info) {
  std::vector<jit::Specialization> result;
  if (info == nullptr) return result;
  std::span data(static_cast<const std::byte*>(info->pData), info->dataSize);
  for (const VkSpecializationMapEntry& entry : std::span(info->pMapEntries, info->mapEntryCount)) {
    if (entry.offset > data.size() || entry.size > data.size() - entry.offset) continue;
    result.push_back({.id = entry.constantID, .value = data.subspan(entry.offset, entry.size)});
  }
  return result;
}

uint32_t subgroupSizeOf(const Device& device, const void* chain) {
  auto* required = findInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  if (required != nullptr) return required->requiredSubgroupSize;
  return device.physical_device.properties.v11.subgroupSize;
}

bool isRobust(VkPipelineRobustnessBufferBehavior behavior, bool device_default) {
  switch (behavior) {
    case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT:
      return device_default;
    case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED:
      return false;
    default:
      return true;
  }
}

// What the stage says wins over what the pipeline says (VK_EXT_pipeline_robustness).
const VkPipelineRobustnessCreateInfo* robustnessOf(const VkComputePipelineCreateInfo& info) {
  constexpr auto kType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO;
  auto* stage = findInChain<VkPipelineRobustnessCreateInfo>(info.stage.pNext, kType);
  return stage != nullptr ? stage : findInChain<VkPipelineRobustnessCreateInfo>(info.pNext, kType);
}

// Of the module, or of what the stage brings along instead (VK_KHR_maintenance5); else none.
std::span<const uint32_t> wordsOf(const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) return ShaderModule::from(stage.module)->words;
  auto* info = findInChain<VkShaderModuleCreateInfo>(stage.pNext,
                                                     VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (info == nullptr) return {};
  return {info->pCode, info->codeSize / sizeof(uint32_t)};
}

// The name for messages and dumps: of the stage, else of the module.
std::string nameOf(const VkPipelineShaderStageCreateInfo& stage) {
  auto* info = findInChain<VkDebugUtilsObjectNameInfoEXT>(
      stage.pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
  if (info != nullptr && info->pObjectName != nullptr) return info->pObjectName;
  return stage.module != VK_NULL_HANDLE ? ShaderModule::from(stage.module)->name : "";
}

}  // namespace

rt::CheckSet instrumentationOf(const Device& device) {
  rt::CheckSet all;
  if (device.coverage != nullptr) all.add(jit::kCoverage);
  if (device.profile != nullptr) all.add(jit::kCountProducts);
  if (device.physical_device.instance.config.debug == rt::Debugging::On) all.add(jit::kDebug);
  return all;
}

PipelineRequest::PipelineRequest(Device& device, const void* chain, const char* entry_point,
                                 const VkSpecializationInfo* specialization,
                                 const VkPipelineRobustnessCreateInfo* robustness)
    : specializations_(specializationsOf(specialization)) {
  kernel_.entry_point = entry_point;
  kernel_.specializations = specializations_;
  kernel_.subgroup_size = subgroupSizeOf(device, chain);
  kernel_.component_layout = device.physical_device.component_layout;
  kernel_.matrices = device.physical_device.matrices();
  bool robust = device.options.robust_buffer_access;
  kernel_.robust_storage_buffers = robust;
  kernel_.robust_uniform_buffers = robust;
  if (robustness != nullptr) {
    kernel_.robust_storage_buffers = isRobust(robustness->storageBuffers, robust);
    kernel_.robust_uniform_buffers = isRobust(robustness->uniformBuffers, robust);
  }
  kernel_.robust_variables = kernel_.robust_storage_buffers;
  asks_for_robust_storage_ = kernel_.robust_storage_buffers;
  const bool asks_for_robust_uniform = kernel_.robust_uniform_buffers;
  // A null descriptor is an empty range, and the test of the range is that for null.
  kernel_.robust_storage_buffers |= device.options.null_descriptor;
  kernel_.robust_uniform_buffers |= device.options.null_descriptor;
  const rt::Config& config = device.physical_device.instance.config;
  kernel_.checks = config.check;
  if (kernel_.checks.any()) {
    kernel_.memory_check = {.storage_buffers = !asks_for_robust_storage_,
                            .uniform_buffers = !asks_for_robust_uniform,
                            .null_descriptors = !device.options.null_descriptor,
                            .carries_out = config.check_action == rt::CheckAction::Report};
    if (config.check_uninit.any()) kernel_.undefined_decisions = config.check_uninit;
    kernel_.robust_storage_buffers = kernel_.robust_uniform_buffers = true;
    kernel_.robust_variables = true;
  }
  kernel_.checks = rt::CheckSet(kernel_.checks.bits() | instrumentationOf(device).bits());
}

PipelineRequest::PipelineRequest(Device& device, const VkComputePipelineCreateInfo& info)
    : PipelineRequest(device, info.stage.pNext, info.stage.pName, info.stage.pSpecializationInfo,
                      robustnessOf(info)) {
  kernel_.spirv = wordsOf(info.stage);
  kernel_.bindings = PipelineLayout::from(info.layout)->bindings;
  kernel_.require_full_subgroups =
      (info.stage.flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT) != 0;
  const auto* flags = findInChain<VkPipelineCreateFlags2CreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  kernel_.large_buffers =
      flags != nullptr && (flags->flags & VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT) != 0;
  kernel_.name = rt::printable(nameOf(info.stage));
}

PipelineRequest::PipelineRequest(Device& device, const VkShaderCreateInfoEXT& info,
                                 std::span<const uint32_t> words, const PipelineLayout& layout)
    : PipelineRequest(device, info.pNext, info.pName, info.pSpecializationInfo, nullptr) {
  kernel_.spirv = words;
  kernel_.bindings = layout.bindings;
  kernel_.require_full_subgroups =
      (info.flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT) != 0;
  kernel_.large_buffers = (info.flags & VK_SHADER_CREATE_64_BIT_INDEXING_BIT_EXT) != 0;
}

}  // namespace icd
