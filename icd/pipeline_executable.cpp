// SPDX-License-Identifier: Apache-2.0

// VK_KHR_pipeline_executable_properties: each pipeline is one executable, its kernel. Statistics
// are there whether they were asked for or not.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "icd/entrypoints.h"
#include "icd/enumerate.h"
#include "icd/pipeline.h"

namespace icd {
namespace {

void put(std::string_view text, char (&destination)[VK_MAX_DESCRIPTION_SIZE]) {
  destination[text.copy(destination, VK_MAX_DESCRIPTION_SIZE - 1)] = '\0';
}

struct Statistic {
  std::string_view name, description;
  uint64_t value;
};

// By what its file would be called; see docs/architecture/passes.md for the stages.
std::string_view describe(std::string_view extension) {
  if (extension == "spvasm") return "The module as it was given, as SPIR-V text";
  if (extension == "ll") return "LLVM IR after this stage of the compiler";
  if (extension == "s") return "The machine code, as assembly";
  return "What this stage of the compiler found out";
}

// Of a text that ends with a zero; what does not fit is cut off.
VkResult copyText(const std::string& text, size_t& size, void* data) {
  const size_t bytes = text.size() + 1;
  if (data == nullptr) {
    size = bytes;
    return VK_SUCCESS;
  }
  const bool fits = size >= bytes;
  if (fits) size = bytes;
  std::memcpy(data, text.c_str(), size);
  return fits ? VK_SUCCESS : VK_INCOMPLETE;
}

}  // namespace

VkResult vkGetPipelineExecutablePropertiesKHR(VkDevice, const VkPipelineInfoKHR* info,
                                              uint32_t* count,
                                              VkPipelineExecutablePropertiesKHR* properties) {
  const jit::Kernel* only[] = {Pipeline::from(info->pipeline)->executable.kernel.get()};
  return enumerate(only, count, properties,
                   [](VkPipelineExecutablePropertiesKHR& to, const jit::Kernel* kernel) {
                     to.stages = VK_SHADER_STAGE_COMPUTE_BIT;
                     put("compute", to.name);
                     std::snprintf(to.description, sizeof to.description,
                                   "workgroups of %u x %u x %u invocations",
                                   kernel->workgroup_size[0], kernel->workgroup_size[1],
                                   kernel->workgroup_size[2]);
                     to.subgroupSize = kernel->subgroup_size;
                   });
}

VkResult vkGetPipelineExecutableStatisticsKHR(VkDevice, const VkPipelineExecutableInfoKHR* info,
                                              uint32_t* count,
                                              VkPipelineExecutableStatisticKHR* statistics) {
  const jit::Kernel& kernel = *Pipeline::from(info->pipeline)->executable.kernel;
  const auto [x, y, z] = kernel.workgroup_size;
  const uint64_t invocations = uint64_t{x} * y * z;
  std::vector<Statistic> all = {
      {"Code", "Bytes of machine code", kernel.code_bytes},
      {"Shared memory", "Bytes of a workgroup's shared memory", kernel.shared_bytes},
      {"Scratch", "Bytes for variables, matrices and what lives across barriers, of a workgroup",
       kernel.scratch_bytes},
      {"Subgroups", "Of a workgroup",
       (invocations + kernel.subgroup_size - 1) / kernel.subgroup_size}};
  for (size_t kind = 0; kind < kernel.remarks.size(); ++kind)
    all.push_back({jit::kRemarkRows[kind].name, jit::kRemarkRows[kind].what, kernel.remarks[kind]});
  return enumerate(all, count, statistics,
                   [](VkPipelineExecutableStatisticKHR& to, const Statistic& from) {
                     put(from.name, to.name);
                     put(from.description, to.description);
                     to.format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
                     to.value.u64 = from.value;
                   });
}

VkResult vkGetPipelineExecutableInternalRepresentationsKHR(
    VkDevice, const VkPipelineExecutableInfoKHR* info, uint32_t* count,
    VkPipelineExecutableInternalRepresentationKHR* representations) {
  VkResult texts = VK_SUCCESS;
  const VkResult result = enumerate(
      Pipeline::from(info->pipeline)->executable.representations, count, representations,
      [&](VkPipelineExecutableInternalRepresentationKHR& to, const jit::Representation& from) {
        put(from.stage, to.name);
        put(describe(from.extension), to.description);
        to.isText = VK_TRUE;
        if (copyText(from.text, to.dataSize, to.pData) != VK_SUCCESS) texts = VK_INCOMPLETE;
      });
  return result != VK_SUCCESS ? result : texts;
}

}  // namespace icd
