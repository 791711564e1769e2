// SPDX-License-Identifier: Apache-2.0

// Blocks and switches of any size, in pieces that LLVM's passes can look through in bounded time.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace jit {

// Cuts the block where the costs of its instructions add up to more than `most`.
void cutBlock(llvm::BasicBlock& block, uint64_t most,
              llvm::function_ref<uint64_t(const llvm::Instruction&)> cost);

// Cuts all blocks that are so large that selecting and ordering a block's instructions, which LLVM
// does by looking at pairs of loads among other things, would take more than in proportion. Costs
// as of machineCost. After all passes that work within blocks.
void cutLargeBlocks(llvm::Function& function, uint32_t vector_bytes);

// Switches of many cases become trees of comparisons with switches of a few cases as leaves: the
// placement of blocks looks through all of a block's successors for each of them.
void splitLargeSwitches(llvm::Function& function);

}  // namespace jit
