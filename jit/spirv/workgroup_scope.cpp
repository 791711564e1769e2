#include "jit/spirv/workgroup_scope.h"

#include <algorithm>
#include <bit>

#include "jit/coopmat/shapes.h"
#include "jit/error.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

static bool hasWorkgroupScope(const Type* type) { return holdsMatrix(type, spv::Scope::Workgroup); }

bool usesWorkgroupScope(const Module& module) {
  auto variableHolds = [](const Variable& variable) {
    return hasWorkgroupScope(variable.type->element);
  };
  if (std::ranges::any_of(module.entry.variables, variableHolds) ||
      std::ranges::any_of(module.variables, variableHolds))
    return true;
  auto instructionHolds = [&](const Instruction& i) {
    if (i.type != nullptr) return hasWorkgroupScope(i.type);
    // A constant may go from nowhere else to memory.
    const bool stores = i.op == spv::Op::OpCooperativeMatrixStoreKHR ||
                        i.op == spv::Op::OpCooperativeMatrixStoreTensorNV;
    const Constant* constant = stores ? module.constant(i.operands[1]) : nullptr;
    return constant != nullptr && hasWorkgroupScope(constant->type);
  };
  return std::ranges::any_of(module.entry.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.instructions, instructionHolds);
  });
}

// VUID-VkPipelineShaderStageCreateInfo-module-10169.
llvm::Error checkWorkgroupScope(const Module& module, uint32_t subgroup_size) {
  const auto& [x, y, z] = module.workgroup_size;
  const uint64_t invocations = uint64_t{x} * y * z;
  if (x % subgroup_size == 0 && invocations <= coopmat::kMaxWorkgroupScopeInvocations &&
      std::has_single_bit(invocations / subgroup_size))
    return llvm::Error::success();
  if (!usesWorkgroupScope(module)) return llvm::Error::success();
  return malformed("a workgroup of " + std::to_string(x) + " x " + std::to_string(y) + " x " +
                   std::to_string(z) +
                   " cannot hold matrices of scope Workgroup: its size in x must be a multiple of "
                   "the subgroup size, " +
                   std::to_string(subgroup_size) +
                   ", and the number of its invocations a power of two times that, at most " +
                   std::to_string(coopmat::kMaxWorkgroupScopeInvocations) +
                   " (VUID-VkPipelineShaderStageCreateInfo-module-10169)");
}

}  // namespace jit::spirv
