// SPDX-License-Identifier: Apache-2.0

// Slots: allocas in which values are brought from one node of the code to another, where they may
// differ by when, or from where, an invocation came. The optimizer makes registers of them.
// Internal to jit/emit.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <unordered_map>
#include <utility>

#include "jit/spirv/module.h"

namespace jit::spirv {

// Of a value: one a leaf.
struct ValueSlots {
  const Type* type = nullptr;
  llvm::SmallVector<llvm::AllocaInst*, 4> leaves;
  llvm::SmallVector<bool, 4> varying;
  // Of leaves with a matrix for each subgroup: its type; else null.
  llvm::SmallVector<const Type*, 4> matrices;
  // Of leaves of which lane 0's value is kept (lanes): what bits add that is known at run time.
  llvm::SmallVector<bool, 4> lanes;
  llvm::SmallVector<llvm::SmallVector<std::pair<unsigned, llvm::AllocaInst*>, 1>, 4> runtime;
  // Of a phi: the operand that its leaves begin with; 0: none. See forgetPhis.
  Id usual = 0;
  bool hasUsual(size_t leaf) const {
    return usual != 0 && varying[leaf] && !lanes[leaf] && matrices[leaf] == nullptr;
  }
};

// Of a pointer: one for each part that may differ from one iteration to the next; null: it does
// not.
struct PointerSlots {
  llvm::AllocaInst *base = nullptr, *offset = nullptr, *size = nullptr, *range = nullptr,
                   *within = nullptr;
};

// By the result's id. What escapes is used outside of the divergent loop that defines it.
struct Slots {
  std::unordered_map<Id, ValueSlots> phis;
  std::unordered_map<Id, ValueSlots> escaping;
  std::unordered_map<Id, PointerSlots> escaping_pointers;
};

}  // namespace jit::spirv
