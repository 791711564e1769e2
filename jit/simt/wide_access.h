// SPDX-License-Identifier: Apache-2.0

// Masked accesses of wide streams on machines without such instructions.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// Lanes of masked accesses that LLVM may write out in a function.
inline constexpr unsigned kMostLaneBranches = 1024;

// LLVM makes a branch for each lane of a masked access that the machine lacks. That is fine for
// some of a subgroup's, but code generation takes minutes for hundreds of them side by side: those
// with more than `most_branches` lanes become loops, and if all together have more than
// kMostLaneBranches, each becomes a call of a function with such a loop, one for each type of
// access. True if there were any.
bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine,
                          unsigned most_branches = 64);

}  // namespace jit::simt
