// SPDX-License-Identifier: Apache-2.0

// Where the accumulators of a loop are stored after it, known before its last multiplication.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "jit/ir/matrix_ops.h"
#include "jit/ukernel/source_tile.h"

namespace llvm {
class DominatorTree;
}  // namespace llvm

namespace jit::coopmat {

// Stores by rows to global memory, which are all that becomes of some accumulators on a path that
// control takes from the accumulators' block: always, or under one condition.
struct EpilogueStores {
  llvm::SmallVector<StoreCall> calls;         // accumulator by accumulator
  llvm::SmallVector<llvm::BasicBlock*> path;  // from the accumulators' block to the last store
  llvm::Value* condition;                     // i1, or null where there is none
  bool is_condition_true;                     // what it is on the path
  llvm::SmallVector<unsigned> order;          // of the accumulators, as the program stores them
  // As-if at the beginning of the path: nothing but themselves touches memory up to the last of
  // them.
  bool may_come_first;
};

// Those of `accumulators`, phis of one block, if there are such.
std::optional<EpilogueStores> epilogueStoresOf(llvm::ArrayRef<llvm::PHINode*> accumulators,
                                               const llvm::DominatorTree& dominators);

struct Destinations {
  llvm::SmallVector<ukernel::TileMemory> of_accumulators;
  llvm::Value* are_stored;  // i1, whether the stores are carried out
};

// What the stores come to, computed where `builder` stands, in the accumulators' block, from copies
// of the instructions that it is computed by. Unless the stores may come there too, what these read
// from memory may be another value later, so that it is good for prefetching alone. Nothing, and no
// code, if some of it depends on more than arithmetic and loads.
std::optional<Destinations> computeEarlier(llvm::IRBuilderBase& builder,
                                           const EpilogueStores& stores);

}  // namespace jit::coopmat
