// SPDX-License-Identifier: Apache-2.0

// Short loops over what each invocation has side by side.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Unrolls innermost loops of a few iterations in which a gather or scatter moves on by its element
// each iteration: what an invocation accesses in all iterations is then seen as one structure
// (passes/access/strided_access.h). Whether there were any.
bool unrollShortRows(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt
