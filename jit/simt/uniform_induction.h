// SPDX-License-Identifier: Apache-2.0

// Loop counters that each invocation has for itself but that all move alike, as in
//   for (uint i = gl_LocalInvocationIndex; i < n; i += gl_WorkGroupSize.x)
// become one scalar counter for the subgroup plus what the invocation started with, so that
// addresses made of them are seen to be contiguous (jit/simt/contiguous_access.h).
#pragma once

#include <llvm/IR/PassManager.h>

namespace jit::simt {

// Rewrites phis of loop headers that are vectors of integers and step by a uniform amount, whether
// all invocations do or only those that go on with the loop; the counter of one that has left
// runs on then, which is done only where nothing looks at it. Returns whether anything changed.
bool splitUniformInductions(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace jit::simt
