// SPDX-License-Identifier: Apache-2.0

// Multiply-adds of a loop, done later and many at once: what K-loop scheduling (k_loop.h) makes of
// the grids that it finds.
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

// Replaces the multiply-adds of all `grids` of `loop`, for each of which `target` has a
// microkernel, by packing, or descriptors of where operands are, and products of whole K blocks.
// Returns variables of what is known of a K block's steps, which the caller promotes to values.
std::vector<llvm::AllocaInst*> deferMultiplyAdds(std::span<const TileGrid> grids, llvm::Loop& loop,
                                                 OperandFreedom freedom, llvm::LoopInfo& loops,
                                                 llvm::DominatorTree& dominators,
                                                 const Target& target, KernelFrame& frame);

}  // namespace jit::coopmat
