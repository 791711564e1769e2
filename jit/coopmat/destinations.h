// Where the sums of a loop are stored after it, known before its last multiplication.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "jit/coopmat/tile_grid.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
}  // namespace llvm

namespace jit::coopmat {

// Stores by rows to the client's memory, which are all that becomes of some sums on a way that
// control takes from the sums' block: always, or under one condition.
struct SumStores {
  llvm::SmallVector<StoreCall> calls;        // sum by sum
  llvm::SmallVector<llvm::BasicBlock*> way;  // from the sums' block to the last store
  llvm::Value* condition;                    // i1, or null where there is none
  bool is_condition_true;                    // what it is on the way
  // Nobody would notice if they came at the beginning of the way: nothing but themselves touches
  // memory up to the last of them.
  bool may_come_first;
};

// Those of `sums`, phis of one block, if there are such.
std::optional<SumStores> storesOfSums(llvm::ArrayRef<llvm::PHINode*> sums,
                                      const llvm::DominatorTree& dominators);

// Rows `stride_bytes` apart (ptr, i64), of which bytes up to `limit_bytes` may be written.
struct Destination {
  llvm::Value *base, *stride_bytes, *limit_bytes;
};
struct Destinations {
  llvm::SmallVector<Destination> of_sums;
  llvm::Value* are_stored;  // i1, whether the stores are carried out
};

// What the stores come to, computed where `builder` stands, in the sums' block, from copies of the
// instructions that it is computed by. Unless the stores may come there too, what these read from
// memory may be another value later, so that it is good for prefetching alone. Nothing, and no
// code, if some of it depends on more than arithmetic and loads.
std::optional<Destinations> computeEarlier(llvm::IRBuilderBase& builder, const SumStores& stores);

// Whether (i1) the destinations of all sums of a grid are one piece of memory: tiles side by side
// without overlaps, in bounds, as they are in the grid. Where that starts.
struct OnePiece {
  llvm::Value* is_one;
  Destination first;
};
OnePiece asOnePiece(llvm::IRBuilderBase& builder, const TileGrid& grid,
                    llvm::ArrayRef<Destination> of_sums);

// Puts the stores, with the reads of what they store, under the condition that not `are_done` (i1),
// which splits their blocks.
void carryOutUnless(llvm::Value* are_done, const SumStores& stores, llvm::DominatorTree& dominators,
                    llvm::LoopInfo& loops);

}  // namespace jit::coopmat
