// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/elementwise.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

namespace jit {

bool isElementwise(const llvm::Instruction& instruction) {
  const llvm::FixedVectorType* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (type == nullptr) return false;
  auto fits = [&](const llvm::Value* operand) {
    const llvm::FixedVectorType* other = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
    return other == nullptr ? !operand->getType()->isVectorTy()
                            : other->getNumElements() == type->getNumElements();
  };
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) &&
           llvm::all_of(intrinsic->args(), fits);
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                   llvm::SelectInst, llvm::FreezeInst>(instruction) &&
         llvm::all_of(instruction.operands(), fits);
}

llvm::Value* emitElementwise(llvm::IRBuilderBase& builder, const llvm::Instruction& instruction,
                             llvm::ArrayRef<llvm::Value*> operands, unsigned elements) {
  auto* type = llvm::FixedVectorType::get(instruction.getType()->getScalarType(), elements);
  llvm::Value* result = nullptr;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    result = builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  } else if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
    result = builder.CreateUnOp(unary->getOpcode(), operands[0]);
  } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    result = builder.CreateCast(cast->getOpcode(), operands[0], type);
  } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    result = builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
  } else if (llvm::isa<llvm::SelectInst>(instruction)) {
    result = builder.CreateSelect(operands[0], operands[1], operands[2]);
  } else if (llvm::isa<llvm::FreezeInst>(instruction)) {
    result = builder.CreateFreeze(operands[0]);
  } else {
    auto& intrinsic = llvm::cast<llvm::IntrinsicInst>(instruction);
    result = builder.CreateIntrinsic(type, intrinsic.getIntrinsicID(), operands);
  }
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result)) made->copyIRFlags(&instruction);
  return result;
}

}  // namespace jit
