// SPDX-License-Identifier: Apache-2.0

// 8-bit floats by their definition, and rounding to them by looking for the nearest.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace jit::test {

struct Float8Format {
  std::string name;
  int exponent_bits, mantissa_bits;
  uint8_t largest, overflow;  // codes of the largest number and of what is too large for it
};

inline const Float8Format kFloat8Formats[] = {{"Float8E4M3EXT", 4, 3, 0x7e, 0x7f},
                                              {"Float8E5M2EXT", 5, 2, 0x7b, 0x7c}};

// A code as if all were numbers: what lies beyond the largest goes on as below.
inline double float8Magnitude(const Float8Format& format, int code) {
  const int exponent = code >> format.mantissa_bits;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const double mantissa =
      std::ldexp(code & ((1 << format.mantissa_bits) - 1), -format.mantissa_bits);
  return std::ldexp(exponent == 0 ? mantissa : 1 + mantissa, std::max(exponent, 1) - bias);
}

inline double float8ToDouble(const Float8Format& format, uint8_t bits) {
  const int code = bits & 0x7f;
  double magnitude = float8Magnitude(format, code);
  if (code > format.largest)
    magnitude = format.exponent_bits == 5 && code == 0x7c
                    ? std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
  return bits & 0x80 ? -magnitude : magnitude;
}

// To nearest even; what is too large becomes the largest number if it `saturates`.
inline uint8_t roundToFloat8(const Float8Format& format, double exact, bool saturates) {
  if (std::isnan(exact)) return 0x7f;
  const double magnitude = std::abs(exact);
  int code = 0, above_all = format.overflow + 1;  // magnitude is not less than code's
  while (above_all - code > 1) {
    const int middle = (code + above_all) / 2;
    (float8Magnitude(format, middle) <= magnitude ? code : above_all) = middle;
  }
  if (code < format.overflow) {
    const double below = magnitude - float8Magnitude(format, code);
    const double above = float8Magnitude(format, code + 1) - magnitude;
    if (above < below || (above == below && code % 2 != 0)) ++code;
  }
  if (code > format.largest) code = saturates ? format.largest : format.overflow;
  return static_cast<uint8_t>((std::signbit(exact) ? 0x80 : 0) | code);
}

inline bool sameFloat8(const Float8Format& format, uint8_t a, uint8_t b) {
  return a == b || (std::isnan(float8ToDouble(format, a)) && std::isnan(float8ToDouble(format, b)));
}

}  // namespace jit::test
