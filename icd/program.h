// What a dispatch runs: made by a pipeline or a shader object.
#pragma once

#include <array>
#include <memory>
#include <variant>

#include "icd/pipeline_layout.h"
#include "icd/pipeline_request.h"
#include "runtime/kernel.h"

namespace icd {

// A compiled kernel, and how its arguments are gathered.
struct Program {
  const std::shared_ptr<const rt::KernelImage> kernel;  // commands share it
  const std::array<DynamicRange, rt::kMaxDescriptorSets> dynamic_ranges;
};

// Where it fails, it has said why, in the name of `command`.
std::variant<Program, VkResult> compile(const char* command, Device& device,
                                        const PipelineRequest& request,
                                        const PipelineLayout& layout);

}  // namespace icd
