// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/repair_ssa.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "jit/ir/uses.h"

namespace jit::simt {
namespace {

bool isLegal(const llvm::Instruction& definition, const llvm::Use& use,
             const llvm::DominatorTree& dominators) {
  const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  if (user->getParent() == definition.getParent() && !llvm::isa<llvm::PHINode>(user)) {
    return definition.comesBefore(user);
  }
  return dominators.dominates(definition.getParent(), blockOf(use));
}

void repair(llvm::Instruction& definition, llvm::ArrayRef<llvm::Use*> uses,
            const llvm::DominatorTree& dominators) {
  auto* undef = llvm::UndefValue::get(definition.getType());
  llvm::BasicBlock* home = definition.getParent();
  llvm::SmallVector<llvm::Use*, 4> behind;
  llvm::BasicBlock* fork = home;  // dominates the definition and the uses
  for (llvm::Use* use : uses) {
    if (dominators.dominates(blockOf(*use), home)) {
      use->set(undef);
      continue;
    }
    behind.push_back(use);
    fork = dominators.findNearestCommonDominator(fork, blockOf(*use));
  }
  if (behind.empty()) return;
  // Undef from the fork on keeps the search for definitions near the uses.
  llvm::SSAUpdater updater;
  updater.Initialize(definition.getType(), definition.getName());
  updater.AddAvailableValue(fork, undef);
  updater.AddAvailableValue(home, &definition);
  for (llvm::Use* use : behind) updater.RewriteUse(*use);
}

}  // namespace

unsigned repairSsa(llvm::Function& function) {
  llvm::EliminateUnreachableBlocks(function);
  llvm::DominatorTree dominators(function);
  dominators.updateDFSNumbers();  // queries in constant time
  unsigned repaired = 0;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& definition : block) {
      llvm::SmallVector<llvm::Use*, 4> broken;
      for (llvm::Use& use : definition.uses()) {
        if (!isLegal(definition, use, dominators)) broken.push_back(&use);
      }
      if (broken.empty()) continue;
      repair(definition, broken, dominators);
      ++repaired;
    }
  }
  return repaired;
}

}  // namespace jit::simt
