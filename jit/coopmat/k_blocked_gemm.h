// SPDX-License-Identifier: Apache-2.0

// Multiply-adds done later and many at once: what K-loop scheduling (k_loop.h) makes of the grids
// that it finds.
#pragma once

#include <span>
#include <vector>

#include "jit/base/target.h"
#include "jit/coopmat/packing_points.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/ir/kernel_frame.h"

namespace llvm {
class AllocaInst;
class DominatorTree;
}  // namespace llvm

namespace jit::coopmat {

// Replaces the multiply-adds of `grids`, for each of which `target` has a microkernel, by packing,
// or descriptors of where operands are, and products of whole K blocks. The grids are all of
// `loop`, or, where that is null, of chains in one block, which are multiplied at their end. Leaves
// those that have nothing to be multiplied together. Adds to `variables` those of what is known of
// a K block's steps, which the caller promotes to values.
void deferMultiplyAdds(std::span<const TileGrid> grids, llvm::Loop* loop, OperandFreedom freedom,
                       llvm::LoopInfo& loops, llvm::DominatorTree& dominators, const Target& target,
                       KernelFrame& frame, std::vector<llvm::AllocaInst*>& variables);

}  // namespace jit::coopmat
