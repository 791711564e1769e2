// What lives across the barriers of a function, and what of it need not be kept.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace jit::simt {

// Places where a subgroup goes on after a barrier: blocks whose only predecessor is the one that
// ends with that barrier.
using ResumePoints = llvm::ArrayRef<llvm::BasicBlock*>;

// By value, the resume points (indices, ascending) at which it is live. Without allocas.
using LiveAcross = llvm::MapVector<llvm::Instruction*, llvm::SmallVector<unsigned, 4>>;
LiveAcross valuesLiveAcross(llvm::Function& function, ResumePoints resumes);

// The allocas whose memory may be written before a barrier and read after it.
llvm::SmallVector<llvm::AllocaInst*> allocasLiveAcross(llvm::Function& function,
                                                       ResumePoints resumes);

// The instructions, operands first, that compute `value` anew from arguments, constants and
// allocas alone; empty when that is impossible or dearer than a store and a load.
llvm::SmallVector<llvm::Instruction*> recipe(llvm::Instruction& value);

}  // namespace jit::simt
