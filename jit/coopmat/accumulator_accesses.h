// SPDX-License-Identifier: Apache-2.0

// Where the accumulators of a grid are read and written by others than their multiply-adds, and
// where that asks for what is deferred to be multiplied.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <vector>

#include "jit/coopmat/tile_grid.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
}  // namespace llvm

namespace jit::coopmat {

// Something that happens to accumulators in a block, in front of an instruction.
struct AccumulatorEvent {
  enum class Kind : uint8_t {
    GroupBegins,  // before the first operand of its multiply-adds is packed
    GroupEnds,    // its multiply-adds count from here on
    Read,
    Write,
  };
  Kind kind;
  llvm::Instruction* before;
  size_t index;              // of the group, or of the cell
  llvm::Use* use = nullptr;  // what reads the accumulator, or brings its next version
  // Whether multiply-adds that are deferred by then, if there are any, are multiplied first.
  bool multiplies = false;
};

// The first of the multiply-adds that stand in a row with this one.
llvm::Instruction* startOfRow(llvm::Instruction* product);

// Where memory is read for a use of an accumulator.
llvm::Instruction* placeOfRead(const llvm::Use& use);

class AccumulatorAccesses {
 public:
  // Of accumulators in a loop whose blocks in reverse post-order are `order`, or of chains in the
  // one block that it has. `begins`: where each group begins. Splits edges where there
  // is no place for a write. `is_pending`: the loop is entered with something to multiply.
  AccumulatorAccesses(const TileGrid& grid, llvm::ArrayRef<llvm::BasicBlock*> order,
                      llvm::ArrayRef<llvm::BasicBlock*> begins, bool is_pending,
                      llvm::LoopInfo& loops, llvm::DominatorTree& dominators);

  // All of the loop, block by block, those of a block in order.
  const std::vector<AccumulatorEvent>& events() const { return events_; }
  // Whether there are any but groups.
  bool any() const { return has_accesses_; }
  // Whether products of several steps come together anywhere.
  bool gathersSteps() const { return gathers_steps_; }

 private:
  std::vector<AccumulatorEvent> events_;
  bool has_accesses_ = false, gathers_steps_ = false;
};

}  // namespace jit::coopmat
