// SPDX-License-Identifier: Apache-2.0

// Bodies of the functions in functions.def, one builder per family. Internal to jit/math.
//
// All take and give binary32 (remainder: or binary64), as scalars or vectors, and are right for
// every argument, special ones included, with rounding to nearest even and denormals kept. Where
// the machine has no FMA, multiplyAdd rounds twice: no algorithm depends on its being exact, so
// results may differ there by an ULP, and accuracy does not.
#pragma once

#include <array>

#include "jit/math/term.h"

namespace jit::math {

// log 2 in two parts; the product of the first with an integer of 8 bits is exact.
inline constexpr double kLog2High = 0x1.62e4p-1, kLog2Low = 0x1.7f7d1cf79abcap-20;

// What a body is made with.
struct Body {
  bool has_fma;
  llvm::Module& module;

  Term multiplyAdd(Term a, Term b, Term c) const {
    if (!has_fma) return a * b + c;
    return a.with(a.builder().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()}, {a, b, c}));
  }
  Term multiplyAdd(Term a, double b, Term c) const { return multiplyAdd(a, a.number(b), c); }

  // c[0] + c[1] x + c[2] x^2 ...
  template <typename Number, size_t N>
  Term polynomial(Term x, const Number (&c)[N]) const {
    Term sum = x.number(c[N - 1]);
    for (size_t k = N - 1; k-- > 0;) sum = multiplyAdd(sum, x, x.number(c[k]));
    return sum;
  }
};

// fraction * 2^exponent, the fraction near 1.
struct Scaled {
  Term fraction, exponent;  // float, i32
};
// 2^f for f in [-1/2, 1/2]. (exponential.cpp)
Term exp2Fraction(const Body& body, Term f);
// Rounded once, also where the result is denormal or overflows; for exponents in [-252, 252].
Term scale(Scaled x);

// log(1 + x) for x >= 0; where `doubled` is set, log(2 * x), for large x. (logarithm.cpp)
Term log1p(const Body& body, Term x, Term doubled);

Term exp(const Body& body, Term x);
Term exp2(const Body& body, Term x);
Term log(const Body& body, Term x);
Term log2(const Body& body, Term x);
Term pow(const Body& body, Term x, Term y);
Term sin(const Body& body, Term x);
Term cos(const Body& body, Term x);
Term tan(const Body& body, Term x);
Term asin(const Body& body, Term x);
Term acos(const Body& body, Term x);
Term atan(const Body& body, Term x);
Term atan2(const Body& body, Term y, Term x);
Term sinh(const Body& body, Term x);
Term cosh(const Body& body, Term x);
Term tanh(const Body& body, Term x);
Term asinh(const Body& body, Term x);
Term acosh(const Body& body, Term x);
Term atanh(const Body& body, Term x);
// x - y trunc(x / y). Of binary64 only with FMA.
Term remainder(const Body& body, Term x, Term y);

}  // namespace jit::math
