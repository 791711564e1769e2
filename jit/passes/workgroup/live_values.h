// SPDX-License-Identifier: Apache-2.0

// What lives across the barriers of a function, and what of it need not be kept.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <vector>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace jit::simt {

// Where a subgroup goes on after a barrier: blocks whose only predecessor is the one that
// ends with that barrier.
using ResumePoints = llvm::ArrayRef<llvm::BasicBlock*>;

struct LiveValue {
  llvm::Instruction* value;
  llvm::SmallVector<unsigned, 4> resumes;  // indices of the resume points where it is live
  // The instructions, operands first, that compute it anew from arguments, constants and allocas
  // alone; empty when that is impossible or dearer than a store and a load.
  llvm::SmallVector<llvm::Instruction*> recipe;
  llvm::Value* slot =
      nullptr;  // where it is kept, without a recipe; for jit/passes/workgroup/kept_values.h
};

// In order of the code. Without allocas.
std::vector<LiveValue> valuesLiveAcross(llvm::Function& function, ResumePoints resumes);

// The allocas whose memory may be written before a barrier and read after it.
llvm::SmallVector<llvm::AllocaInst*> allocasLiveAcross(llvm::Function& function,
                                                       ResumePoints resumes);

}  // namespace jit::simt
