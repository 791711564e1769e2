// SPDX-License-Identifier: Apache-2.0

// Memory that instructions use while they are emitted, each after the other. Internal to jit/emit.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <utility>

namespace jit::spirv {

// All made by who asks for it first.
struct Scratch {
  // For vectors whose elements are taken one by one, by type and number.
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, llvm::AllocaInst*> lane_slots;
  uint64_t staging_offset = 0, staging_bytes = 0;  // in the frame
  // What holds 0, and what nobody reads: where reads and writes out of bounds go.
  llvm::AllocaInst* zero_slot = nullptr;
  llvm::AllocaInst* drop_slot = nullptr;
};

}  // namespace jit::spirv
