// SPDX-License-Identifier: Apache-2.0

// Numbers that are constants where tests have passed.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit {

// Uses of integers, and of vectors of them, whose every bit follows from the tests in front (`(x &
// 224) == 0`, `x < 16`) become constants. A copy for accesses that are together
// (emit/emit_expected.cpp) is behind such tests of the first invocation's number, and what else an
// invocation computes from its own, shifts for one, is a constant there for each lane: LLVM knows
// bits that all elements of a vector have, and no others. Returns how many uses there were.
unsigned foldTestedBits(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit
