// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/rare_branches.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>

namespace jit {

// One of so many times, or less often, is rare.
static constexpr uint64_t kRarely = 1000;

bool isRarelyTaken(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const llvm::Instruction* branch = from.getTerminator();
  llvm::SmallVector<uint32_t> weights;
  if (!llvm::extractBranchWeights(*branch, weights) || weights.size() != branch->getNumSuccessors())
    return false;
  uint64_t there = 0, all = 0;
  for (unsigned i = 0; i < weights.size(); ++i) {
    all += weights[i];
    if (branch->getSuccessor(i) == &to) there += weights[i];
  }
  return there * kRarely <= all;
}

}  // namespace jit
