// SPDX-License-Identifier: Apache-2.0

// Gathers of lanes at addresses that are constants past one that they share.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// Gathers of all lanes from such addresses become loads of what lies between the first and the last
// element of each register, and shuffles. What lies between two elements that are accessed can be
// read. Whether anything changed.
bool loadLaneWindows(llvm::Function& function, unsigned vector_bytes,
                     const llvm::TargetTransformInfo& machine);

}  // namespace jit::simt
