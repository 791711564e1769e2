// Masked accesses of wide streams on machines without such instructions.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// LLVM makes a branch for each lane of a masked access that the machine lacks. That is fine for
// a subgroup's, but code generation takes minutes for hundreds of them side by side; those with
// more than 64 lanes become loops. True if there were any.
bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine);

}  // namespace jit::simt
