// SPDX-License-Identifier: Apache-2.0

// Masked accesses of wide streams on machines without such instructions.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// LLVM makes a branch for each lane of a masked access that the machine lacks. That is fine for
// a subgroup's, but code generation takes minutes for hundreds of them side by side; those with
// more than `most_branches` lanes become loops. True if there were any.
bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine,
                          unsigned most_branches = 64);

}  // namespace jit::simt
