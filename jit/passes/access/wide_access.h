// SPDX-License-Identifier: Apache-2.0

// Masked accesses of workgroup-wide streams on machines without such instructions.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// Branches that LLVM may write in a function for the lanes of masked accesses. Generating code for
// one takes up to a millisecond (a Zen 3).
inline constexpr unsigned kMostLaneBranches = 512;

// LLVM makes a branch for each lane of a masked access that the machine lacks, unless the mask is a
// constant. That is fine for some of a subgroup's, but code generation takes minutes for hundreds
// of them side by side. Those with more than `most_branches` lanes become loops. If the others
// together need more than kMostLaneBranches branches, each becomes a call of a function with such a
// loop, one for each type of access. True if anything has changed.
bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine,
                          unsigned most_branches = 64);

}  // namespace jit::simt
