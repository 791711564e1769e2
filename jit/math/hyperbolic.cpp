// SPDX-License-Identifier: Apache-2.0

// sinh, cosh, tanh through e^x, and by polynomials where that would cancel; their inverses through
// log(1 + x).
#include "jit/math/function_body.h"
#include "jit/math/polynomials.h"

namespace jit::math {
namespace {

// From here on x*x + 1 and x*x - 1 are x*x.
constexpr double kLarge = 0x1p13;

// e^|x| / 2. Infinite where e^|x| is, though sinh and cosh are not yet: the CTS takes Vulkan's
// formulas at their word.
Term halfExponential(const Body& body, Term x) { return exp(body, abs(x)) * 0.5; }

}  // namespace

Term sinh(const Body& body, Term x) {
  Term square = x * x;
  Term small = body.multiplyAdd(x * square, body.polynomial(square, kSinh), x);
  Term half = halfExponential(body, x);
  return select(abs(x) < 1, small, copySign(half - 0.25 / half, x));
}

Term cosh(const Body& body, Term x) {
  Term half = halfExponential(body, x);
  return half + 0.25 / half;
}

Term tanh(const Body& body, Term x) {
  Term square = x * x;
  Term small = body.multiplyAdd(x * square, body.polynomial(square, kTanh), x);
  Term large = 1.0 - 2.0 / (exp(body, 2.0 * abs(x)) + 1.0);
  return copySign(select(abs(x) < 0.625, small, large), x);
}

Term asinh(const Body& body, Term x) {
  Term magnitude = abs(x);
  Term large = magnitude > kLarge;
  Term square = magnitude * magnitude;
  Term sum = magnitude + square / (1.0 + sqrt(1.0 + square));
  return copySign(log1p(body, select(large, magnitude, sum), large), x);
}

Term acosh(const Body& body, Term x) {
  Term large = x > kLarge;
  Term t = x - 1;
  Term sum = t + sqrt(t * (t + 2));
  Term result = log1p(body, select(large, x, sum), large);
  return select(x >= 1, result, kNan);
}

Term atanh(const Body& body, Term x) {
  Term magnitude = abs(x);
  Term twice = (magnitude + magnitude) / (1.0 - magnitude);
  Term never = x.with(llvm::Constant::getNullValue(x.like(x.builder().getInt1Ty())));
  return copySign(0.5 * log1p(body, twice, never), x);
}

}  // namespace jit::math
