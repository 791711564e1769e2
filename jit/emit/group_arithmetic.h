// SPDX-License-Identifier: Apache-2.0

// Values of many invocations combined by one operation.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

// What a group operation computes of the values that take part.
enum class GroupShape : uint8_t {
  Reduce,         // all combined
  InclusiveScan,  // for each invocation: those up to its own
  ExclusiveScan,  // for each invocation: those below it
};

struct GroupCombination {
  spv::Op op;  // OpGroupNonUniformIAdd to OpGroupNonUniformLogicalXor
  GroupShape shape;
  uint32_t cluster;     // of Reduce: lanes that are combined, a power of two up to the width
  llvm::Value* active;  // who takes part: <width x i1>; null: all
};

// `leaf` is an LLVM scalar, when all of those who take part bring the same, or a vector. The
// result is a scalar when it is the same for all of them: of a Reduce of the whole subgroup it
// always is. What it holds for others is anything, but not poison.
llvm::Value* combineLanes(Emission& e, const GroupCombination& combination, llvm::Value* leaf);

}  // namespace jit::spirv
