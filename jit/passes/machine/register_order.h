// SPDX-License-Identifier: Apache-2.0

// The order of a block's instructions, by the registers that it takes.

#pragma once

namespace llvm {
class Function;
}

namespace jit {

// LLVM keeps the order in which it is given instructions (codegen.cpp), and shaders unpack all that
// they have read before they use any of it. Where a block has more vectors alive at once than there
// are registers, of `vector_bytes`, and depth-first order needs fewer of them by estimate, what a
// result is made of is computed just before it, whatever needs most registers first. Writes, calls
// and results that other blocks use stay in their order, and reads between the same writes. Whether
// anything changed.
bool orderForRegisters(llvm::Function& function, unsigned vector_bytes);

}  // namespace jit
