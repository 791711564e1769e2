// SPDX-License-Identifier: Apache-2.0

// What vectors are at one lane, made of scalars.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace jit::simt {

// What a vector is in the lanes of `mask`, where that chooses between two.
llvm::Value* chosenBy(const llvm::Value* mask, llvm::Value* vector);

// Of one lane, which is taken to be one of `mask`, if that is not null.
class LaneElement {
 public:
  LaneElement(llvm::IRBuilderBase& ir, unsigned lane, const llvm::Value* mask = nullptr)
      : ir_(ir), lane_(lane), mask_(mask) {}

  // Of what is alike in all lanes, of constants and of what is computed from these, scalars, each
  // made once; the element is taken out of any other vector.
  llvm::Value* of(llvm::Value* v);

 private:
  llvm::Value* ofOperation(llvm::Value* v);

  llvm::IRBuilderBase& ir_;
  const unsigned lane_;
  const llvm::Value* const mask_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> known_;
  unsigned depth_ = 0;
};

}  // namespace jit::simt
