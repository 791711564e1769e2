// SPDX-License-Identifier: Apache-2.0

// Variables that hold matrices too large for registers, and whose components are reached.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include "jit/ir/kernel_frame.h"

namespace jit::coopmat {

// Moves those variables from the stack into the frame (the function's third argument): where a
// matrix is read or written as a whole, and parts of it by themselves. As local variables they
// would be promoted to a chain of vectors, one for each part, and loops over their components
// unrolled for it. Loops that reach no components have a local variable instead, which K-loop
// scheduling finds. `lanes`: of the instruction stream.
void keepLargeVariablesInFrame(llvm::Function& function, uint32_t lanes, KernelFrame& frame,
                               llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::coopmat
