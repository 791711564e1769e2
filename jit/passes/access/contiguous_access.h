// SPDX-License-Identifier: Apache-2.0

// Gathers and scatters whose addresses count up by the element's size become vector loads and
// stores. Runs when variables have become registers, so that an address is seen through all the
// arithmetic that made it.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Whether anything changed.
bool coalesceContiguousAccesses(llvm::Function& function);

}  // namespace jit::simt
