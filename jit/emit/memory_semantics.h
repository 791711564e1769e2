// SPDX-License-Identifier: Apache-2.0

// What of SPIR-V's Memory Semantics LLVM has to know. Source: Vulkan Specification, "Memory
// Model"; SPIR-V Specification, 3.26 "Memory Semantics".
//
// All memory is coherent and x86 keeps the order of everything but a store and a later load of
// another address, which no release or acquire forbids. So availability, visibility, scopes and
// storage classes need no instructions; what remains is what LLVM may not move.
#pragma once

#include <llvm/Support/AtomicOrdering.h>

#include "jit/emit/emission.h"

namespace jit::spirv {

struct MemorySemantics {
  // Monotonic, Acquire, Release or AcquireRelease. SequentiallyConsistent is AcquireRelease
  // (Vulkan Specification, "Memory Semantics").
  llvm::AtomicOrdering ordering = llvm::AtomicOrdering::Monotonic;
  bool is_volatile = false;
};

// Of the constant `id`, an operand of `instruction`.
llvm::Expected<MemorySemantics> memorySemantics(Emission& e, const Instruction& instruction, Id id);

// What of an ordering means something for a load, and for a store.
llvm::AtomicOrdering loadOrdering(llvm::AtomicOrdering ordering);
llvm::AtomicOrdering storeOrdering(llvm::AtomicOrdering ordering);

}  // namespace jit::spirv
