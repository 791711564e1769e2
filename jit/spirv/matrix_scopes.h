// SPDX-License-Identifier: Apache-2.0

// Which invocations hold the cooperative matrices of an entry point, and what workgroups must be
// like for that.
// Source: Vulkan Specification, VkPipelineShaderStageCreateInfo; VK_NV_cooperative_matrix2.
#pragma once

#include <llvm/Support/Error.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Whether the entry point's code has matrices of this scope, Subgroup or Workgroup.
bool usesMatrices(const Module& module, spv::Scope scope);

// Malformed when the entry point has matrices that its workgroups cannot hold, with the rule. A
// rule that is broken without harm becomes one of the module's warnings.
llvm::Error checkMatrixScopes(Module& module, const KernelRequest& request);

}  // namespace jit::spirv
