// SPDX-License-Identifier: Apache-2.0

// Masks of loops that all invocations leave together although each has a condition of its own, as
// in
//   for (uint i = gl_LocalInvocationIndex; i < 1024; i += 128)
// once simt/aligned_lanes has found the condition to be the same for all: what is live in the loop
// is what was live before it, so that accesses need no mask that is kept from turn to turn.
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Rewrites mask phis of loop headers. Returns whether anything changed.
bool simplifyUniformMasks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt
