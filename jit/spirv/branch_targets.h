// SPDX-License-Identifier: Apache-2.0

// Where a block's terminator branches to.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "jit/spirv/module.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

// Makes the block branch to `instead` of each of its targets, which may be the target itself. The
// terminator's operands are made in `words` if one of them changes.
void redirectBranches(Block& block, WordArena& words, llvm::function_ref<Id(Id)> instead);

}  // namespace jit::spirv
