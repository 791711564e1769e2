// SPDX-License-Identifier: Apache-2.0

// The check of numbers (TESSERA_CHECK=float) of matrices: calls without a test around them, as
// passes that schedule products keep calls, not branches
// (runtime/kernel_library/check_matrix_float.h). Internal to jit/emit.
#pragma once

#include <llvm/Support/Error.h>

#include "jit/emit/float_rules.h"
#include "jit/emit/values.h"
#include "runtime/kernel_library/check_matrix_float.h"

namespace jit::spirv {

class Emission;

class MatrixFloatCheck {
 public:
  explicit MatrixFloatCheck(Emission& e) : e_(e) {}

  // At the start of the kernel's code.
  void begin() const;

  // Behind an instruction whose result is a matrix; `rule` may be null.
  llvm::Error after(const Instruction& i, const FloatRule* rule) const;
  // Before a load of a matrix.
  void load(const Type& matrix, llvm::Value* base, llvm::Value* stride_bytes,
            llvm::Value* limit_bytes, bool by_columns) const;
  // InternalOp::CheckSum, NoteMatrix.
  llvm::Error sum(const Instruction& i) const;
  llvm::Error note(const Instruction& i) const;

 private:
  bool notes(const Type& matrix) const;
  llvm::Value* noted() const;
  llvm::Error mark(const Instruction& i, rt::NumberRule rule) const;

  Emission& e_;
};

}  // namespace jit::spirv
