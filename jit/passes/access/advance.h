// SPDX-License-Identifier: Apache-2.0

// By how much a value grows where one thing that it is made of goes on: from one iteration of a
// loop to the next, or from one workgroup to the next.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/IRBuilder.h>

namespace jit::simt {

// For what does no harm where it is wrong, like prefetches: wrapping around and what is shifted out
// are left out of account. Amounts are made where the values are made, so they are known wherever
// those are.
class Advance {
 public:
  // From one iteration to the next.
  explicit Advance(const llvm::Loop& loop) : loop_(&loop) {}
  // Where `counter`, an integer, is one more. `loops` are those of its function.
  Advance(const llvm::Argument& counter, const llvm::LoopInfo& loops)
      : counter_(&counter), loops_(&loops) {}

  // A number of the value's type, of bytes for a pointer; null when it cannot be told.
  llvm::Value* of(llvm::Value* value);

 private:
  llvm::Value* find(llvm::Instruction& instruction);
  llvm::Value* ofOperation(llvm::Instruction& instruction, llvm::IRBuilder<>& ir);
  llvm::Value* ofAddress(llvm::GetElementPtrInst& address, llvm::IRBuilder<>& ir);
  llvm::Value* ofPhi(llvm::PHINode& phi);
  llvm::Value* ofCounter(llvm::PHINode& phi, const llvm::Loop& loop);
  bool stays(llvm::Value* value);
  llvm::Value* sum(llvm::IRBuilder<>& ir, llvm::Value* a, llvm::Value* b);
  llvm::Value* product(llvm::IRBuilder<>& ir, llvm::Value* a, llvm::Value* b);

  const llvm::Loop* loop_ = nullptr;
  const llvm::Argument* counter_ = nullptr;
  const llvm::LoopInfo* loops_ = nullptr;
  llvm::DenseMap<llvm::Instruction*, llvm::Value*> known_;
  unsigned depth_ = 0;  // of what is being looked at
};

}  // namespace jit::simt
