// SPDX-License-Identifier: Apache-2.0

// Gathers and scatters whose addresses count up by the element's size become vector loads and
// stores. Runs when variables have become registers, so that an address is seen through all the
// arithmetic that made it.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Whether anything changed. With `keeps_wide_scatters` those of workgroup-wide streams under a
// mask stay, so that they are part of loops (lane_tiles.h) in which they become stores of some
// lanes later.
bool coalesceContiguousAccesses(llvm::Function& function, bool keeps_wide_scatters);

}  // namespace jit::simt
