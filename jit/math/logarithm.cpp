// SPDX-License-Identifier: Apache-2.0

// Logarithms: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m by a polynomial in f = m - 1.
#include "jit/math/function_body.h"
#include "jit/math/polynomials.h"

namespace jit::math {
namespace {

constexpr uint32_t kRootHalf = 0x3f3504f3;  // bits of sqrt(1/2)

struct Split {
  Term exponent, mantissa;  // both float; exponent is whole
};

Split split(Term x, bool has_denormals) {
  Term bits = x.bits();
  Term denormal = x < 0x1p-126;
  if (has_denormals) bits = select(denormal, (x * 0x1p23).bits(), bits);
  bits = bits.minus(kRootHalf);
  Term exponent = bits.shiftRight(23).signedToFloat();
  if (has_denormals) exponent = select(denormal, exponent - 23, exponent);
  return {exponent, (bits & 0x7fffff).plus(kRootHalf).asFloat()};
}

// log(1 + f) - f: f^2 (f P(f) - 1/2), so that log(1 + f) is accurate relative to itself near 0.
Term log1pRest(const Body& body, Term f) {
  Term square = f * f;
  return body.multiplyAdd(square * f, body.polynomial(f, kLog), square * -0.5);
}

// Where x is no positive number.
Term special(Term x, Term result) {
  result = select(x > 0, result, select(x == 0, -kInfinity, x.number(kNan)));
  return select(x == kInfinity, x, result);
}

Term combine(const Body& body, Term exponent, Term f) {
  Term rest = body.multiplyAdd(exponent, kLog2Low, log1pRest(body, f));
  return body.multiplyAdd(exponent, kLog2High, f + rest);
}

}  // namespace

Term log(const Body& body, Term x) {
  Split s = split(x, true);
  return special(x, combine(body, s.exponent, s.mantissa - 1));
}

Term log1p(const Body& body, Term x, Term doubled) {
  Term sum = 1.0 + x;
  Term one = sum - x;
  // What is lost in the sum (exact: Knuth's TwoSum); nothing matters where x is large.
  Term lost = select(doubled, 0.0, (1.0 - one) + (x - (sum - one)));
  Term w = select(doubled, x, sum);
  Split s = split(w, false);
  // w >= 1/2 and so exponent >= 0; 2^-exponent is exact, or 0 where nothing was lost.
  Term exponent_bits = w.bits().minus(kRootHalf).shiftRight(23);
  Term back = (x.bits().integer(127).minus(exponent_bits)).shiftLeft(23).asFloat();
  Term f = body.multiplyAdd(lost, select(doubled, 0.0, back), s.mantissa - 1);
  Term exponent = select(doubled, s.exponent + 1, s.exponent);
  return special(w, combine(body, exponent, f));
}

Term log2(const Body& body, Term x) {
  // 1 / log 2 in two parts; the product of the first with a number of 12 bits is exact.
  constexpr double kHigh = 0x1.714p0, kLow = 0x1.47652b82fe177p-12, kWhole = 0x1.71547652b82fep0;
  Split s = split(x, true);
  Term f = s.mantissa - 1;
  Term high = (f.bits() & 0xfffff000).asFloat();
  Term rest = body.multiplyAdd(f - high, kWhole, log1pRest(body, f) * kWhole);
  rest = body.multiplyAdd(high, kLow, rest);
  return special(x, s.exponent + body.multiplyAdd(high, kHigh, rest));
}

// 2^(y log2 x), the logarithm and the product in binary64: their error is what the exponential
// multiplies by up to 128.
Term pow(const Body& body, Term x, Term y) {
  constexpr double kRounder = 0x1.8p52;
  Split s = split(x, true);
  Term m = s.mantissa.toDouble();
  Term t = (m - 1) / (m + 1);
  Term logarithm = body.multiplyAdd(t, body.polynomial(t * t, kLog2Wide), s.exponent.toDouble());
  Term wide = x.toDouble();
  Term product = limit(y.toDouble() * special(wide, logarithm), -160, 160);
  Term whole = product + kRounder - kRounder;
  Term f = (product - whole).toFloat();
  // The limits keep it in range; NaN keeps to the fraction.
  Term n = whole.toFloat() + 0x1.8p23;
  Term result = scale({exp2Fraction(body, f), n.bits().minus(0x4b400000)});
  // As IEEE 754 has it, also where the product is 0 times infinity.
  return select((y == 0) | (x == 1), 1.0, result);
}

}  // namespace jit::math
