// Cooperative matrices that a whole workgroup holds.
// Source: Vulkan Specification, VK_NV_cooperative_matrix2.
#pragma once

#include <llvm/Support/Error.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Whether the entry point's code has matrices of Workgroup scope.
bool usesWorkgroupScope(const Module& module);

// Malformed when it has, and its workgroups must not, with the rule.
llvm::Error checkWorkgroupScope(const Module& module, uint32_t subgroup_size);

}  // namespace jit::spirv
