// SPDX-License-Identifier: Apache-2.0

// Code that some invocations skip, without masks where none of a subgroup does.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace jit::simt {

// `if (i < n) ...` and `if (i >= n) return; ...` hold for all lanes of nearly all subgroups. What
// is behind such a test gets a copy for these, in which the mask is full, where accesses to memory
// cost more under it: those of lanes evenly apart or at constants past a common address, and of
// elements that the machine has no masked access for. So does short code if scalars tell that all
// lanes are live, of which the mask is a good part, with its comparison. Not where code is long,
// has matrix operations or barriers, or is a loop's own test, which runFullLoops looks after.
// What a branch with weights calls unlikely has no copy, but in loops inside: the copy leads to it
// and goes on under the mask from there. What is in a copy is looked at in the same way; what stays
// under a mask is not. Returns how many copies there are.
unsigned runFullRegions(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt
