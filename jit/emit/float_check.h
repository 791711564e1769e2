// SPDX-License-Identifier: Apache-2.0

// The check of numbers (TESSERA_CHECK=float): behind each instruction that float_rules.cpp has, its
// result or its operands are tested. Where it is off nothing is done. Internal to jit/emit.
//
// A test says that all live invocations have a finite result, or operands that are harmless; where
// it fails, the runtime decides (runtime/kernel_library/check_float.h): what comes of operands that
// are not finite is not born here.
#pragma once

#include <llvm/Support/Error.h>

#include "jit/emit/float_rules.h"
#include "jit/emit/values.h"
#include "runtime/kernel_library/check_float.h"

namespace jit::spirv {

class Emission;

class FloatCheck {
 public:
  explicit FloatCheck(Emission& e) : e_(e) {}

  bool isOn() const;

  // Behind the code of an instruction, for the stream.
  llvm::Error after(const Instruction& i) const;

 private:
  Emission& e_;
};

// The numbers of one instruction: what tests and calls have in common.
struct NumberLeaf {
  llvm::Value* value;
  rt::CheckedNumber number;  // its offset comes with all of them
};

// The format of a number, `is_signed` where an integer's type does not count.
rt::NumberFormat formatOf(const Type& scalar);

// Whether it is a conversion whose results are finite where operands are.
bool neverLeavesRange(const Emission& e, const Instruction& i);

// An rt::CheckedOperation and what follows it, as data of the kernel.
llvm::Constant* describeOperation(Emission& e, rt::CheckedOperation operation,
                                  llvm::ArrayRef<NumberLeaf> leaves, llvm::StringRef name);

// Whether the leaf, a float, is infinite or a NaN: i1 or vector of it.
llvm::Value* isNonFinite(Emission& e, const NumberLeaf& leaf);

}  // namespace jit::spirv
