// SPDX-License-Identifier: Apache-2.0

// Gathers and scatters of the parts of structures that lie side by side (the components of an array
// of vectors, for one) become vector loads and stores of the whole structures, and shuffles.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Whether anything changed. `masked_access`: the machine loads and stores vectors of 32-bit and
// 64-bit elements under a mask. `large_objects`: buffers may have 4 GiB and more.
bool coalesceStridedAccesses(llvm::Function& function, bool masked_access, bool large_objects);

}  // namespace jit::simt
