// SPDX-License-Identifier: Apache-2.0

// Prefetching where a workgroup stages data in shared memory, iteration by iteration of a loop with
// barriers:
//   for (k = 0; k < n; k += 32) { stage[i] = buffer[f(i, k)]; barrier(); ...; barrier(); }
// Rows of such tiles are short and far apart, which no machine foresees, so the loads of an
// iteration would all wait for memory.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Lets each load of a vector from a buffer, in a loop that has a barrier, also fetch what the same
// load will want in the loop's next iteration, as far as that follows from counters of constant
// step. Returns whether anything changed.
bool prefetchStagedLoads(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt
