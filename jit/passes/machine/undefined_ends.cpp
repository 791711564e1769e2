// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/undefined_ends.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace jit {

bool endsUndefined(const llvm::Function& function) {
  // Backwards from the ends: a block is undefined when all of its paths are. One that goes round
  // for ever is not.
  llvm::SmallVector<const llvm::BasicBlock*> undefined;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> edges;  // that are not known to be so
  for (const llvm::BasicBlock& block : function) {
    edges[&block] = block.getTerminator()->getNumSuccessors();
    if (llvm::isa<llvm::UnreachableInst>(block.getTerminator())) undefined.push_back(&block);
  }
  while (!undefined.empty()) {
    const llvm::BasicBlock* block = undefined.pop_back_val();
    if (block == &function.getEntryBlock()) return true;
    for (const llvm::BasicBlock* before : llvm::predecessors(block))  // once for each edge
      if (--edges[before] == 0) undefined.push_back(before);
  }
  return false;
}

}  // namespace jit
