// Loops that walk over a local array element by element, unrolled, so that the array's elements
// become values: the loops over the tiles that a subgroup holds above all.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit {

// Fully unrolls the loops with a small constant trip count in which the address of a local array's
// element changes from iteration to iteration, inner ones first. Returns whether there were any.
// Other loops, a product's loop over K among them, stay loops; so does one around a loop that walks
// over the array itself and stays.
bool unrollLoopsOverLocalArrays(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit
