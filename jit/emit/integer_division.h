// SPDX-License-Identifier: Apache-2.0

// Division that never traps: generated code divides for invocations that are not live too.
#pragma once

#include "jit/emit/emission.h"

namespace jit::spirv {

struct Division {
  llvm::Value* quotient;   // towards zero
  llvm::Value* remainder;  // of the sign of the dividend
};

// Operands are both uniform or both varying, of one integer type. Division by zero gives some
// value; the least integer by -1 gives the least integer.
Division divide(Emission& e, llvm::Value* a, llvm::Value* b, bool is_signed);

}  // namespace jit::spirv
