// SPDX-License-Identifier: Apache-2.0

// Operations on parts of a subgroup that are known when it runs.
// Source: SPV_EXT_shader_subgroup_partitioned.
#pragma once

#include "jit/emit/group_arithmetic.h"

namespace jit::spirv {

bool isPartitioned(spv::GroupOperation operation);

// `combination` in each part alone. Each invocation brings its part's members as a ballot.
llvm::Error emitPartitioned(Emission& e, const Instruction& i, GroupCombination combination);

}  // namespace jit::spirv
