// Conversions between the components of an operation, its packed operands and its accumulators.
#include "jit/ukernel/ukernel.h"

namespace jit::ukernel {
namespace {

llvm::Type* vectorOf(llvm::IRBuilderBase& builder, Component component, llvm::Value* like) {
  auto* type = llvm::cast<llvm::FixedVectorType>(like->getType());
  return llvm::FixedVectorType::get(coopmat::componentType(component, builder),
                                    type->getNumElements());
}

// Clamps 64-bit integers to the range of `to`.
llvm::Value* clamp(llvm::IRBuilderBase& builder, llvm::Value* wide, Component to) {
  unsigned bits = coopmat::info(to).bits;
  bool is_signed = coopmat::isSigned(to);
  llvm::APInt low = is_signed ? llvm::APInt::getSignedMinValue(bits).sext(64) : llvm::APInt(64, 0);
  llvm::APInt high = is_signed ? llvm::APInt::getSignedMaxValue(bits).sext(64)
                               : llvm::APInt::getMaxValue(bits).zext(64);
  auto bound = [&](const llvm::APInt& value) {
    return llvm::ConstantInt::get(wide->getType(), value);
  };
  llvm::Value* floored = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, wide, bound(low));
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, floored, bound(high));
}

}  // namespace

llvm::Value* widen(llvm::IRBuilderBase& builder, llvm::Value* vector, Component from,
                   Component to) {
  if (coopmat::bytesOf(from) == coopmat::bytesOf(to)) return vector;
  llvm::Type* type = vectorOf(builder, to, vector);
  if (coopmat::isFloat(from)) return builder.CreateFPExt(vector, type);
  return coopmat::isSigned(from) ? builder.CreateSExt(vector, type)
                                 : builder.CreateZExt(vector, type);
}

llvm::Value* narrow(llvm::IRBuilderBase& builder, const Row& row, const MulAdd& op,
                    llvm::Value* accumulators) {
  Component from = row.arithmetic->accumulator(op);
  if (!roundsEachStep(row, op)) return accumulators;
  if (op.saturating) accumulators = clamp(builder, accumulators, op.result);
  llvm::Type* type = vectorOf(builder, op.result, accumulators);
  return coopmat::isFloat(from) ? builder.CreateFPTrunc(accumulators, type)
                                : builder.CreateTrunc(accumulators, type);
}

}  // namespace jit::ukernel
