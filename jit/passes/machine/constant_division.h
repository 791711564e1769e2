// SPDX-License-Identifier: Apache-2.0

// Division of integers by what turned out to be a constant.
#pragma once

#include <llvm/IR/Function.h>

namespace jit {

// Vectors of integers are divided as floats (emit/integer_division.h). Where optimization has made
// a constant of the divisor, the quotient becomes a shift, or a division by a constant, which code
// generation makes a multiplication. Returns whether there were any.
bool divideByConstants(llvm::Function& function);

}  // namespace jit
