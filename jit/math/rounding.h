// SPDX-License-Identifier: Apache-2.0

// Rounding that the machine's instructions do not give in the default environment: towards zero,
// and to 16-bit formats. All in plain arithmetic rounded to nearest, so it is the same on every
// machine, and constants fold to the same values.
//
// Rounded to nearest, a result is at most half a unit off; where it is farther from zero than the
// exact result, the number one step nearer is that rounded towards zero. How the two compare is
// found without error.
#pragma once

#include "jit/math/term.h"

namespace jit::math {

// Operations on IEEE floats of 16, 32 and 64 bits, rounded towards zero.
Term addTowardsZero(Term a, Term b);
Term multiplyTowardsZero(Term a, Term b);
Term divideTowardsZero(Term a, Term b);
Term sqrtTowardsZero(Term a);
// a * b + c, rounded once.
Term fmaTowardsZero(Term a, Term b, Term c);
// A float to a narrower IEEE format, an integer to an IEEE format.
Term narrowTowardsZero(Term x, llvm::Type* scalar);
Term integerTowardsZero(Term x, bool is_signed, llvm::Type* scalar);

// To nearest even: binary64 to binary16, and binary32 or binary64 to bfloat16, for which there are
// no instructions on most machines. NaNs stay NaNs.
Term narrowToHalf(Term x);
Term narrowToBfloat(Term x);
// The same towards zero.
Term narrowToBfloatTowardsZero(Term x);

// binary64 to binary32 so that rounding the result again, to half the precision or less, is as
// rounding once.
Term narrowToOdd(Term x);

// Zero of the same sign where x is denormal.
Term flushDenormals(Term x);

}  // namespace jit::math
