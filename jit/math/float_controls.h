// SPDX-License-Identifier: Apache-2.0

// The execution modes of SPV_KHR_float_controls, kept for each width by itself.
//
// Code is emitted for the default environment: rounding to nearest even, denormals kept. Where a
// shader asks for something else, that is put into its code, and not into the machine's control
// register, which knows no widths, and of which LLVM's folding of constants would have to be told.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace jit::math {

struct FloatMode {
  bool flushes_denormals = false;  // results; operands may be as they are
  bool rounds_towards_zero = false;
};

struct FloatControls {
  FloatMode half, single, wide;

  bool flushes() const;    // denormals of some width
  bool isDefault() const;  // nothing but rounding to nearest, and denormals kept
  // Of a scalar type or of vectors of it; null where it is no IEEE float.
  const FloatMode* of(const llvm::Type* type) const;
};

// Replaces what the function does to floats by what the modes ask for: arithmetic, conversions,
// negation and absolute value, calls of jit/math, and llvm.canonicalize, which stands where
// something that is a selection of bits here is an operation in SPIR-V (FMin).
void applyFloatControls(llvm::Function& function, const FloatControls& controls);

// What the builder appends to its block while an object of this class lives is part of one
// operation of the shader, and has the rounding that it needs: the modes leave it alone.
class FixedRounding {
 public:
  explicit FixedRounding(llvm::IRBuilderBase& builder);
  ~FixedRounding();
  FixedRounding(const FixedRounding&) = delete;
  FixedRounding& operator=(const FixedRounding&) = delete;

 private:
  llvm::BasicBlock& block_;
  llvm::Instruction* last_;  // before; null: none
};

}  // namespace jit::math
