// SPDX-License-Identifier: Apache-2.0

// Loops with a small constant trip count, unrolled fully.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class Loop;
}

namespace jit {

// Those that are wanted, inner ones first. `is_wanted` may ask `analyses`. Returns whether there
// were any.
bool unrollLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                 llvm::function_ref<bool(llvm::Loop&)> is_wanted);

// Those in which the address of a local array's element changes from iteration to iteration, so
// that the array's elements become values: the loops over the tiles that a subgroup holds above
// all. And those that run once. Other loops, a product's loop over K among them, stay loops; so
// does one around a loop that walks over the array itself and stays.
bool unrollLoopsOverLocalArrays(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit
