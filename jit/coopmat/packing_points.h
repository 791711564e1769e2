// SPDX-License-Identifier: Apache-2.0

// Where the operands of multiply-adds, in a loop or in chains of one block, are packed, or noted to
// be packed later.
#pragma once

#include <optional>

#include "jit/coopmat/shared_operands.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/ukernel/packed_gemm.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
}  // namespace llvm

namespace jit::coopmat {

// What a loop, or the block of a chain, lets us do with operands.
struct OperandFreedom {
  // Nothing in it writes to memory or waits for others, so operands need not be copied before
  // the K block is full. A lone accumulator gains nothing from that alone.
  bool is_pure;
  // Nothing writes to global memory, and copies of it may serve other workgroups too.
  bool is_shared;
};

class PackingPoints {
 public:
  // Of chains, `loop` is null.
  PackingPoints(const TileGrid& grid, const llvm::Loop* loop, OperandFreedom freedom,
                const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators);

  // When it pays to note where tiles are that the loop loads, all A in one layout and all B in one:
  // where panels are shared, or where every operand is such a tile.
  const std::optional<ukernel::PackedGemm::Recorded>& recorded() const { return recorded_; }
  // Whether an operand is loaded in the loop, or in the chain's block.
  bool isLoaded(const TileGrid::Operand& operand) const;
  // Whether operands may be no tiles of memory by the time that they are multiplied: copies, which
  // are packed where they were made, and values.
  bool mayBePacked() const { return recorded_ && recorded_->may_be_packed; }
  // Whether no step is counted between the load and the group.
  bool canPackAt(const llvm::CallInst& load, const TileGrid::Group& group) const;
  // The last block that control passes before any operand of a group is packed or recorded.
  llvm::BasicBlock* blockBefore(size_t group) const;

 private:
  std::optional<ukernel::PackedGemm::Recorded> record(OperandFreedom freedom) const;
  bool canPackIn(const CopyingBlocks& blocks, const llvm::CallInst& load,
                 const TileGrid::Group& group) const;

  const TileGrid& grid_;
  const llvm::Loop* loop_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const std::optional<ukernel::PackedGemm::Recorded> recorded_;
};

}  // namespace jit::coopmat
