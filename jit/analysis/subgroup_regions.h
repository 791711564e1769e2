// SPDX-License-Identifier: Apache-2.0

// Which code of a stream as wide as the workgroup (emit/stream_width.h) is emitted for one subgroup
// and runs in a loop over the subgroups.
//
// A region is a run of code in which invocations do something of their own, between matrix
// operations and barriers, which all of the workgroup carry out together. Control enters it at its
// first instruction and leaves it at its last: it consists of instructions of one block, of whole
// constructs, and of such runs one after the other. What all invocations share stays outside,
// unless it stands between; it then runs once for each subgroup, which has to make no difference.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <unordered_set>
#include <vector>

#include "jit/analysis/linearization.h"
#include "jit/analysis/uniformity.h"
#include "jit/spirv/module.h"

namespace jit::simt {

struct SubgroupRegion {
  // Instructions [begin, ...) of the block of `first`, all of the nodes between, and instructions
  // [..., end) of that of `last`.
  uint32_t first, last;  // nodes
  size_t begin, end;
  std::vector<spirv::Id> results;  // values of the region that are used outside of it
  // Function and Private variables that nothing else accesses. Each subgroup has one of its own.
  std::vector<spirv::Id> variables;
  // Of these, those that hold nothing when the region is entered.
  std::unordered_set<spirv::Id> fresh;
};

// The region's instructions, phis but no terminators, in order.
void forEachInstruction(const SubgroupRegion& region, const spirv::Module& module,
                        const Linearization& linearization,
                        llvm::function_ref<void(const spirv::Instruction&)> body);

// What is known of a stream.
struct StreamFacts {
  const Linearization& linearization;
  const UniformityAnalysis& uniformity;
};

// In the order of the nodes. `wide` is the workgroup's stream, `narrow` what one of a subgroup's
// invocations would be.
std::vector<SubgroupRegion> planRegions(const spirv::Module& module, const StreamFacts& wide,
                                        const StreamFacts& narrow);

}  // namespace jit::simt
