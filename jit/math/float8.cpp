// SPDX-License-Identifier: Apache-2.0

#include "jit/math/float8.h"

#include <cmath>

#include "jit/math/rounding.h"

namespace jit::math {
namespace {

struct Format {
  unsigned mantissa;           // bits of it
  unsigned bias;               // of the exponent
  uint64_t largest, overflow;  // codes of the largest number, and of what is too large
  uint64_t nan;
};

constexpr Format kE4M3 = {3, 7, 0x7e, 0x7f, 0x7f};
constexpr Format kE5M2 = {2, 15, 0x7b, 0x7c, 0x7e};

constexpr unsigned kSingleMantissa = 23, kSingleBias = 127;

Term lesser(Term a, uint64_t b) {
  return a.with(a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, a.integer(b)));
}

// A float of any other format so that rounding it again, to 8 bits, is as rounding once.
Term toSingle(Term x) {
  return x.type()->getScalarType()->isDoubleTy() ? narrowToOdd(x) : x.toFloat();
}

// The code of a number that is not less than the least normal one, with an exponent that has no
// end.
Term normalCode(Term magnitude, const Format& format) {
  const unsigned dropped = kSingleMantissa - format.mantissa;
  const uint64_t almost_half = (uint64_t{1} << (dropped - 1)) - 1;
  const uint64_t bias = uint64_t{kSingleBias - format.bias} << kSingleMantissa;
  Term odd = magnitude.shiftRightLogical(dropped) & 1;
  return magnitude.plus(odd).plus(almost_half - bias).shiftRightLogical(dropped);
}

// The code of a number that is less: how many times it has the least subnormal one in it. The
// addition rounds, as the sum has its last place where the least subnormal number is.
Term subnormalCode(Term magnitude, const Format& format) {
  const int unit = 1 - static_cast<int>(format.bias + format.mantissa);
  Term x = magnitude.asFloat();
  Term high = x.number(std::ldexp(1.0, unit + static_cast<int>(kSingleMantissa)));
  return (x + high).bits().minus(high.bits());
}

}  // namespace

// Both formats become a half, exactly, with the machine's instruction from there.
Term widenFloat8(Term bits, Float8 format) {
  llvm::IRBuilderBase& builder = bits.builder();
  Term word = bits.with(builder.CreateSExt(bits, bits.like(builder.getInt16Ty())));
  if (format == Float8::E5M2) return word.shiftLeft(8).asFloat().toFloat();
  // With an exponent of five bits the number is 2^8 times less, whether it is normal or not, and
  // NaN is 1.875. One more in the last place carries into the exponent's highest bit for that
  // alone.
  Term half = word.shiftLeft(7) & 0xbf80;
  Term nan = half.plus(0x80) & 0x4000;
  return (half | nan).asFloat().toFloat() * 0x1p8;
}

Term narrowToFloat8(Term x, Float8 name, Float8Overflow overflow) {
  llvm::IRBuilderBase& builder = x.builder();
  const Format& format = name == Float8::E4M3 ? kE4M3 : kE5M2;
  x = toSingle(x);
  Term bits = x.bits();
  Term magnitude = bits & 0x7fffffff;
  const uint64_t least_normal = uint64_t{kSingleBias + 1 - format.bias} << kSingleMantissa;
  Term is_subnormal = bits.with(builder.CreateICmpULT(magnitude, magnitude.integer(least_normal)));
  const uint64_t most = overflow == Float8Overflow::Saturates ? format.largest : format.overflow;
  Term code = lesser(normalCode(magnitude, format), most);
  code = select(is_subnormal, subnormalCode(magnitude, format), code);
  // As bits NaN is larger than all numbers.
  if (most != format.nan) code = select(x.isNan(), code.integer(format.nan), code);
  code = code | (bits.shiftRightLogical(24) & 0x80);
  return code.with(builder.CreateTrunc(code, code.like(builder.getInt8Ty())));
}

}  // namespace jit::math
