// SPDX-License-Identifier: Apache-2.0

// LLVM's masked accesses to memory, taken apart.
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace jit::simt {

// Operands of llvm.masked.gather(pointers, mask, otherwise), llvm.masked.scatter(values, pointers,
// mask), and llvm.masked.load and store, whose pointer is one.
struct MaskedAccess {
  bool reads;
  llvm::Value *pointers, *mask, *values;  // values: what masked lanes of a read are
  llvm::Align alignment;

  llvm::FixedVectorType* type() const {
    return llvm::cast<llvm::FixedVectorType>(values->getType());
  }
  // Whether each lane has a pointer of its own: a gather or a scatter.
  bool isApart() const { return pointers->getType()->isVectorTy(); }
  // Whether the machine has such an access to vectors of `type`.
  bool isLegal(llvm::FixedVectorType* type, const llvm::TargetTransformInfo& machine) const;
};

// Whether the machine loads or stores vectors of `type` under a mask.
bool hasMaskedLoad(const llvm::TargetTransformInfo& machine, llvm::Type* type, llvm::Align align);
bool hasMaskedStore(const llvm::TargetTransformInfo& machine, llvm::Type* type, llvm::Align align);

std::optional<MaskedAccess> matchMaskedAccess(const llvm::Instruction& instruction);

// Where a load of a vector reads, masked or not; null for anything else.
llvm::Value* vectorReadFrom(llvm::Instruction& instruction);

}  // namespace jit::simt
