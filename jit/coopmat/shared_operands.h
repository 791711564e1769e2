// SPDX-License-Identifier: Apache-2.0

// What is known of the memory that a loop reads, and whether workgroups may share copies of it.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

#include "jit/ir/matrix_ops.h"

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace jit::coopmat {

// Whether nothing in `blocks` writes to memory or waits for others.
bool isPure(llvm::ArrayRef<llvm::BasicBlock*> blocks);

// Whether memory is the same from `first` to `last`, which comes later in the same block.
bool isUnwrittenBetween(const llvm::Instruction& first, const llvm::Instruction& last);

// Where what a kernel reads from global memory is the same for all workgroups of a dispatch that
// read the same address. Before it, and in whatever is executed again before it,
// - there is no atomic operation, functions included, so no workgroup has ordered what it reads
//   after what another did, and must not read what another writes. (Nor has one that writes after
//   an atomic operation written anything else than what is read afterwards: all who read it have
//   done so by then.)
// - nothing is written that others than the subgroup may read.
// Source: Vulkan Specification, "Memory Model", data races.
class WorkgroupReads {
 public:
  explicit WorkgroupReads(const llvm::Function& function);

  // In a block, from its beginning to its end. Not of one that was made since.
  bool areTheSameIn(const llvm::BasicBlock& block) const { return blocks_.contains(&block); }

 private:
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks_;
};

// From which blocks control comes to a load with the address of a copy in the frame, which stays as
// it is up to the load; from elsewhere it comes with an address in global memory. These
// blocks lead nowhere else. Nothing if the load may read memory that is neither for certain.
using CopyingBlocks = llvm::SmallVector<llvm::BasicBlock*, 1>;
std::optional<CopyingBlocks> copyingBlocks(const LoadCall& load);

}  // namespace jit::coopmat
