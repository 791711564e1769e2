// SPDX-License-Identifier: Apache-2.0

// Phis of workgroup-wide streams, in memory.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace jit::simt {

// Where values are in memory, aligned to 64 bytes, from their definition to their last use.
using MemoryMap = llvm::DenseMap<llvm::Value*, llvm::Value*>;

// A variable on the stack for a value.
llvm::AllocaInst* makeSlot(llvm::Function& function, llvm::Type* type);

// Phis of `lanes` elements that get their values from memory and are only wanted there become
// memory, too: what was a load of many registers, a phi for each and a store of them is a copy at
// the end of each block that a value comes from. `memory_of` has, of phis, where stores right after
// them put them, and nothing else does.
void keepWidePhisInMemory(llvm::Function& function, unsigned lanes, const MemoryMap& memory_of);

}  // namespace jit::simt
