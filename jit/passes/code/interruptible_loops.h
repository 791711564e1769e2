// SPDX-License-Identifier: Apache-2.0

// Loops that end when the runtime wants the kernel to end: what a watchdog needs, since a thread
// cannot be stopped from outside without harm to the process that it belongs to.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit {

// Makes an rt::KernelFunction return at the next iteration of any of its loops once the counter
// that rt::DispatchArgs::stop points to has left 0, but for innermost loops that are short anyway.
// Its work is then half done. After all other passes: they would take the exits for the shader's
// own.
void makeLoopsInterruptible(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit
