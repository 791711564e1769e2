// SPDX-License-Identifier: Apache-2.0

// Workgroup-wide streams, and where their invocations may see each other's accesses.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace jit::simt {

// Streams of more lanes are wide.
inline constexpr unsigned kMostLanesInRegisters = 64;

// A mark in the code of a workgroup-wide stream where its invocations may see each other's
// accesses: a barrier. Not an instruction.
void emitLaneFence(llvm::IRBuilderBase& builder);
bool isLaneFence(const llvm::Instruction& instruction);

}  // namespace jit::simt
