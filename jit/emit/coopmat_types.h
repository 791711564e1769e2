// SPDX-License-Identifier: Apache-2.0

// Components of cooperative matrices: which elements an index means.
#pragma once

#include "jit/emit/emission.h"
#include "jit/matrix/layout.h"
#include "jit/spirv/coopmat_support.h"

namespace jit::spirv {

// The matrix as a component mapping sees it.
inline coopmat::MappedMatrix mapped(const Emission& e, const Type& matrix) {
  return mapped(matrix, e.invocationsOf(matrix.scope));
}

// Row-major element numbers (vector of i64) of component `index` of every invocation; phantom
// components are numbered past the end of the matrix.
llvm::Value* componentElements(Emission& e, const Type& matrix, llvm::Value* index);

// Numbers in a leaf of what `elements` are in the matrix, which may be one of several that the leaf
// holds; past the end of the leaf for what is past the end of the matrix.
llvm::Value* elementsInLeaf(Emission& e, const Type& matrix, llvm::Value* elements);

// The result of `i`, the transpose of a matrix of this type, which has the result's components by
// now.
llvm::Value* transposed(Emission& e, const Instruction& i, const Type& matrix, llvm::Value* value);

// Malformed where a conversion of a matrix of type `from` into the result of `i` breaks a rule
// about scopes, sizes and uses: of those, modules are validated before specialization only.
llvm::Error checkConversion(const Emission& e, const Instruction& i, const Type& from);

// How many bytes are accessible from where `pointer` leads, i64; -1: no limit. All live invocations
// agree on the pointer.
llvm::Value* accessibleBytes(Emission& e, const Pointer& pointer);

}  // namespace jit::spirv
