// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/block_copy.h"

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace jit::simt {

BlockCopy::BlockCopy(llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  for (llvm::BasicBlock* block : blocks) {
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(block, map_, ".full", block->getParent());
    copy->moveBefore(blocks[0]);
    map_[block] = copy;
    blocks_.push_back(copy);
  }
  llvm::remapInstructionsInBlocks(blocks_, map_);
}

void BlockCopy::arrive(llvm::BasicBlock& exit, const llvm::BasicBlock* block,
                       llvm::BasicBlock* from) const {
  for (llvm::PHINode& phi : exit.phis())
    phi.addIncoming(of(phi.getIncomingValueForBlock(block)), from);
}

}  // namespace jit::simt
