// SPDX-License-Identifier: Apache-2.0

// Lanes that read what lies side by side in groups of a power of two: rows of a matrix whose width
// is known at run time only, of which a few lanes have one each.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/passes/access/masked_access.h"

namespace jit::simt {

// A gather as one load for each group of lanes, under its part of the mask; null, and nothing is
// made, where groups are too small or too many, or it cannot be told that there are any. Indices
// that are extended must not wrap around within a group.
llvm::Value* loadLaneGroups(llvm::IRBuilderBase& ir, const MaskedAccess& access,
                            const llvm::TargetTransformInfo& machine);

}  // namespace jit::simt
