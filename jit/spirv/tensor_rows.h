// Tensor accesses that come to plain rows or columns of memory: what most are.
#pragma once

#include "jit/coopmat/pseudo_ops.h"
#include "jit/spirv/emission.h"

namespace jit::spirv {

// A tensor layout and view, each leaf a scalar that the whole stream shares.
struct TensorOperands {
  Value layout;
  std::optional<Value> view;
};

// How the elements of an access lie where `holds` (i1).
struct TensorRows {
  coopmat::Layout layout;
  llvm::Value* holds;
  llvm::Value *first, *stride;  // i64, in elements
};

// Whether elements of a matrix follow each other by rows or by columns is known from the types of
// layout and view; that they do is tested when the kernel runs: the slice is inside the layout and
// as wide as the matrix, its innermost dimension has no gaps, blocks are single elements, and
// nothing is clipped. None where the types alone say that elements lie otherwise.
std::optional<TensorRows> tensorRows(Emission& e, const Type& matrix,
                                     const TensorOperands& operands);

// Whether a view clips nothing of a matrix, i1.
llvm::Value* isUnclipped(Emission& e, const Type& matrix, const Value& view);

}  // namespace jit::spirv
