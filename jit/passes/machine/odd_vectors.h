// SPDX-License-Identifier: Apache-2.0

// Vectors whose number of elements is no power of two, as values that live in several blocks.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace jit {

// LLVM's code generator hands such a value from block to block element by element, each in a
// register of its own, unless it widens it to one register: a matrix of 8 x 24 bytes took a
// thousand instructions. Here it goes in parts of powers of two, which stay vectors. After all
// other passes: some would put the parts together again. `vector_bytes`: of a vector register.
void splitOddVectors(llvm::Function& function, uint32_t vector_bytes);

}  // namespace jit
