// SPDX-License-Identifier: Apache-2.0

// Loop-invariant code motion for what is worth a register: descriptors, push constants and other
// loads that do not change, and slow scalar arithmetic.
//
// Not LLVM's LICM: it hoists every broadcast that it finds, and a matrix kernel has more of these
// than there are registers. Cheap and vector instructions stay where they are; the code generator
// moves them as far as registers last.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit {

bool hoistInvariants(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit
