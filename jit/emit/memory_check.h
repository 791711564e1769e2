// SPDX-License-Identifier: Apache-2.0

// The check of memory (TESSERA_CHECK=memory): accesses are tested before they are carried out.
// Where it is off, or what is emitted belongs to no instruction, nothing is done. Internal to
// jit/emit.
//
// A test says that all live invocations access what they may. Where lanes move evenly it looks at
// the ends of their addresses, so that it may fail although nothing is wrong; and where it fails,
// the runtime decides (runtime/kernel_library/check_access.h), once for a place in the shader.
// Robust access then leaves out what is outside. A matrix is checked by one call without a test
// around it: passes that schedule products keep calls, not branches.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "jit/emit/values.h"
#include "runtime/kernel_library/check_access.h"

namespace jit::spirv {

class Emission;

class MemoryCheck {
 public:
  explicit MemoryCheck(Emission& e) : e_(e) {}

  bool isOn() const;

  // At a step of an access chain into `p`'s pointee: an index past the end of an array that lies
  // inside of a larger object leads to what else is there, which bounds of objects do not tell.
  void index(Pointer& p, llvm::Value* index) const;

  // Before an access of `leaves`, or of `bytes` in one piece: reports what is wrong with it.
  // Returns the pointer for the access, which leaves out what must not be carried out.
  Pointer access(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, rt::AccessKind kind) const;
  Pointer access(const Pointer& p, uint64_t bytes, rt::AccessKind kind) const;

  // Before a load or store of a matrix.
  void matrix(const Pointer& p, llvm::Value* stride_bytes, const rt::MatrixForm& form) const;
  // The same through a tensor layout: an rt::TensorForm and an rt::TensorState.
  void tensor(const Pointer& p, llvm::Value* form, llvm::Value* state, bool is_store) const;
  // Before invocations with `lanes` (vector of i1) decode the block with the number `index` of
  // blocks of `bytes` bytes.
  void block(const Pointer& p, llvm::Value* index, uint64_t bytes, llvm::Value* lanes) const;

  // The bytes that may be accessed from the start of a described buffer on.
  llvm::Value* accessibleRange(const Pointer& buffer) const;
  // The same from a device address on, of which only loads and stores of matrices make use.
  llvm::Value* addressedBytes(const Pointer& p) const;

 private:
  Pointer accessOfShadow(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                         rt::AccessKind kind) const;
  Pointer address(const Pointer& p, uint64_t first, uint64_t bytes, rt::AccessKind kind) const;
  Pointer bounds(const Pointer& p, uint64_t first, uint64_t bytes,
                 llvm::ArrayRef<LeafLayout> leaves, rt::AccessKind kind) const;
  // Reports a store to what is declared as not writable.
  void readOnly(const Pointer& p, rt::AccessKind kind) const;

  Emission& e_;
};

}  // namespace jit::spirv
