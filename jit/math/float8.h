// SPDX-License-Identifier: Apache-2.0

// 8-bit floats (SPV_EXT_float8), of which LLVM has no type: a value is an i8, and whoever converts
// it knows the format.
//
// Source: "FP8 Formats For Deep Learning" (arXiv:2209.05433). E5M2 is what binary16 is with eight
// bits less of mantissa; E4M3 has no infinity, and of its highest exponent only all ones is NaN.
#pragma once

#include "jit/math/term.h"

namespace jit::math {

enum class Float8 : uint8_t { E4M3, E5M2 };

// To binary32, exactly; subnormal numbers too. NaNs stay NaNs.
Term widenFloat8(Term bits, Float8 format);

// What rounds to more than the largest number, and infinity: becomes infinity in E5M2 and NaN in
// E4M3, or the largest number.
enum class Float8Overflow : uint8_t { Infinite, Saturates };

// From a float of any format (binary16, bfloat16, binary32, binary64), rounded once, to nearest
// even, to a subnormal number where need be. NaNs stay NaNs.
Term narrowToFloat8(Term x, Float8 format, Float8Overflow overflow = Float8Overflow::Infinite);

}  // namespace jit::math
