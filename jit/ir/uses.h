// SPDX-License-Identifier: Apache-2.0

// Where values are used.
#pragma once

#include <llvm/IR/Instructions.h>

namespace jit {

// The block in which a use, which is an instruction's, needs its value; of a phi the incoming
// block, at whose end it does.
inline llvm::BasicBlock* blockOf(const llvm::Use& use) {
  auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
}

}  // namespace jit
