// SPDX-License-Identifier: Apache-2.0

// Arithmetic on floats of 16 bits and their conversions, computed in binary32 and rounded after
// each operation, as LLVM does where the machine converts.
#pragma once

namespace llvm {
class Module;
}

namespace jit {

// binary16 on machines without F16C, where LLVM calls a function of the C runtime for each element.
// What only moves values stays: they have registers of their own, which hold their bits.
void expandHalves(llvm::Module& module);

// bfloat16. To LLVM a single one is no value of any machine: whatever leaves a block it hands on as
// binary32, with conversions that change signalling NaNs, and subnormals where there is an
// instruction. So nothing but moves and bitcasts is left (for carryBfloatsAsBits), and, where the
// machine `rounds_by_instruction`, roundings of whole vectors to bfloat16.
void expandBfloats(llvm::Module& module, bool rounds_by_instruction);

}  // namespace jit
