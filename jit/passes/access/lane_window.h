// SPDX-License-Identifier: Apache-2.0

// Gathers of lanes whose places are constants past one that they share.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace jit::simt {

// Registers of `register_bytes` that have all elements of `bytes` bytes at these offsets; 0 where
// that is no use: too many, or elements at other places than multiples of their size from another.
unsigned windowsOf(llvm::ArrayRef<int64_t> offsets, int64_t bytes, int64_t register_bytes);

// Gathers of all lanes from such places become loads of what lies between the first and the last
// element of each register, and shuffles. What lies between two elements that are accessed can be
// read. Whether anything changed.
bool loadLaneWindows(llvm::Function& function, unsigned vector_bytes,
                     const llvm::TargetTransformInfo& machine);

}  // namespace jit::simt
