// SPDX-License-Identifier: Apache-2.0

// Arithmetic on LLVM values, written as arithmetic. A term is a scalar or a vector; constants take
// the shape of the term beside them. Every operation is one instruction (or intrinsic) of the same
// name, without fast-math flags.
#pragma once

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

namespace jit::math {

inline constexpr double kInfinity = __builtin_inf();
inline constexpr double kNan = __builtin_nan("");

class Term {
 public:
  Term(llvm::IRBuilderBase& builder, llvm::Value* value) : builder_(&builder), value_(value) {}

  llvm::IRBuilderBase& builder() const { return *builder_; }
  llvm::Value* value() const { return value_; }
  llvm::Type* type() const { return value_->getType(); }

  // A number of this term's type.
  Term number(double x) const { return with(llvm::ConstantFP::get(type(), x)); }
  Term integer(uint64_t x) const {
    const unsigned bits = type()->getScalarSizeInBits();
    return with(llvm::ConstantInt::get(type(), llvm::APInt(64, x).zextOrTrunc(bits)));
  }
  // `scalar`, shaped as this term is.
  llvm::Type* like(llvm::Type* scalar) const {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type());
    return vector ? llvm::FixedVectorType::get(scalar, vector->getNumElements()) : scalar;
  }
  Term with(llvm::Value* value) const { return Term(*builder_, value); }

  // Floats.
  friend Term operator+(Term a, Term b) { return a.with(a.builder_->CreateFAdd(a, b)); }
  friend Term operator-(Term a, Term b) { return a.with(a.builder_->CreateFSub(a, b)); }
  friend Term operator*(Term a, Term b) { return a.with(a.builder_->CreateFMul(a, b)); }
  friend Term operator/(Term a, Term b) { return a.with(a.builder_->CreateFDiv(a, b)); }
  friend Term operator+(Term a, double b) { return a + a.number(b); }
  friend Term operator-(Term a, double b) { return a - a.number(b); }
  friend Term operator*(Term a, double b) { return a * a.number(b); }
  friend Term operator+(double a, Term b) { return b.number(a) + b; }
  friend Term operator-(double a, Term b) { return b.number(a) - b; }
  friend Term operator*(double a, Term b) { return b.number(a) * b; }
  friend Term operator/(double a, Term b) { return b.number(a) / b; }
  Term operator-() const { return with(builder_->CreateFNeg(value_)); }
  // Comparisons are false where an operand is NaN.
  friend Term operator<(Term a, Term b) { return a.with(a.builder_->CreateFCmpOLT(a, b)); }
  friend Term operator>(Term a, Term b) { return a.with(a.builder_->CreateFCmpOGT(a, b)); }
  friend Term operator<=(Term a, Term b) { return a.with(a.builder_->CreateFCmpOLE(a, b)); }
  friend Term operator>=(Term a, Term b) { return a.with(a.builder_->CreateFCmpOGE(a, b)); }
  friend Term operator==(Term a, Term b) { return a.with(a.builder_->CreateFCmpOEQ(a, b)); }
  friend Term operator<(Term a, double b) { return a < a.number(b); }
  friend Term operator>(Term a, double b) { return a > a.number(b); }
  friend Term operator<=(Term a, double b) { return a <= a.number(b); }
  friend Term operator>=(Term a, double b) { return a >= a.number(b); }
  friend Term operator==(Term a, double b) { return a == a.number(b); }
  Term isNan() const { return with(builder_->CreateFCmpUNO(value_, value_)); }

  // Integers and masks.
  Term plus(Term b) const { return with(builder_->CreateAdd(value_, b)); }
  Term plus(uint64_t b) const { return plus(integer(b)); }
  Term minus(Term b) const { return with(builder_->CreateSub(value_, b)); }
  Term minus(uint64_t b) const { return minus(integer(b)); }
  Term operator&(Term b) const { return with(builder_->CreateAnd(value_, b)); }
  Term operator&(uint64_t b) const { return *this & integer(b); }
  Term operator|(Term b) const { return with(builder_->CreateOr(value_, b)); }
  Term operator^(Term b) const { return with(builder_->CreateXor(value_, b)); }
  Term operator!() const { return with(builder_->CreateNot(value_)); }
  Term shiftLeft(unsigned n) const { return with(builder_->CreateShl(value_, integer(n))); }
  Term shiftRight(unsigned n) const { return with(builder_->CreateAShr(value_, integer(n))); }
  Term shiftRightLogical(unsigned n) const {
    return with(builder_->CreateLShr(value_, integer(n)));
  }
  Term isZero() const { return with(builder_->CreateICmpEQ(value_, integer(0))); }
  Term isNotZero() const { return with(builder_->CreateICmpNE(value_, integer(0))); }
  Term isNegative() const { return with(builder_->CreateICmpSLT(value_, integer(0))); }

  // Bits of a float as an integer of the same width, and back.
  Term bits() const {
    return with(
        builder_->CreateBitCast(value_, like(builder_->getIntNTy(type()->getScalarSizeInBits()))));
  }
  Term asFloat() const {
    llvm::Type* scalar = type()->getScalarSizeInBits() == 64   ? builder_->getDoubleTy()
                         : type()->getScalarSizeInBits() == 32 ? builder_->getFloatTy()
                                                               : builder_->getHalfTy();
    return with(builder_->CreateBitCast(value_, like(scalar)));
  }
  // Between widths of floats: exact, or rounded to nearest even.
  Term toFloat() const {
    return with(builder_->CreateFPCast(value_, like(builder_->getFloatTy())));
  }
  Term toDouble() const {
    return with(builder_->CreateFPCast(value_, like(builder_->getDoubleTy())));
  }
  // A signed integer as a float.
  Term signedToFloat() const {
    return with(builder_->CreateSIToFP(value_, like(builder_->getFloatTy())));
  }

  operator llvm::Value*() const { return value_; }

 private:
  llvm::IRBuilderBase* builder_;
  llvm::Value* value_;
};

inline Term select(Term mask, Term a, Term b) {
  return a.with(a.builder().CreateSelect(mask, a, b));
}
inline Term select(Term mask, Term a, double b) { return select(mask, a, a.number(b)); }
inline Term select(Term mask, double a, Term b) { return select(mask, b.number(a), b); }
inline Term abs(Term x) {
  return x.with(x.builder().CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x));
}
inline Term sqrt(Term x) {
  return x.with(x.builder().CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
}
inline Term copySign(Term magnitude, Term sign) {
  return sign.with(
      sign.builder().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign));
}
// x limited to [low, high]; NaN stays.
inline Term limit(Term x, double low, double high) {
  x = select(x < low, low, x);
  return select(x > high, high, x);
}
// i1: some element of a mask is set.
inline Term any(Term mask) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(mask.type());
  if (!vector) return mask;
  llvm::IRBuilderBase& builder = mask.builder();
  llvm::Type* word = builder.getIntNTy(vector->getNumElements());
  return mask.with(builder.CreateIsNotNull(builder.CreateBitCast(mask, word)));
}

}  // namespace jit::math
