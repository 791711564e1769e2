// SPDX-License-Identifier: Apache-2.0

// Values that only code behind failed tests needs.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit {

// Computes vectors where they are used, if all their uses are in blocks, or for phis on paths, that
// branches with weights call unlikely: copies stand in each of these blocks, the original goes. An
// access that is tested (emit/emit_tested.cpp) needs the addresses of all lanes only where the test
// fails; as a load and a store of one element each have such a block, InstCombine, which moves what
// has one using block, leaves them before both tests, where they take longer than the accesses that
// run. Divisions stay, and so does what would come into a deeper loop, but into a block that is
// unlikely in each iteration. Returns how many copies were made.
unsigned computeAtRareUses(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit
