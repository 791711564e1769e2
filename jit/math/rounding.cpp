// SPDX-License-Identifier: Apache-2.0

#include "jit/math/rounding.h"

#include "jit/math/exponent.h"

namespace jit::math {
namespace {

bool isDouble(Term x) { return x.type()->getScalarType()->isDoubleTy(); }
bool isHalf(Term x) { return x.type()->getScalarType()->isHalfTy(); }

Term cast(Term x, llvm::Type* scalar) {
  return x.with(x.builder().CreateFPCast(x, x.like(scalar)));
}

// The next number towards zero where `mask` is set; x is not zero there. That of infinity is the
// largest number.
Term stepTowardsZero(Term x, Term mask) {
  Term bits = x.bits();
  Term one = bits.with(x.builder().CreateZExt(mask, bits.type()));
  return bits.minus(one).asFloat();
}

// `error` is not zero and of the other sign than `x`.
Term isOpposite(Term error, Term x) { return ((error < 0) & (x > 0)) | ((error > 0) & (x < 0)); }

Term overflowed(Term result, Term a, Term b) {
  return (abs(result) == kInfinity) & (abs(a) < kInfinity) & (abs(b) < kInfinity);
}

// A sum, and exactly what it lacks (Knuth's TwoSum).
struct Sum {
  Term value, error;
};

Sum exactSum(Term a, Term b) {
  Term sum = a + b;
  Term part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// The sum in the operands' own format.
Term sumTowardsZero(Term a, Term b) {
  auto [sum, error] = exactSum(a, b);
  return stepTowardsZero(sum, isOpposite(error, sum) | overflowed(sum, a, b));
}

// Products and quotients of binary64: small ones are looked at scaled up, where nothing underflows.
constexpr double kTiny = 0x1p-900, kScale = 0x1p200;

Term fma(Term a, Term b, Term c) {
  return a.with(a.builder().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()}, {a, b, c}));
}

Term wideProduct(Term a, Term b) {
  Term product = a * b;
  Term factor = select(abs(product) < kTiny, product.number(kScale), product.number(1));
  // Of the factors the smaller one is scaled, so that it does not overflow.
  Term a_is_less = abs(a) < abs(b);
  Term less = select(a_is_less, a, b) * factor, more = select(a_is_less, b, a);
  Term scaled = less * more;
  Term error = fma(less, more, -scaled);
  Term distance = abs(product) * factor - abs(scaled);
  Term too_large = (distance > 0) | ((distance == 0) & isOpposite(error, scaled));
  return stepTowardsZero(product, (too_large & !(product == 0)) | overflowed(product, a, b));
}

Term greater(Term a, Term b) {
  return a.with(a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b));
}
Term lesser(Term a, Term b) {
  return a.with(a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b));
}

// Whether the nearest number is too large is found by subtracting it from product and addend (Boldo
// and Muller, "Exact and approximated error of the FMA"), all scaled so that the product is near 1.
// What is farther from the other than kFar binary places counts only by its sign.
Term wideFma(Term a, Term b, Term c) {
  constexpr int kFar = 200, kOfZero = -10000;
  Term nearest = fma(a, b, c);
  auto [a_fraction, a_exponent] = frexp(a);
  auto [b_fraction, b_exponent] = frexp(b);
  auto [c_fraction, c_exponent] = frexp(c);
  auto whole = [&like = c_exponent](int n) {
    return like.integer(static_cast<uint64_t>(int64_t{n}));
  };
  Term product = a_fraction * b_fraction;
  Term below_product = fma(a_fraction, b_fraction, -product);
  Term exponent = select(product == 0, whole(kOfZero), a_exponent.plus(b_exponent));
  c_exponent = select(c == 0, whole(kOfZero), c_exponent);
  Term distance = greater(lesser(c_exponent.minus(exponent), whole(kFar)), whole(-kFar));
  Term scale = greater(exponent, c_exponent.minus(whole(kFar)));
  auto [upper, lowest] = exactSum(ldexp(c_fraction, distance), below_product);
  auto [sum, below_sum] = exactSum(product, upper);
  Term error = ((sum - ldexp(nearest, whole(0).minus(scale))) + below_sum) + lowest;
  Term overflow = overflowed(nearest, a, b) & (abs(c) < kInfinity);
  return stepTowardsZero(nearest, isOpposite(error, nearest) | overflow);
}

Term wideQuotient(Term a, Term b) {
  Term quotient = a / b;
  Term factor = select(abs(a) < kTiny, a.number(kScale), a.number(1));
  // What the quotient is multiplied by exceeds the dividend: the difference is of its sign.
  Term excess = fma(abs(quotient), abs(b) * factor, -(abs(a) * factor));
  Term too_large = (excess > 0) & !(quotient == 0) & (abs(quotient) < kInfinity);
  Term overflow = overflowed(quotient, a, b) & !(b == 0);
  return stepTowardsZero(quotient, too_large | overflow);
}

Term wideRoot(Term a) {
  Term root = sqrt(a);
  Term tiny = a < kTiny;
  Term scaled_root = select(tiny, root * 0x1p100, root);
  Term excess = fma(scaled_root, scaled_root, -select(tiny, a * kScale, a));
  return stepTowardsZero(root, (excess > 0) & (root > 0) & (root < kInfinity));
}

// To a format of at most half the precision, or to itself.
Term narrowOnce(Term x, llvm::Type* scalar) {
  Term narrow = cast(x, scalar);
  Term back = cast(narrow, x.type()->getScalarType());
  return stepTowardsZero(narrow, abs(back) > abs(x));
}

// The upper half of a binary32 after adding to it.
Term upperHalf(Term bits) {
  llvm::IRBuilderBase& builder = bits.builder();
  llvm::Value* half =
      builder.CreateTrunc(bits.shiftRightLogical(16), bits.like(builder.getInt16Ty()));
  return bits.with(builder.CreateBitCast(half, bits.like(builder.getBFloatTy())));
}

Term quietNan(Term bits) { return bits | bits.integer(0x400000); }

}  // namespace

// Narrower formats are computed in binary64. Products are exact there; sums are rounded towards
// zero; and quotients and roots of short numbers are never so near to a short number that rounding
// them to binary64 would reach it.

Term addTowardsZero(Term a, Term b) {
  if (isDouble(a)) return sumTowardsZero(a, b);
  return narrowTowardsZero(sumTowardsZero(a.toDouble(), b.toDouble()), a.type()->getScalarType());
}

Term multiplyTowardsZero(Term a, Term b) {
  if (isDouble(a)) return wideProduct(a, b);
  return narrowTowardsZero(a.toDouble() * b.toDouble(), a.type()->getScalarType());
}

Term divideTowardsZero(Term a, Term b) {
  if (isDouble(a)) return wideQuotient(a, b);
  return narrowTowardsZero(a.toDouble() / b.toDouble(), a.type()->getScalarType());
}

Term sqrtTowardsZero(Term a) {
  if (isDouble(a)) return wideRoot(a);
  return narrowTowardsZero(sqrt(a.toDouble()), a.type()->getScalarType());
}

Term fmaTowardsZero(Term a, Term b, Term c) {
  if (isDouble(a)) return wideFma(a, b, c);
  return narrowTowardsZero(sumTowardsZero(a.toDouble() * b.toDouble(), c.toDouble()),
                           a.type()->getScalarType());
}

Term narrowTowardsZero(Term x, llvm::Type* scalar) {
  if (isDouble(x) && scalar->isHalfTy()) x = narrowOnce(x, x.builder().getFloatTy());
  return narrowOnce(x, scalar);
}

Term integerTowardsZero(Term x, bool is_signed, llvm::Type* scalar) {
  llvm::IRBuilderBase& builder = x.builder();
  const unsigned bits = x.type()->getScalarSizeInBits();
  if (scalar->isHalfTy())
    return narrowTowardsZero(integerTowardsZero(x, is_signed, builder.getFloatTy()), scalar);
  const unsigned precision = scalar->isDoubleTy() ? 53 : 24;
  Term magnitude =
      is_signed ? x.with(builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, builder.getFalse()))
                : x;
  if (bits > precision) {
    // Bits that do not fit are cleared; the rest converts without rounding.
    Term zeros =
        x.with(builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, magnitude, builder.getFalse()));
    Term kept = x.integer(bits - precision);
    Term dropped = x.with(builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, kept, zeros));
    magnitude = magnitude & x.with(builder.CreateShl(x.integer(~uint64_t{0}), dropped));
  }
  Term result = x.with(builder.CreateUIToFP(magnitude, x.like(scalar)));
  return is_signed ? select(x.isNegative(), -result, result) : result;
}

// Towards zero, but to an odd number where it is not exact.
Term narrowToOdd(Term x) {
  Term narrow = narrowOnce(x, x.builder().getFloatTy());
  Term inexact = abs(cast(narrow, x.builder().getDoubleTy())) < abs(x);
  Term bits = narrow.bits();
  return (bits | bits.with(x.builder().CreateZExt(inexact, bits.type()))).asFloat();
}

Term narrowToHalf(Term x) {
  return cast(isDouble(x) ? narrowToOdd(x) : x, x.builder().getHalfTy());
}

Term narrowToBfloat(Term x) {
  if (isHalf(x)) x = x.toFloat();
  if (isDouble(x)) x = narrowToOdd(x);
  Term bits = x.bits();
  Term odd = bits.shiftRightLogical(16) & 1;
  return upperHalf(select(x.isNan(), quietNan(bits), bits.plus(odd.plus(0x7fff))));
}

Term narrowToBfloatTowardsZero(Term x) {
  if (isHalf(x)) x = x.toFloat();
  if (isDouble(x)) x = narrowOnce(x, x.builder().getFloatTy());
  Term bits = x.bits();
  return upperHalf(select(x.isNan(), quietNan(bits), bits));
}

Term flushDenormals(Term x) {
  const double least = isDouble(x) ? 0x1p-1022 : isHalf(x) ? 0x1p-14 : 0x1p-126;
  return select(abs(x) < least, copySign(x.number(0), x), x);
}

}  // namespace jit::math
