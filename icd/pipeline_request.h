// SPDX-License-Identifier: Apache-2.0

// What a VkComputePipelineCreateInfo or VkShaderCreateInfoEXT asks of the compiler.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icd/device.h"
#include "icd/pipeline_layout.h"
#include "jit/compiler.h"

namespace icd {

// What kernels of the device do besides what their shaders say, beside checks: they are compiled
// for it, and differ from others in it.
rt::CheckSet instrumentationOf(const Device& device);

// Owns what its kernel() refers to, besides the create info and its objects.
class PipelineRequest {
 public:
  PipelineRequest(Device& device, const VkComputePipelineCreateInfo& info);
  // Of a shader object whose code are the SPIR-V `words`.
  PipelineRequest(Device& device, const VkShaderCreateInfoEXT& info,
                  std::span<const uint32_t> words, const PipelineLayout& layout);

  const jit::KernelRequest& kernel() const { return kernel_; }
  // Of the pipeline, or of the device for it: whatever checks and null descriptors make of that.
  bool asksForRobustStorage() const { return asks_for_robust_storage_; }

 private:
  // What both have. `chain` is the pNext of the stage.
  PipelineRequest(Device& device, const void* chain, const char* entry_point,
                  const VkSpecializationInfo* specialization,
                  const VkPipelineRobustnessCreateInfo* robustness);

  std::vector<jit::Specialization> specializations_;
  jit::KernelRequest kernel_;
  bool asks_for_robust_storage_ = false;
};

}  // namespace icd
