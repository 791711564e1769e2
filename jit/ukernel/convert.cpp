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

// Floats of 32 bits that bf16 has as well.
llvm::Value* upperHalves(llvm::IRBuilderBase& builder, llvm::Value* vector) {
  auto* bits = llvm::cast<llvm::FixedVectorType>(vectorOf(builder, Component::S32, vector));
  llvm::Value* upper = builder.CreateLShr(builder.CreateBitCast(vector, bits), 16);
  auto* halves = llvm::FixedVectorType::get(builder.getInt16Ty(), bits->getNumElements());
  return builder.CreateBitCast(builder.CreateTrunc(upper, halves),
                               vectorOf(builder, Component::BF16, vector));
}

// Floats of 32 bits as the sum of those that bf16 has and the rest.
struct Parts {
  llvm::Value *upper, *lower;
};
Parts split(llvm::IRBuilderBase& builder, llvm::Value* vector) {
  llvm::Type* bits = vectorOf(builder, Component::S32, vector);
  llvm::Value* upper = builder.CreateAnd(builder.CreateBitCast(vector, bits), 0xffff0000);
  upper = builder.CreateBitCast(upper, vector->getType());
  return {upper, builder.CreateFSub(vector, upper)};
}

// The upper halves of two vectors, in turns, as bf16.
llvm::Value* joinUpperHalves(llvm::IRBuilderBase& builder, llvm::Value* even, llvm::Value* odd) {
  llvm::Type* bits = vectorOf(builder, Component::S32, even);
  llvm::Value* low = builder.CreateLShr(builder.CreateBitCast(even, bits), 16);
  llvm::Value* high = builder.CreateAnd(builder.CreateBitCast(odd, bits), 0xffff0000);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(bits)->getNumElements();
  return builder.CreateBitCast(
      builder.CreateOr(low, high),
      llvm::FixedVectorType::get(coopmat::componentType(Component::BF16, builder), 2 * count));
}

// Every second element.
llvm::Value* everySecond(llvm::IRBuilderBase& builder, llvm::Value* vector, int first) {
  const auto count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::SmallVector<int> elements;
  for (int i = first; i < static_cast<int>(count); i += 2) elements.push_back(i);
  return builder.CreateShuffleVector(vector, elements);
}

// Floats of 32 bits in a register of the largest.
constexpr unsigned kMostFloats = 16;

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
    if (to == Component::BF16) return upperHalves(builder, vector);
    if (to == Component::F16) return builder.CreateFPTrunc(vector, vectorOf(builder, to, vector));
  }
  llvm::Type* type = vectorOf(builder, to, vector);
  if (coopmat::isFloat(from)) return builder.CreateFPExt(vector, type);
  return coopmat::isSigned(from) ? builder.CreateSExt(vector, type)
                                 : builder.CreateZExt(vector, type);
}

llvm::SmallVector<llvm::Value*, 2> widenToPlanes(llvm::IRBuilderBase& builder, llvm::Value* vector,
                                                 Component from, Component to, uint32_t planes) {
  if (planes == 1) return {widen(builder, vector, from, to)};
  if (llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() <= kMostFloats) {
    const Parts parts = split(builder, widen(builder, vector, from, Component::F32));
    return {upperHalves(builder, parts.upper), upperHalves(builder, parts.lower)};
  }
  // What comes from several registers of floats goes together without a shuffle, in turns.
  return interleaveInPlanes(builder, everySecond(builder, vector, 0),
                            everySecond(builder, vector, 1), from);
}

llvm::SmallVector<llvm::Value*, 2> interleaveInPlanes(llvm::IRBuilderBase& builder,
                                                      llvm::Value* even, llvm::Value* odd,
                                                      Component from) {
  const Parts first = split(builder, widen(builder, even, from, Component::F32));
  const Parts second = split(builder, widen(builder, odd, from, Component::F32));
  return {joinUpperHalves(builder, first.upper, second.upper),
          joinUpperHalves(builder, first.lower, second.lower)};
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
