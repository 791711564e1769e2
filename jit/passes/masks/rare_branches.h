// SPDX-License-Identifier: Apache-2.0

// What branches with weights call unlikely.
#pragma once

#include <llvm/IR/BasicBlock.h>

namespace jit {

// Whether the branch at the end of `from` takes its path to `to` rarely.
bool isRarelyTaken(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

}  // namespace jit
