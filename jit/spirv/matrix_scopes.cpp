// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/matrix_scopes.h"

#include <algorithm>
#include <bit>

#include "jit/base/error.h"
#include "jit/matrix/shapes.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

std::string sizeOf(const Module& module) {
  const auto& [x, y, z] = module.workgroup_size;
  return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
}

// VUID-VkPipelineShaderStageCreateInfo-module-08987. The rule is about the size in x; what a matrix
// needs is that the last subgroup is full, because invocations that are not there hold components.
llvm::Error checkSubgroupScope(Module& module, uint32_t subgroup_size) {
  const auto& [x, y, z] = module.workgroup_size;
  if (x % subgroup_size == 0 || !usesMatrices(module, spv::Scope::Subgroup))
    return llvm::Error::success();
  const std::string rule =
      "the size in x must be a multiple of the subgroup size, " + std::to_string(subgroup_size) +
      ", where there are matrices of scope Subgroup "
      "(VUID-VkPipelineShaderStageCreateInfo-module-08987): change it, or require another subgroup "
      "size";
  if (uint64_t{x} * y * z % subgroup_size != 0)
    return malformed("the last subgroup of a workgroup of " + sizeOf(module) +
                     " is not full and cannot hold a matrix; " + rule);
  module.warnings.push_back("a workgroup of " + sizeOf(module) +
                            " works here, because all of its subgroups are full, but may not on "
                            "other devices; " +
                            rule);
  return llvm::Error::success();
}

// VUID-VkPipelineShaderStageCreateInfo-module-10169.
llvm::Error checkWorkgroupScope(const Module& module, uint32_t subgroup_size,
                                uint32_t max_workgroup) {
  const auto& [x, y, z] = module.workgroup_size;
  const uint64_t invocations = uint64_t{x} * y * z;
  if (x % subgroup_size == 0 && invocations <= max_workgroup &&
      std::has_single_bit(invocations / subgroup_size))
    return llvm::Error::success();
  if (!usesMatrices(module, spv::Scope::Workgroup)) return llvm::Error::success();
  return malformed("a workgroup of " + sizeOf(module) +
                   " cannot hold matrices of scope Workgroup: its size in x must be a multiple of "
                   "the subgroup size, " +
                   std::to_string(subgroup_size) +
                   ", and the number of its invocations a power of two times that, at most " +
                   std::to_string(max_workgroup) +
                   " (VUID-VkPipelineShaderStageCreateInfo-module-10169)");
}

}  // namespace

bool usesMatrices(const Module& module, spv::Scope scope) {
  auto variableHolds = [&](const Variable& variable) {
    return holdsMatrix(variable.type->element, scope);
  };
  if (std::ranges::any_of(module.entry.variables, variableHolds) ||
      std::ranges::any_of(module.variables, variableHolds))
    return true;
  auto instructionHolds = [&](const Instruction& i) {
    if (i.type != nullptr) return holdsMatrix(i.type, scope);
    // A constant may go from nowhere else to memory.
    return std::ranges::any_of(valueOperands(i), [&](Id id) {
      const Constant* constant = module.constant(id);
      return constant != nullptr && holdsMatrix(constant->type, scope);
    });
  };
  return std::ranges::any_of(module.entry.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.instructions, instructionHolds);
  });
}

llvm::Error checkMatrixScopes(Module& module, const KernelRequest& request) {
  const uint32_t max_workgroup = request.tables().max_workgroup;
  if (llvm::Error error = checkWorkgroupScope(module, request.subgroup_size, max_workgroup))
    return error;
  return checkSubgroupScope(module, request.subgroup_size);
}

}  // namespace jit::spirv
