// SPDX-License-Identifier: Apache-2.0

// Loads of elements that lie side by side in an array, as
//   pack32(u16vec2(a[i], a[i + 1]))
// has them.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>

#include "jit/spirv/module.h"

namespace jit::spirv {

// The load that comes first, of elements that ascend by one, and the others.
struct LoadGroup {
  const Type* array;         // Array or RuntimeArray
  const Instruction* chain;  // the first one's OpAccessChain, whose last index is of the array
  llvm::SmallVector<Id, 8> loads;
};

// Of one entry point, after shareValues: equal indices have one id. Loads of a group are in one
// block, of buffers, neither volatile nor with operands of the memory model, and nothing between
// them may write to memory or wait for others.
class NeighbourLoads {
 public:
  // In groups of up to `most_scalars`.
  NeighbourLoads(const Module& module, uint64_t most_scalars);

  // Null: it begins none.
  const LoadGroup* beginningWith(Id load) const {
    const auto found = groups_.find(load);
    return found == groups_.end() ? nullptr : &found->second;
  }

 private:
  llvm::DenseMap<Id, LoadGroup> groups_;
};

}  // namespace jit::spirv
