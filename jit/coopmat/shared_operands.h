// SPDX-License-Identifier: Apache-2.0

// What is known of the memory that a loop reads, and whether workgroups may share copies of it.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <optional>

#include "jit/ir/matrix_ops.h"

namespace llvm {
class BasicBlock;
class Function;
class Loop;
}  // namespace llvm

namespace jit::coopmat {

// Whether nothing in `blocks` writes to memory or waits for others.
bool isPure(llvm::ArrayRef<llvm::BasicBlock*> blocks);

// Whether memory is the same from `first` to `last`, which comes later in the same block.
bool isUnwrittenBetween(const llvm::Instruction& first, const llvm::Instruction& last);

// True when what `loop` reads from global memory is the same for all workgroups of a dispatch
// that read the same address, and as long as the loop runs:
// - there is no atomic operation in the kernel, its functions included, so no workgroup can order
// what it does after what
//   another did, and must not read what another writes;
// - nothing that the workgroup itself writes, but what is in its frame, is in the loop or comes
//   before it.
// Source: Vulkan Specification, "Memory Model", data races.
bool readsTheSameInAllWorkgroups(const llvm::Function& function, const llvm::Loop& loop);

// From which blocks control comes to a load with the address of a copy in the frame, which stays as
// it is up to the load; from elsewhere it comes with an address in global memory. These
// blocks lead nowhere else. Nothing if the load may read memory that is neither for certain.
using CopyingBlocks = llvm::SmallVector<llvm::BasicBlock*, 1>;
std::optional<CopyingBlocks> copyingBlocks(const LoadCall& load);

}  // namespace jit::coopmat
