// SPDX-License-Identifier: Apache-2.0

#include "jit/math/exponent.h"

#include <cmath>

namespace jit::math {
namespace {

struct Layout {
  unsigned mantissa_bits;
  int bias;
};

Layout layoutOf(Term x) {
  return x.type()->getScalarType()->isDoubleTy() ? Layout{52, 1023} : Layout{23, 127};
}

// An i32 as an integer of the width of `x`.
Term widened(Term integer, Term x) {
  return integer.with(integer.builder().CreateSExt(integer, x.bits().type()));
}

Term powerOfTwo(Term exponent, Term x) {
  const Layout layout = layoutOf(x);
  return widened(exponent, x)
      .plus(static_cast<uint64_t>(layout.bias))
      .shiftLeft(layout.mantissa_bits)
      .asFloat();
}

}  // namespace

Term ldexp(Term x, Term exponent) {
  const Layout layout = layoutOf(x);
  const int most = layout.bias, least = 1 - layout.bias;
  // Towards zero in steps that leave the mantissa's bits above the denormals: what is rounded
  // before the last product is below half of the least denormal after it.
  const int down = least + static_cast<int>(layout.mantissa_bits) + 1;
  auto constant = [&](int n) { return exponent.integer(static_cast<uint64_t>(int64_t{n})); };
  auto& builder = exponent.builder();
  auto below = [&](int n) { return exponent.with(builder.CreateICmpSLT(exponent, constant(n))); };
  auto above = [&](int n) { return exponent.with(builder.CreateICmpSGT(exponent, constant(n))); };
  for (int round = 0; round < 2; ++round) {
    Term step =
        select(above(most), constant(most), select(below(least), constant(down), constant(0)));
    x = x * powerOfTwo(step, x);
    exponent = exponent.minus(step);
  }
  exponent = select(above(most), constant(most), exponent);
  exponent = select(below(least), constant(least), exponent);
  return x * powerOfTwo(exponent, x);
}

std::pair<Term, Term> frexp(Term x) {
  const Layout layout = layoutOf(x);
  const int scale = static_cast<int>(layout.mantissa_bits) + 1;
  const uint64_t field = (uint64_t{2} * static_cast<uint64_t>(layout.bias) + 1)
                         << layout.mantissa_bits;
  Term magnitude = abs(x);
  Term denormal = magnitude < std::ldexp(1.0, 1 - layout.bias);
  Term bits = select(denormal, x * std::ldexp(1.0, scale), x).bits();
  Term exponent = (bits & field).shiftRightLogical(layout.mantissa_bits);
  exponent =
      exponent.with(exponent.builder().CreateTrunc(exponent, x.like(x.builder().getInt32Ty())));
  const int64_t offset = layout.bias - 1;
  exponent =
      exponent.minus(select(denormal, exponent.integer(static_cast<uint64_t>(offset + scale)),
                            exponent.integer(static_cast<uint64_t>(offset))));
  Term half = bits.integer(static_cast<uint64_t>(offset) << layout.mantissa_bits);
  Term fraction = ((bits & ~field) | half).asFloat();
  Term ordinary = (magnitude > 0) & (magnitude < kInfinity);
  return {select(ordinary, fraction, x), select(ordinary, exponent, exponent.integer(0))};
}

}  // namespace jit::math
