// SPDX-License-Identifier: Apache-2.0

// What LLVM reports of the work on a context, errors and remarks, kept instead of printed.
#pragma once

#include <llvm/Support/Error.h>

#include <vector>

#include "jit/compiler.h"

namespace llvm {
class LLVMContext;
}

namespace jit {

// Makes errors that LLVM reports on `context` failures of takeDiagnostics() instead of the end of
// the process. Before anything else is done with the context.
void containDiagnostics(llvm::LLVMContext& context);

// The errors since then, as one. Kind of failure: Internal.
llvm::Error takeDiagnostics(const llvm::LLVMContext& context);

// Remarks on missed optimisations go to `remarks`, in their order; to nobody where null, as at
// first. After containDiagnostics(). Returns who got them before.
std::vector<Remark>* listenToRemarks(llvm::LLVMContext& context, std::vector<Remark>* remarks);

}  // namespace jit
