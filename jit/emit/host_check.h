// SPDX-License-Identifier: Apache-2.0

// The check of what the host writes while commands are pending (TESSERA_CHECK=api), as far as it is
// in kernels: whether they access it (runtime/check/host_writes.h). As there seldom is anything,
// accesses look at its count, and call where that is not 0. Internal to jit/emit.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "jit/emit/values.h"
#include "runtime/kernel_library/check_host.h"

namespace jit::spirv {

class Emission;

class HostCheck {
 public:
  explicit HostCheck(Emission& e) : e_(e) {}

  bool isOn() const;

  // Before an access of `leaves`, or of `bytes` in one piece.
  void access(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, rt::AccessKind kind) const;
  void access(const Pointer& p, uint64_t first, uint64_t bytes, rt::AccessKind kind) const;

  // Before a load or store of a matrix; through a tensor layout with an rt::TensorForm and an
  // rt::TensorState.
  void matrix(const Pointer& p, llvm::Value* stride_bytes, const rt::MatrixForm& form) const;
  void tensor(const Pointer& p, llvm::Value* form, llvm::Value* state, bool is_store) const;

 private:
  llvm::Value* isNothingWritten() const;

  Emission& e_;
};

}  // namespace jit::spirv
