// SPDX-License-Identifier: Apache-2.0

// The parts of an instruction that a subgroup's invocations carry out together.
// Source: SPIR-V Specification, 3.52.21 "Group and Subgroup Instructions" and 3.52.24 "Non-Uniform
// Instructions"; SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote, SPV_KHR_subgroup_rotate,
// SPV_KHR_quad_control, SPV_EXT_shader_subgroup_partitioned.
#pragma once

#include <optional>

#include "jit/spirv/module.h"

namespace jit::spirv {

// The scope is left out: Vulkan allows none but Subgroup (VUID-StandaloneSpirv-None-04642, which
// the validator checks).
struct GroupInstruction {
  Id value = 0;      // what each invocation brings; 0: nothing (OpGroupNonUniformElect)
  Id selector = 0;   // id, mask, delta, index or direction; 0: none
  Id partition = 0;  // cluster size, or each invocation's ballot; 0: the whole subgroup
  spv::GroupOperation operation = spv::GroupOperation::Reduce;
};

// nullopt for other instructions, and for those with too few operands.
std::optional<GroupInstruction> groupInstruction(const Instruction& instruction);

// Lanes of a cluster: all of the subgroup's where the instruction names no size, or a larger one.
// Malformed when the size is no constant power of two.
llvm::Expected<uint32_t> clusterSize(const Module& module, const Instruction& instruction,
                                     uint32_t subgroup_size);

}  // namespace jit::spirv
