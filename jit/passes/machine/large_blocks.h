// SPDX-License-Identifier: Apache-2.0

// Blocks and switches of any size, in pieces that LLVM's passes can look through in bounded time.
#pragma once

#include <cstdint>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace jit {

// Costs, as of machineCost, up to which LLVM selects and orders the instructions of a block in
// proportion to their number: beyond, what it does with pairs of loads, among other things, shows.
inline constexpr uint64_t kMostBlockCost = 600;

// Cuts the block where the costs of its instructions add up to more than `most`. Variables stay in
// it.
void cutBlock(llvm::BasicBlock& block, uint32_t vector_bytes, uint64_t most);

// Cuts all blocks at kMostBlockCost. After all passes that work within blocks.
void cutLargeBlocks(llvm::Function& function, uint32_t vector_bytes);

// Switches of many cases become trees of comparisons with switches of a few cases as leaves: the
// placement of blocks looks through all of a block's successors for each of them.
void splitLargeSwitches(llvm::Function& function);

}  // namespace jit
