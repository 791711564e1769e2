// SPDX-License-Identifier: Apache-2.0

// What ids stand for while code is emitted: values and pointers.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include "jit/spirv/memory_layout.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// A value: its scalars in order ("leaves"), composites flattened. A leaf is an LLVM scalar when
// all live invocations share it and a vector of the stream's width when they do not; a
// cooperative matrix is one leaf, <rows*columns x component> in row-major order; of a matrix of
// Subgroup scope a wide stream has one for each subgroup, one behind the other in the same vector.
// Bool is i1; Int iN; Float half, bfloat, float, double, or i8 (jit/emit/float8_values.h). A
// pointer is an address, i64; one that may be a variable pointer is three i64, which keep its
// bounds: base, offset, size (Type::leaves).
using Leaves = llvm::SmallVector<llvm::Value*, 4>;
struct Value {
  const Type* type = nullptr;
  Leaves leaves;
};

// A pointer while it is being used: where an access chain has led to.
struct Pointer {
  const Type* pointee = nullptr;
  spv::StorageClass storage = spv::StorageClass::Function;
  llvm::Value* base = nullptr;    // ptr, or vector of ptr (descriptors indexed non-uniformly)
  llvm::Value* offset = nullptr;  // bytes from base: i64 or vector of i64; never null
  llvm::Value* size = nullptr;    // bytes accessible from base (i64 or vector); null: unchecked.
                                  // Of an interleaved variable: one invocation's; of one with
                                  // `copies`: one subgroup's
  llvm::Value* range = nullptr;   // bytes of the descriptor, checked or not; null: no buffer
  bool check_leaves = false;      // each scalar by itself, not an access as a whole
  // Where accesses are checked (emit_checks.cpp): which indices are inside of their arrays, and
  // which accesses by an address may be carried out, i1 or vector of i1; null: all.
  llvm::Value *within = nullptr, *allowed = nullptr;
  bool may_leave = false, may_be_null = false;  // a buffer, without that being a finding
  bool is_read_only = false;
  bool is_storage = false;                 // a storage buffer, whatever the storage class is called
  Id variable = 0;                         // that an access chain has begun at; 0: none
  const BindingLayout* binding = nullptr;  // an array of descriptors, none chosen yet
  // Function and Private variables whose contents vary: every leaf is stored for all invocations
  // side by side; offsets count bytes of one invocation and are scaled by their number on access.
  bool interleaved = false;
  uint32_t lanes = 1;  // if interleaved: how many invocations that are
  // Others with matrices of which each subgroup of a wide stream has its own: how many. Offsets
  // count bytes of one subgroup and are scaled by it on access.
  uint32_t copies = 1;
  bool explicit_layout = false;   // offsets come from decorations
  MatrixLayout matrix;            // when the pointee is, or came from, a matrix
  uint32_t component_stride = 0;  // of a pointee vector whose components are apart (row-major)
  bool is_volatile = false;
  // Of what has been moved to a shadow (ops_shadow.cpp): how far, in bytes; 0: it has not.
  int64_t shadow_distance = 0;
  // Input variables are no memory: leaves of a built-in's value.
  Id builtin_variable = 0;
  uint32_t first_leaf = 0;
};

// The low bits of `value`.
inline llvm::APInt integerBits(unsigned bits, uint64_t value) {
  return llvm::APInt(64, value).zextOrTrunc(bits);
}

}  // namespace jit::spirv
