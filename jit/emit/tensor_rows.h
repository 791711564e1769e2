// SPDX-License-Identifier: Apache-2.0

// Tensor accesses that come to plain rows or columns of memory: what most are.
#pragma once

#include "jit/emit/tensor_operands.h"
#include "jit/ir/matrix_ops.h"
#include "jit/spirv/tensor_lines.h"

namespace jit::spirv {

// How the elements of an access lie where `holds` (i1).
struct TensorRows {
  coopmat::Layout layout;
  llvm::Value* holds;
  llvm::Value *first, *stride;  // i64, in elements
  // Where `ends` (i1), the tensor has only the first `lines` (i64) rows or columns, and the others,
  // which follow them in memory, are zeros, or are not stored.
  llvm::Value *ends, *lines;
};

// Whether elements of a matrix follow each other by rows or by columns is known from the types of
// layout and view; that they do is tested when the kernel runs: the slice is inside the layout, but
// for its last lines, and as wide as the matrix, its innermost dimension has no gaps, blocks are
// single elements, and nothing is clipped. None where the types alone say that elements lie
// otherwise.
std::optional<TensorRows> tensorRows(Emission& e, const Type& matrix,
                                     const TensorOperands& operands, bool stores);

// Whether those elements come in groups of `size`, a power of two, that share a block and are
// inside of the layout or outside of it together, i1. The types allow it, and the view has no
// dimensions of its own.
llvm::Value* hasGroups(Emission& e, const Type& matrix, const TensorOperands& operands,
                       uint32_t size);

// Whether a view clips nothing of a matrix, i1.
llvm::Value* isUnclipped(Emission& e, const Type& matrix, const Value& view);

}  // namespace jit::spirv
