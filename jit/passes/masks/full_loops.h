// SPDX-License-Identifier: Apache-2.0

// Loops that each invocation leaves when its own count is done, without masks for as long as all of
// a subgroup's go round.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Puts a copy in front of each loop whose mask only a comparison of integers makes
// smaller, at the beginning of an iteration, at its end or in between: in it every lane is live,
// and the condition is tested once for all lanes, by the last of them where lanes go on evenly. The
// first time that this does not hold, the loop itself takes over. Loops with matrix operations,
// which have no masks inside, and long ones stay. So do loops that write to memory before their
// test, which begin an iteration again there. What stays gets a remark that says why. Whether
// anything changed.
bool runFullLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt
