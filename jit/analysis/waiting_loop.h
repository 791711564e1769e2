// SPDX-License-Identifier: Apache-2.0

// Loops that may do nothing else than wait for memory to change, for the check that they do not
// wait for what cannot come (emit/uniform_check.h).
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <optional>

#include "jit/analysis/linearization.h"
#include "jit/analysis/uniformity.h"
#include "jit/spirv/module.h"

namespace jit::simt {

// A loop that in some rounds changes no memory of others but by atomic operations, and where a
// branch follows from what memory holds. If in a round all of `reads` give what they gave in the
// round before, `state` is the same, and none of `writes` is come to, then the next round does the
// same again, until a counter says that it was enough, or memory changes: no address follows from a
// counter, and no branch from more of counters than how they compare with what is the same in all
// rounds (analysis/round_values.h).
struct WaitingLoop {
  llvm::SmallVector<const spirv::Instruction*, 2> reads;   // those of inner loops, too
  llvm::SmallVector<const spirv::Instruction*, 4> state;   // the header's phis that are no counters
  llvm::SmallVector<const spirv::Instruction*, 2> writes;  // that some rounds pass by
  const spirv::Instruction* first = nullptr;  // of the reads of others' memory that decide
  spirv::Id variable = 0;                     // where its pointer leads to, 0: not known
  bool is_workgroups = false;                 // all reads that decide are of Workgroup memory
  // Code that control does not come to through the loop, and that stands behind it, writes there.
  bool is_written_beside = false;
};

// Whether an instruction may be one of `reads` or `writes`.
bool accessesMemory(const spirv::Instruction& i);

// `header`: a node. none: another kind of loop.
std::optional<WaitingLoop> waitingLoop(const spirv::Module& module,
                                       const Linearization& linearization,
                                       const UniformityAnalysis& uniformity, uint32_t header);

}  // namespace jit::simt
