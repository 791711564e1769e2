// SPDX-License-Identifier: Apache-2.0

// Rounding to halves, bit by bit.
#pragma once

#include <cmath>
#include <cstdint>

#include "tests/jit/math/accuracy.h"

namespace jit::test {

// The half next to `exact` towards zero, or the nearest; `exact` may have been rounded to binary64,
// which is fine for results of one operation on halves.
inline uint16_t roundToHalf(double exact, bool towards_zero) {
  if (std::isnan(exact)) return 0x7e00;
  const uint16_t sign = std::signbit(exact) ? 0x8000 : 0;
  const double magnitude = std::abs(exact);
  uint16_t low = 0, high = 0x7c00;  // magnitude is in [low, high), as bits
  if (std::isinf(exact)) return sign | 0x7c00;
  if (magnitude >= 0x1p16) return sign | (towards_zero ? 0x7bff : 0x7c00);
  while (high - low > 1) {
    const auto middle = static_cast<uint16_t>((low + high) / 2);
    (halfToDouble(middle) <= magnitude ? low : high) = middle;
  }
  if (!towards_zero) {
    const double below = magnitude - halfToDouble(low);
    const double above = (high == 0x7c00 ? 0x1p16 : halfToDouble(high)) - magnitude;
    if (above < below || (above == below && low % 2 != 0)) low = high;
  }
  return sign | low;
}

inline bool sameHalf(uint16_t a, uint16_t b) {
  return a == b || (std::isnan(halfToDouble(a)) && std::isnan(halfToDouble(b)));
}

}  // namespace jit::test
