// SPDX-License-Identifier: Apache-2.0

// e^x, 2^x: x = n + f (in units of log 2), 2^n as exponent bits, 2^f by a polynomial.
#include "jit/math/function_body.h"
#include "jit/math/polynomials.h"

namespace jit::math {
namespace {

// Adding it to a float of magnitude up to 2^22 rounds that to an integer, which the low bits hold.
constexpr double kRounder = 0x1.8p23;
constexpr uint32_t kRounderBits = 0x4b400000;

Term powerOfTwo(Term exponent) { return exponent.plus(127).shiftLeft(23).asFloat(); }

}  // namespace

Term exp(const Body& body, Term x) {
  x = limit(x, -104, 90);
  Term shifted = body.multiplyAdd(x, 0x1.715476p+0, x.number(kRounder));
  Term n = shifted - kRounder;
  Term r = body.multiplyAdd(n, -kLog2High, x);
  r = body.multiplyAdd(n, -kLog2Low, r);
  Term fraction = 1.0 + body.multiplyAdd(r * r, body.polynomial(r, kExp), r);
  return scale({fraction, shifted.bits().minus(kRounderBits)});
}

Term exp2Fraction(const Body& body, Term f) {
  Term slope = body.multiplyAdd(f, body.polynomial(f, kExp2), f.number(0x1.62e42fefa39efp-1));
  return body.multiplyAdd(f, slope, f.number(1));
}

Term scale(Scaled x) {
  // In two steps, as 2^exponent may be beyond a float when the result is not. The first is exact.
  Term half = x.exponent.shiftRight(1);
  return x.fraction * powerOfTwo(half) * powerOfTwo(x.exponent.minus(half));
}

Term exp2(const Body& body, Term x) {
  x = limit(x, -151, 129);
  Term shifted = x + kRounder;
  Term f = x - (shifted - kRounder);
  return scale({exp2Fraction(body, f), shifted.bits().minus(kRounderBits)});
}

}  // namespace jit::math
