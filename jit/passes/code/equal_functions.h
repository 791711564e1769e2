// SPDX-License-Identifier: Apache-2.0

// Functions whose code is the same: one for all of them. Helper functions are named by everything
// that they are made for, which is more than what their code depends on, and compiling them takes
// longer than comparing.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Function;
}

namespace jit {

// Of internal functions that are equal, attributes included, the first one in `functions` is kept
// and serves the callers of all; the others are erased. Functions that call each other may be
// equal to others that do. Returns those that are kept, in order.
llvm::SmallVector<llvm::Function*> mergeEqualFunctions(llvm::ArrayRef<llvm::Function*> functions);

}  // namespace jit
