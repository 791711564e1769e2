// SPDX-License-Identifier: Apache-2.0

// The check of races (TESSERA_CHECK=race): each access to memory that other invocations may see is
// told to the runtime, and what orders accesses. Where it is off, or what is emitted belongs to no
// instruction, nothing is done. Internal to jit/emit.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "jit/emit/values.h"
#include "runtime/kernel_library/check_race.h"

namespace jit::spirv {

class Emission;

class RaceCheck {
 public:
  explicit RaceCheck(Emission& e) : e_(e) {}

  bool isOn() const;

  // At the start of the kernel's code.
  void begin() const;

  // Before a load, or a store of `stored`.
  void load(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) const;
  void store(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
             llvm::ArrayRef<llvm::Value*> stored) const;
  // Before an atomic instruction: its pointer, scope and semantics are its first operands.
  void atomic(const Pointer& p, uint64_t bytes) const;
  // Before a load or store of a matrix.
  void matrix(const Pointer& p, llvm::Value* stride_bytes, const rt::MatrixForm& form) const;

  // The same through a tensor layout: an rt::TensorForm and an rt::TensorState.
  void tensor(const Pointer& p, llvm::Value* form, llvm::Value* state, bool is_store) const;

  // Behind a barrier, or at a memory barrier, with these semantics.
  void barrier(rt::RaceBarrier barrier, uint64_t semantics) const;
  void fence(uint64_t semantics) const;

 private:
  uint32_t flagsOf(const Pointer& p, bool is_store) const;
  void access(const Pointer& p, uint64_t first, uint64_t bytes, uint32_t flags,
              llvm::Value* value) const;
  void accessLeaves(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, uint32_t flags,
                    llvm::ArrayRef<llvm::Value*> stored) const;

  Emission& e_;
};

}  // namespace jit::spirv
