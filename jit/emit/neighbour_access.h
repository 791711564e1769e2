// SPDX-License-Identifier: Apache-2.0

// Loads of elements that lie side by side in an array (spirv/neighbour_loads.h), as one access
// where each lane has some of its own: words instead of their halves, and one test for all.
// Internal to jit/emit.
#pragma once

#include <unordered_map>

#include "jit/emit/emission.h"
#include "jit/spirv/neighbour_loads.h"

namespace jit::spirv {

class NeighbourAccess {
 public:
  // Of streams whose blocks are emitted in one piece, and where nobody looks at single accesses.
  explicit NeighbourAccess(Emission& e);

  // What a load at `p` has where it is made together with others, by this or an earlier
  // instruction; no leaves: it is made by itself.
  llvm::Expected<Value> load(const Instruction& i, const Pointer& p);

 private:
  bool gains(const Pointer& p, uint64_t unit) const;
  llvm::Expected<Pointer> elementPast(const Instruction& chain, uint64_t distance);
  llvm::Expected<Value> loadTested(const LoadGroup& group, const Pointer& p,
                                   llvm::ArrayRef<LeafLayout> leaves, const TestedAddress& tested);

  Emission& e_;
  const NeighbourLoads groups_;
  std::unordered_map<Id, Value> ahead_;  // of loads that come later in the block
};

}  // namespace jit::spirv
