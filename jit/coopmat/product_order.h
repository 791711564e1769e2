// SPDX-License-Identifier: Apache-2.0

// The order of multiply-adds in a basic block: those that do not need each other stand together.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
}  // namespace llvm

namespace jit::coopmat {

// Moves instructions of blocks that have several multiply-adds, so that of a chain of them in each
// of several accumulators, all first ones come before all second ones, and so on, each with its
// operands before it. Blocks are split where something else reads a result of such a row of
// multiply-adds: then no block does more with a result than to add to it. What may have an effect
// keeps its order, and so do reads and writes of memory. Returns whether anything was changed.
bool orderProducts(llvm::Function& function, llvm::LoopInfo& loops,
                   llvm::DominatorTree& dominators);

}  // namespace jit::coopmat
