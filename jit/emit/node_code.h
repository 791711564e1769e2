// SPDX-License-Identifier: Apache-2.0

// The code of a node of the linearization (analysis/linearization.h), and who runs it. Internal to
// jit/emit.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

namespace jit::spirv {

// The first block from which invocations arrive at a node, until it is known that there are others
// or that they come straight from there. Without that, each of a thousand branches had a slot, and
// promoting one takes as long as there are blocks.
struct FirstArrival {
  llvm::BasicBlock* block = nullptr;
  llvm::Value* lanes = nullptr;
};

struct NodeCode {
  llvm::BasicBlock* entry = nullptr;  // null: nobody has named it yet
  llvm::BasicBlock* body = nullptr;   // of the header of a loop: where its latch goes back to
  llvm::Value* mask = nullptr;        // who runs it, and those of its mask class; null: all
  // Where those who wait for it are, of Arrival::Accumulate: in one of the two.
  FirstArrival first_arrival;
  llvm::AllocaInst* mask_slot = nullptr;
  llvm::AllocaInst* loop_mask = nullptr;   // of a dynamic header: who runs this iteration
  llvm::SmallVector<uint32_t, 2> forgets;  // nodes whose phis are forgotten at its end
};

}  // namespace jit::spirv
