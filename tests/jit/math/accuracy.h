// SPDX-License-Identifier: Apache-2.0

// Distances from exact results, and inputs that cover a format.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace jit::test {

// A format, by its precision and least normal exponent.
struct Format {
  int bits;          // of the significand, the implicit one included
  int min_exponent;  // of the least normal number
  double overflow;   // least power of two that is too large
};
inline constexpr Format kHalf{11, -14, 0x1p16};
inline constexpr Format kSingle{24, -126, 0x1p128};

// The unit in the last place at `exact`, as Vulkan's "Precision of Individual Operations" has it.
inline double ulp(double exact, const Format& format) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(1.0, std::max(exponent - 1, format.min_exponent) - format.bits + 1);
}

// |result - exact| in units in the last place of `exact`; infinite where one of them is NaN, where
// only one is infinite and the other not next to it, and where zeros differ in sign.
inline double ulpError(double result, double exact, const Format& format) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(result))
    return std::isnan(exact) && std::isnan(result) ? 0 : kWrong;
  if (exact == 0 && result == 0) return std::signbit(exact) == std::signbit(result) ? 0 : kWrong;
  if (exact == result) return 0;
  if (std::isinf(exact)) return kWrong;
  if (std::signbit(exact) != std::signbit(result)) return kWrong;
  // Whatever rounds to infinity may be the next number after the largest.
  if (std::isinf(result)) result = std::copysign(format.overflow, result);
  const double limit = format.overflow - std::ldexp(format.overflow, -format.bits - 1);
  if (std::abs(exact) > limit) exact = std::copysign(format.overflow, exact);
  return std::abs(result - exact) / ulp(exact, format);
}

inline double halfToDouble(uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
  const double magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                           : exponent     ? std::ldexp(mantissa | 0x400, exponent - 25)
                                          : std::ldexp(mantissa, -24);
  return half & 0x8000 ? -magnitude : magnitude;
}

inline double toDouble(uint16_t half) { return halfToDouble(half); }
inline double toDouble(float value) { return value; }

}  // namespace jit::test
