// VkPipeline: a compiled kernel, and how its arguments are gathered.
#pragma once

#include <array>
#include <memory>

#include "icd/handles.h"
#include "icd/pipeline_layout.h"
#include "runtime/kernel.h"

namespace icd {

struct Pipeline : NonDispatchable<Pipeline, VkPipeline> {
  Pipeline(std::shared_ptr<const rt::KernelImage> kernel, const PipelineLayout& layout)
      : kernel(std::move(kernel)), dynamic_ranges(layout.dynamic_ranges) {}

  const std::shared_ptr<const rt::KernelImage> kernel;  // commands share it
  const std::array<DynamicRange, rt::kMaxDescriptorSets> dynamic_ranges;
};

}  // namespace icd
