// SPDX-License-Identifier: Apache-2.0

// What the check of numbers (TESSERA_CHECK=float) looks at in each instruction: one table. Internal
// to jit/emit.
#pragma once

#include "jit/spirv/module.h"
#include "runtime/kernel_library/check_float.h"

namespace jit::spirv {

struct FloatRule {
  rt::NumberRule rule;
  const char* name;       // of the operation, for reports: "sqrt", "+"
  bool is_infix = false;  // between its operands
  // Of Result: as in rt::CheckedOperation.
  bool mixes = false, crosses_lanes = false;
  bool is_packed = false;  // the result's bits are halves
  bool is_signed = false;  // operands, whatever their types say
};

// Null where nothing can go wrong, or only what is no finding: minima, or bits that are looked at
// as a float.
const FloatRule* findFloatRule(const Module& module, const Instruction& instruction);

// The ids of the numbers that it works on, in the order of a report.
llvm::SmallVector<Id, 4> checkedOperands(const Module& module, const Instruction& instruction);

}  // namespace jit::spirv
