// SPDX-License-Identifier: Apache-2.0

// Gathers of 8-bit and 16-bit elements, which no machine has, become gathers of the 32-bit words
// around them.
#pragma once

namespace llvm {
class Function;
}

namespace jit::simt {

// Whether anything changed. For machines that gather words; others take elements one by one anyway.
bool widenSmallGathers(llvm::Function& function);

}  // namespace jit::simt
