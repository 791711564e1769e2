// Selections of vectors of bfloat16 as selections of their bits.
#pragma once

namespace llvm {
class Function;
}

namespace jit {

// Where a machine has no bfloat16, LLVM takes a selection by one bit apart into a branch for each
// element, and its scheduler then needs minutes for a matrix. After all other passes: some make new
// selections.
void selectBits(llvm::Function& function);

}  // namespace jit
