// SPDX-License-Identifier: Apache-2.0

// Where the scalars of a value lie in memory: by the layout decorations (buffers, push constants)
// or, in storage that has none, by naturalSize and naturalAlignment.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "jit/spirv/module.h"

namespace jit::spirv {

// How a matrix, or a vector that is a row or column of one, lies in explicitly laid out memory.
struct MatrixLayout {
  uint32_t stride = 0;  // MatrixStride, bytes; 0: natural layout
  bool row_major = false;
};

// One leaf of a type in memory, `offset` bytes behind the start.
struct LeafLayout {
  const Type* type;
  uint64_t offset;
};

// Appends the places of all leaves of `type` at `offset`, in order. `component_stride` is that of
// a vector whose components are apart (a row of a column-major matrix, or the reverse); 0: none.
void leafLayouts(const Type* type, uint64_t offset, bool explicit_layout, MatrixLayout matrix,
                 uint32_t component_stride, llvm::SmallVectorImpl<LeafLayout>& out);

// Bytes of one leaf of a type that is no composite.
uint64_t leafBytes(const Type* type);

// The bytes of each of up to `most` leaves, where they are scalars of one type that lie side by
// side; else 0.
uint64_t memberBytes(llvm::ArrayRef<LeafLayout> leaves, size_t most);

// Bytes from one element of an array to the next.
uint64_t elementStride(const Type* array, bool explicit_layout);

// Bytes from a structure's start to a member.
uint64_t memberOffset(const Type* structure, uint32_t index, bool explicit_layout);

// Bytes that an explicitly laid out value takes at most.
uint64_t explicitSize(const Type* type);

}  // namespace jit::spirv
