// SPDX-License-Identifier: Apache-2.0

// Values of bfloat16 that are only handed on, as their bits.
#pragma once

namespace llvm {
class Function;
}

namespace jit {

// Where a machine has no bfloat16, LLVM takes a selection by one bit apart into a branch for each
// element, and its scheduler then needs minutes for a matrix. After all other passes: some make new
// selections.
void selectBits(llvm::Function& function);

// Where a machine has no bfloat16, LLVM hands values on from one block to another, and to phis, as
// binary32: code to convert them both ways, which makes quiet NaNs of signalling ones. A matrix
// that is loaded and stored must come out as it went in.
void carryBits(llvm::Function& function);

}  // namespace jit
