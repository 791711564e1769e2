// SPDX-License-Identifier: Apache-2.0

// Loops over the components of matrices that stay loops.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace jit::coopmat {

// Marks loops over components, and those over tiles around them, as not to be unrolled
// (`llvm.loop.unroll.disable`) where that would make long code of all of them together: an
// element-wise function of many tiles, above all. The matrices are then local variables in memory,
// which loops that multiply and add take whole (matrix_variables.h). Loops with multiply-adds in
// them are left alone, and what is in a loop over K, since what is multiplied should be values.
// Wants variables promoted that are reached at constant places, and loops not unrolled yet. Returns
// how many loops were marked.
unsigned keepComponentLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

// Makes functions of those that are there more than once (passes/code/shared_code.h): the same
// function of matrices that have names of their own, say. Comes after K-loop scheduling, which
// wants variables whose addresses nobody else has. Returns whether there were any.
bool shareComponentLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::coopmat
