// SPDX-License-Identifier: Apache-2.0

// asin, acos, atan, atan2: polynomials on [0, 1/2] and [0, 1], and identities for the rest.
#include "jit/math/function_body.h"
#include "jit/math/polynomials.h"

namespace jit::math {
namespace {

// As floats with what is missing.
constexpr double kHalfPi = 0x1.921fb6p0, kHalfPiRest = -0x1.777a5cf72cecep-25;
constexpr double kPi = 0x1.921fb6p1, kPiRest = -0x1.777a5cf72cecep-24;

// atan of t in [0, 1], asin of t in [0, 1/2].
template <size_t N>
Term oddPolynomial(const Body& body, Term t, Term square, const float (&coefficients)[N]) {
  return body.multiplyAdd(t * square, body.polynomial(square, coefficients), t);
}

struct HalfAngle {
  Term small;  // |x| <= 1/2
  Term angle;  // asin |x| where small, else asin sqrt((1 - |x|) / 2), which is half of acos |x|
};

HalfAngle halfAngle(const Body& body, Term x) {
  Term magnitude = abs(x);
  Term small = magnitude <= 0.5;
  Term square = select(small, magnitude * magnitude, (1.0 - magnitude) * 0.5);
  Term t = select(small, magnitude, sqrt(square));
  return {small, oddPolynomial(body, t, square, kAsin)};
}

}  // namespace

Term asin(const Body& body, Term x) {
  HalfAngle half = halfAngle(body, x);
  Term large = kHalfPi - (2.0 * half.angle - kHalfPiRest);
  return copySign(select(half.small, half.angle, large), x);
}

Term acos(const Body& body, Term x) {
  HalfAngle half = halfAngle(body, x);
  Term small = kHalfPi - (copySign(half.angle, x) - kHalfPiRest);
  Term twice = 2.0 * half.angle;
  Term large = select(x < 0, kPi - (twice - kPiRest), twice);
  return select(half.small, small, large);
}

Term atan(const Body& body, Term x) {
  Term magnitude = abs(x);
  Term large = magnitude > 1;
  Term t = select(large, 1.0 / magnitude, magnitude);
  Term angle = oddPolynomial(body, t, t * t, kAtan);
  angle = select(large, kHalfPi - (angle - kHalfPiRest), angle);
  return copySign(angle, x);
}

Term atan2(const Body& body, Term y, Term x) {
  Term width = abs(x), height = abs(y);
  Term steep = height > width;
  Term numerator = select(steep, width, height), denominator = select(steep, height, width);
  // Quotients of two zeros and of two infinities are as the limits along the axes and diagonals.
  Term t = select(numerator == denominator, select(numerator == 0, numerator, numerator.number(1)),
                  numerator / denominator);
  Term angle = oddPolynomial(body, t, t * t, kAtan);
  angle = select(steep, kHalfPi - (angle - kHalfPiRest), angle);
  angle = select(x.bits().isNegative(), kPi - (angle - kPiRest), angle);
  return copySign(angle, y);
}

}  // namespace jit::math
