// SPDX-License-Identifier: Apache-2.0

// Lowering of the matrix operations that are left after K-loop scheduling.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include "jit/base/target.h"
#include "jit/ir/kernel_frame.h"
#include "jit/ir/matrix_ops.h"

namespace jit::coopmat {

// Replaces every operation (jit/ir/matrix_ops.h) in the module by calls of internal
// functions that the module then holds too. Each function with such operations has its subgroup's
// frame as third argument; `frame` grows by what they need. Wants nothing of the IR; afterwards
// early-cse and instcombine tidy addresses, and matrix values that are left are plain vectors.
// `lanes`: of the instruction stream (jit/coopmat/large_values.h).
// Kind of failure: Unsupported, when no microkernel accepts a multiply-add.
llvm::Error lowerMatrixOperations(llvm::Module& module, const Target& target, KernelFrame& frame,
                                  uint32_t lanes);

// The failure of a multiply-add for which there is no microkernel.
llvm::Error withoutMicrokernel(const MulAdd& op);

}  // namespace jit::coopmat
