// SPDX-License-Identifier: Apache-2.0

// Gathers of lanes whose places are constants near to each other.
#pragma once

#include <llvm/IR/Function.h>

namespace jit::simt {

// Gathers of all lanes from places that are constants past one that they share, all within two
// registers of `vector_bytes`, become a load of all that lies between them, and a shuffle. What
// lies between two elements that are accessed can be read. `masked_access`: the machine loads
// vectors of 32-bit and 64-bit elements under a mask. Whether anything changed.
bool loadLaneWindows(llvm::Function& function, unsigned vector_bytes, bool masked_access);

}  // namespace jit::simt
