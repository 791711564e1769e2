// What a VkComputePipelineCreateInfo asks of the compiler.
#pragma once

#include <vector>

#include "icd/device.h"
#include "jit/compiler.h"

namespace icd {

// Owns what its kernel() refers to, besides the create info and its objects.
class PipelineRequest {
 public:
  PipelineRequest(Device& device, const VkComputePipelineCreateInfo& info);

  const jit::KernelRequest& kernel() const { return kernel_; }

 private:
  std::vector<jit::Specialization> specializations_;
  jit::KernelRequest kernel_;
};

}  // namespace icd
