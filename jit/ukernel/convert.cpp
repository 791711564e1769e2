// SPDX-License-Identifier: Apache-2.0

// Conversions between the components of an operation, its packed operands and its accumulators.
#include <optional>

#include "jit/math/float8.h"
#include "jit/math/rounding.h"
#include "jit/ukernel/ukernel.h"

namespace jit::ukernel {
namespace {

llvm::Type* vectorOf(llvm::IRBuilderBase& builder, Component component, llvm::Value* like) {
  auto* type = llvm::cast<llvm::FixedVectorType>(like->getType());
  return llvm::FixedVectorType::get(coopmat::componentType(component, builder),
                                    type->getNumElements());
}

std::optional<math::Float8> float8Of(Component component) {
  switch (component) {
    case Component::E4M3:
      return math::Float8::E4M3;
    case Component::E5M2:
      return math::Float8::E5M2;
    default:
      return std::nullopt;
  }
}

// The same with every instruction set; subnormals are kept.
llvm::Value* narrowFloats(llvm::IRBuilderBase& builder, llvm::Value* vector, Component to) {
  if (auto format = float8Of(to)) return math::narrowToFloat8({builder, vector}, *format);
  if (to == Component::BF16) return math::narrowToBfloat({builder, vector});
  return builder.CreateFPTrunc(vector, vectorOf(builder, to, vector));
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
  if (auto format = float8Of(from)) {
    vector = math::widenFloat8({builder, vector}, *format);
    from = Component::F32;
    if (from == to) return vector;
  }
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
  if (coopmat::isFloat(from)) return narrowFloats(builder, accumulators, op.result);
  return builder.CreateTrunc(accumulators, vectorOf(builder, op.result, accumulators));
}

}  // namespace jit::ukernel
