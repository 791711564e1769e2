// SPDX-License-Identifier: Apache-2.0

// Exponents of floats (binary32, binary64) as numbers of their own: ldexp and frexp, in line.
#pragma once

#include <utility>

#include "jit/math/term.h"

namespace jit::math {

// x 2^exponent, rounded once; any exponent (i32).
Term ldexp(Term x, Term exponent);

// (fraction, exponent) with x = fraction * 2^exponent and the fraction's magnitude in [1/2, 1); the
// exponent is an i32. Zeros, infinities and NaNs are their own fractions, with 0.
std::pair<Term, Term> frexp(Term x);

}  // namespace jit::math
