// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/lane_fence.h"

#include <llvm/IR/Instructions.h>

namespace jit::simt {

void emitLaneFence(llvm::IRBuilderBase& builder) {
  builder.CreateFence(llvm::AtomicOrdering::AcquireRelease, llvm::SyncScope::SingleThread);
}

bool isLaneFence(const llvm::Instruction& instruction) {
  auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
  return fence != nullptr && fence->getSyncScopeID() == llvm::SyncScope::SingleThread &&
         fence->getOrdering() == llvm::AtomicOrdering::AcquireRelease;
}

}  // namespace jit::simt
