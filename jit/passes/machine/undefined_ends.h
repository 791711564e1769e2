// SPDX-License-Identifier: Apache-2.0

// Whether there is anything left of a kernel that LLVM took for undefined.
#pragma once

#include <llvm/IR/Function.h>

namespace jit {

// Whether every path through the function ends in `unreachable`: running it has no meaning, and
// what code generation makes of it need not even come back. Kernels are emitted without undefined
// behaviour, so this is a defect of the compiler.
bool endsUndefined(const llvm::Function& function);

}  // namespace jit
