// SPDX-License-Identifier: Apache-2.0

// The kernel around a subgroup's code: its signature, the loop over the subgroups, and the rounds
// between barriers. See jit/passes/workgroup/barrier_regions.h.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <string_view>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace jit::simt {

// A barrier: the end of a block.
struct Barrier {
  llvm::BasicBlock* arrival;            // ends with it
  llvm::BasicBlock* resume;             // goes on after it
  llvm::BasicBlock* restore = nullptr;  // made with the loops: the path to `resume` in a new round
};

struct WorkgroupLoops {
  llvm::Function* kernel = nullptr;
  llvm::BasicBlock* entry = nullptr;           // before the loops
  llvm::BasicBlock* subgroup_start = nullptr;  // runs first for each subgroup, in each round
  llvm::Value* frame = nullptr;                // the subgroup's, defined there or in `entry`
  // Subgroup number times the frame's size, which is its second operand and 0 until somebody
  // knows it; null when the subgroups share a frame.
  llvm::Instruction* frame_offset = nullptr;
};

// Moves the code of `subgroup`, whose arrivals branch to their resume points, into a new kernel.
// What is left of `subgroup` is an empty function without uses. Its allocas are still where they
// were, and values still live across barriers where nothing keeps them. `in_rows`: the subgroups of
// one number of all workgroups that a call is for, then those of the next; there are no barriers.
WorkgroupLoops wrapInLoops(llvm::Function& subgroup, unsigned subgroups, bool in_rows,
                           llvm::MutableArrayRef<Barrier> barriers, std::string_view name);

}  // namespace jit::simt
