// SPDX-License-Identifier: Apache-2.0

// Values of bfloat16 that are only moved, as their bits.
#pragma once

namespace llvm {
class Module;
}

namespace jit {

// What moves bfloat16 (loads, stores, phis, selections, shuffles, elements of vectors, masked
// accesses, calls of internal functions) moves integers of 16 bits instead. LLVM hands such values
// on from one block to another as binary32, whose conversions make quiet NaNs of signalling ones
// and on some machines zeros of subnormals; and some blocks it makes only after all passes, of
// masked accesses that the machine lacks. What is loaded and stored must come out as it went in.
// Also it takes a selection of vectors by one bit apart into a branch for each element, and its
// scheduler then needs minutes for a matrix.
//
// After all passes that may make such values, and after expandBfloats: what still computes with
// bfloat16 is given bitcasts, of which LLVM may make moves again.
void carryBfloatsAsBits(llvm::Module& module);

}  // namespace jit
