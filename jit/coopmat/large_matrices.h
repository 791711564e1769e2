// SPDX-License-Identifier: Apache-2.0

// Lowering of matrices that are too large for registers.
//
// Until here such a matrix is a first-class vector like any other, and passes treat it as one. Now
// each of these values gets a slot in the frame, shared by those that are not alive together, and
// what makes them becomes loops: element-wise arithmetic one loop for all that stands together,
// loads and stores copies, multiply-adds blocked products. So code does not grow with the matrix.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Support/Error.h>

#include "jit/base/target.h"
#include "jit/ir/kernel_frame.h"

namespace jit::coopmat {

// `lanes`: of the stream. The function's third argument is its subgroup's frame, in which `frame`
// allocates.
// Kind of failure: Unsupported, when no microkernel accepts a multiply-add.
llvm::Error lowerLargeMatrices(llvm::Function& function, uint32_t lanes, const Target& target,
                               KernelFrame& frame);

}  // namespace jit::coopmat
