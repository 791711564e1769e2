// SPDX-License-Identifier: Apache-2.0

// How values move from one iteration of a loop to the next.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>

#include <cstdint>
#include <optional>

namespace jit::simt {

// What is added each iteration, to all lanes the same, modulo 2^width. `is_widened`: it is made of
// a number of 32 bits that was extended, so that this holds only where that number has not wrapped
// around. 0: the value stays what it is.
struct LoopStep {
  int64_t step = 0;
  bool is_widened = false;
};

// Of the values of one loop, scalars and vectors. Integers of up to 64 bits and pointers.
class LoopSteps {
 public:
  explicit LoopSteps(const llvm::Loop& loop) : loop_(loop) {}

  // Nothing: it moves in another way, or in one that is not known.
  std::optional<LoopStep> of(llvm::Value& v) { return of(v, 0); }

 private:
  std::optional<LoopStep> of(llvm::Value& v, int depth);
  std::optional<LoopStep> find(llvm::Value& v, int depth);
  std::optional<LoopStep> ofPhi(llvm::PHINode& phi);
  std::optional<LoopStep> ofAddress(llvm::GetElementPtrInst& address, int depth);
  std::optional<LoopStep> ofOperation(llvm::Instruction& i, int depth);

  const llvm::Loop& loop_;
  llvm::DenseMap<llvm::Value*, std::optional<LoopStep>> known_;
};

}  // namespace jit::simt
