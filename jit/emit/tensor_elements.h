// SPDX-License-Identifier: Apache-2.0

// Where single elements of a matrix lie in a tensor, for each invocation an element of its own.
#pragma once

#include "jit/emit/tensor_operands.h"
#include "jit/spirv/tensor_lines.h"

namespace jit::spirv {

// Vectors of i32.
struct TensorElements {
  llvm::Value* region;  // TensorRegion, never Beyond
  llvm::Value* index;   // in the tensor, in blocks
  llvm::SmallVector<llvm::Value*, kMaxTensorDimensions> block, in_block;
};

// The pseudo-code of SPV_NV_cooperative_matrix2, "Tensor Layout and View", for a load. `number` is
// the row-major number of an element of the matrix, i32 or vector of i32.
TensorElements tensorElements(Emission& e, const Type& matrix, const TensorOperands& operands,
                              llvm::Value* number);

}  // namespace jit::spirv
