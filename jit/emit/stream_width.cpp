// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/stream_width.h"

#include <llvm/ADT/STLExtras.h>

#include "jit/emit/live_bits.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/matrix_scopes.h"

namespace jit::spirv {

namespace {

// Registers of a 32-bit value in a stream that no longer waits for each result.
constexpr uint64_t kEnoughRegisters = 4;

// From which on code without loops waits longer for results than for memory.
constexpr unsigned kManyOperations = 16;

// Rows of a workgroup beside each other in a stream: accesses in shorter ones are gathers.
constexpr uint32_t kMostRows = 4;

bool isOfSubgroups(spv::BuiltIn builtin) {
  switch (builtin) {
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::SubgroupId:
    case spv::BuiltIn::SubgroupLocalInvocationId:
    case spv::BuiltIn::SubgroupEqMask:
    case spv::BuiltIn::SubgroupGeMask:
    case spv::BuiltIn::SubgroupGtMask:
    case spv::BuiltIn::SubgroupLeMask:
    case spv::BuiltIn::SubgroupLtMask:
      return true;
    default:
      return false;
  }
}

bool isOfSubgroups(const Module& module, const Instruction& i) {
  if (groupInstruction(i)) return true;
  if (i.op != spv::Op::OpControlBarrier) return false;
  const Constant* scope = i.operands.empty() ? nullptr : module.constant(i.operands[0]);
  return scope == nullptr || scope->leaves.size() != 1 ||
         scope->leaves[0] != static_cast<uint32_t>(spv::Scope::Workgroup);
}

uint32_t streamWidth(const Module& module, uint32_t subgroup_size) {
  if (!usesMatrices(module, spv::Scope::Workgroup)) return subgroup_size;
  const auto [x, y, z] = module.workgroup_size;
  return (x * y * z + subgroup_size - 1) / subgroup_size * subgroup_size;
}

// Whether invocations can tell which others are in their subgroup.
bool seesSubgroups(const Module& module) {
  if (module.derivative_group != DerivativeGroup::None ||
      usesMatrices(module, spv::Scope::Subgroup) || usesMatrices(module, spv::Scope::Workgroup))
    return true;
  for (const Variable& v : module.variables) {
    const auto& builtin = module.decorated(v.id).builtin;
    if (builtin && isOfSubgroups(*builtin)) return true;
  }
  return llvm::any_of(module.entry.blocks, [&](const Block& block) {
    return llvm::any_of(block.instructions,
                        [&](const Instruction& i) { return isOfSubgroups(module, i); });
  });
}

// Whether the streams of a kernel that cannot tell should have `wider` invocations.
bool gainsFrom(uint32_t wider, const Module& module, const StreamPlan& plan, const Target& target) {
  const auto [columns, rows, planes] = module.workgroup_size;
  const uint64_t registers_of_value = uint64_t{wider} * sizeof(uint32_t) / target.vector_bytes;
  const bool in_rows = columns % wider == 0;
  if (registers_of_value > kEnoughRegisters || uint64_t{columns} * rows * planes % wider != 0 ||
      !(in_rows || (wider % columns == 0 && wider / columns <= kMostRows)))
    return false;
  const auto live = liveBits(module, *plan.linearization, *plan.uniformity);
  if (!live || live->is_masked) return false;
  if (!live->has_loops && !(in_rows && live->operations >= kManyOperations)) return false;
  const uint64_t registers = vectorRegisters(target.vector_bytes);
  return live->most * wider / 8 <= registers * target.vector_bytes;
}

StreamPlan planFor(const Module& module, const Structure& structure,
                   const simt::WorkgroupShape& shape) {
  StreamPlan plan{.width = shape.stream_size, .subgroup_size = shape.subgroup_size};
  plan.linearization = std::make_unique<simt::Linearization>(module.entry, structure);
  plan.uniformity = std::make_unique<simt::UniformityAnalysis>(module, shape, *plan.linearization);
  return plan;
}

bool losesSteps(const Module& module, const simt::UniformityAnalysis& wide,
                const simt::UniformityAnalysis& own) {
  auto loses = [&](const Instruction& i) {
    if (i.result == 0 || i.type == nullptr || !own.hasShapes(i) ||
        !(wide.escapesLoop(i.result) || own.escapesLoop(i.result)))
      return false;
    for (uint32_t k = 0; k < i.type->leaves(); ++k)
      if (own.shape(i.result, k).runtime != 0) return true;
    return false;
  };
  return llvm::any_of(module.entry.blocks,
                      [&](const Block& block) { return llvm::any_of(block.instructions, loses); });
}

}  // namespace

StreamPlan planStream(const Module& module, const Structure& structure, uint32_t subgroup_size,
                      coopmat::Mapping components, const Target& target) {
  simt::WorkgroupShape shape{module.workgroup_size, subgroup_size};
  shape.counts_components = components == coopmat::Mapping::Native;
  StreamPlan own = planFor(module, structure, shape);
  shape.stream_size = streamWidth(module, subgroup_size);
  if (shape.stream_size > subgroup_size) {
    StreamPlan plan = planFor(module, structure, shape);
    plan.regions = simt::planRegions(module, {*plan.linearization, *plan.uniformity},
                                     {*own.linearization, *own.uniformity});
    // To debuggers a variable is the stream's, wherever it is used.
    if (module.debug.is_wanted)
      for (simt::SubgroupRegion& region : plan.regions) region.variables.clear();
    plan.loses_steps = losesSteps(module, *plan.uniformity, *own.uniformity);
    plan.subgroup_linearization = std::move(own.linearization);
    plan.subgroup_uniformity = std::move(own.uniformity);
    return plan;
  }
  const uint32_t wider = 2 * subgroup_size;
  if (module.debug.is_wanted || seesSubgroups(module) || !gainsFrom(wider, module, own, target))
    return own;
  shape.subgroup_size = shape.stream_size = wider;
  return planFor(module, structure, shape);
}

}  // namespace jit::spirv
