// SPDX-License-Identifier: Apache-2.0

// Element-wise arithmetic on vectors that are too large for registers.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

#include <functional>

#include "jit/ir/helper_function.h"

namespace jit::coopmat {

// Calls, at `builder`, a function made for them that carries out `members` (element-wise, equal
// lengths, in order) in one loop. Vector operands that are neither members nor splats are read from
// where `memory` says they are. `results` says where the value of a member goes; null: nobody
// outside wants it. What is read and what is written do not overlap. Vectors start at 64-byte
// aligned addresses and have no gaps.
void emitElementwiseLoop(const ukernel::HelperScope& scope, llvm::IRBuilder<>& builder,
                         llvm::ArrayRef<llvm::Instruction*> members,
                         const std::function<llvm::Value*(llvm::Value*)>& memory,
                         const std::function<llvm::Value*(llvm::Instruction*)>& results);

}  // namespace jit::coopmat
