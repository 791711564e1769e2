// SPDX-License-Identifier: Apache-2.0

// VkPipelineLayout: set layouts, and where each set's dynamic offsets go.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "icd/descriptor_layout.h"
#include "icd/handles.h"
#include "jit/compiler.h"
#include "runtime/kernel_abi.h"

namespace icd {

struct Device;

// Dynamic offsets of one set in rt::DispatchArgs::dynamic_offsets.
struct DynamicRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

// Why such a layout cannot be made, or null.
const char* obstacle(const Device& device, const VkPipelineLayoutCreateInfo& info);

struct PipelineLayout : NonDispatchable<PipelineLayout, VkPipelineLayout> {
  explicit PipelineLayout(const VkPipelineLayoutCreateInfo& info);

  std::vector<jit::BindingLayout> bindings;                                          // of all sets
  std::array<std::shared_ptr<const DescriptorLayout>, rt::kMaxDescriptorSets> sets;  // null: unused
  std::array<DynamicRange, rt::kMaxDescriptorSets> dynamic_ranges;
  std::vector<VkPushConstantRange> push_constants;
};

}  // namespace icd
