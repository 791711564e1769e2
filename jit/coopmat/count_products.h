// SPDX-License-Identifier: Apache-2.0

// Kernels that count the multiply-adds of their matrix products while they run (TESSERA_PROFILE).
#pragma once

#include <llvm/IR/Function.h>

#include "jit/base/target.h"

namespace jit::coopmat {

// Adds up, in a value of its own, what the multiply-adds of each block of `function` multiply, and
// hands the sum to the runtime where the function returns
// (runtime/kernel_library/count_products.h). What is scheduled afterwards is what it would be
// without: to K-loop scheduling a number that is added to says nothing, and the call touches no
// memory that anybody else does. Returns whether there are any. Wants the arguments that
// jit/ir/emitted_kernel.h gives.
bool countProducts(llvm::Function& function, const Target& target);

}  // namespace jit::coopmat
