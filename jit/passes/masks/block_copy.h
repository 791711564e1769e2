// SPDX-License-Identifier: Apache-2.0

// A second version of some blocks of a function.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Casting.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace jit::simt {

class BlockCopy {
 public:
  // Copies of `blocks`, in the same order, in front of the first one. They branch to each other and
  // use each other's values, but nothing branches to them, and the phis of blocks that they leave
  // for do not know them yet.
  explicit BlockCopy(llvm::ArrayRef<llvm::BasicBlock*> blocks);
  BlockCopy(const BlockCopy&) = delete;
  BlockCopy& operator=(const BlockCopy&) = delete;

  llvm::ArrayRef<llvm::BasicBlock*> blocks() const { return blocks_; }

  // The copy of a value or block; itself if it has none.
  template <typename T>
  T* of(T* value) const {
    const auto mapped = map_.find(value);
    return mapped == map_.end() ? value : llvm::cast<T>(static_cast<llvm::Value*>(mapped->second));
  }

  // `from`, which is or follows the copy of `block`, branches to `exit` as `block` does: its phis
  // get the copies of what they get from `block`.
  void arrive(llvm::BasicBlock& exit, const llvm::BasicBlock* block, llvm::BasicBlock* from) const;

 private:
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks_;
  llvm::ValueToValueMapTy map_;
};

}  // namespace jit::simt
