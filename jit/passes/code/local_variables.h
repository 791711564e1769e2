// SPDX-License-Identifier: Apache-2.0

// Local variables become values, in time that grows with where each is alive.
//
// LLVM's own promotion (PromoteMemToReg) walks all blocks that a store's block dominates, and keeps
// a list of all variables in each block. The emitter makes variables in proportion to a shader's
// length, so that takes the square of it. Here each variable is looked after where it is alive and
// nowhere else, as in Braun et al., "Simple and Efficient Construction of Static Single Assignment
// Form" (2013), with the liveness found first.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace jit {

// Promotes the variables of `function` that are read and written at constant offsets, each always
// as one type; others stay. A variable that nothing is stored to in the entry block has no value
// that counts when control comes to that dominating block: that is so for all that the emitter
// makes, because SPIR-V's values are defined before they are used, and variables that are read
// before they are assigned are cleared at the start (jit/spirv/unassigned.h). Returns how many were
// promoted.
unsigned promoteLocalVariables(llvm::Function& function);

}  // namespace jit
