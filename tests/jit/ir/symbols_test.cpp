// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/symbols.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jit {
namespace {

template <typename Function>
Function* find(std::string_view name) {
  return reinterpret_cast<Function*>(const_cast<void*>(findSymbol(name)));
}

// A float whose low bits hold the 16-bit value, as in a register.
float carry(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits}); }
uint16_t carried(float value) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(value)); }

TEST(Symbols, NothingElseIsFound) {
  EXPECT_NE(findSymbol("fmodf"), nullptr);
  EXPECT_EQ(findSymbol("malloc"), nullptr);
  EXPECT_EQ(findSymbol(""), nullptr);
}

TEST(Symbols, EachHalfExtendsAndComesBack) {
  auto* extend = find<float(float)>("__extendhfsf2");
  auto* truncate = find<float(float)>("__truncsfhf2");
  auto* truncate_double = find<float(double)>("__truncdfhf2");
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = extend(carry(static_cast<uint16_t>(bits)));
    int exponent = static_cast<int>(bits >> 10 & 0x1f);
    int mantissa = static_cast<int>(bits & 0x3ff);
    if (exponent == 0x1f && mantissa) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_EQ(carried(truncate(value)), bits | 0x200);
      continue;
    }
    double magnitude = exponent == 0x1f ? std::numeric_limits<double>::infinity()
                       : exponent == 0  ? std::ldexp(mantissa, -24)
                                        : std::ldexp(1024 + mantissa, exponent - 25);
    EXPECT_EQ(value, bits & 0x8000 ? -magnitude : magnitude);
    EXPECT_EQ(carried(truncate(value)), bits);
    EXPECT_EQ(carried(truncate_double(value)), bits);
  }
}

TEST(Symbols, RoundingIsToNearestEven) {
  auto* to_half = find<float(double)>("__truncdfhf2");
  EXPECT_EQ(carried(to_half(1 + 0x1p-11)), 0x3c00);
  EXPECT_EQ(carried(to_half(1 + 0x1p-11 + 0x1p-40)), 0x3c01);
  EXPECT_EQ(carried(to_half(1 + 3 * 0x1p-11)), 0x3c02);
  EXPECT_EQ(carried(to_half(65519.999)), 0x7bff);
  EXPECT_EQ(carried(to_half(65520)), 0x7c00);
  EXPECT_EQ(carried(to_half(-0x1p-25)), 0x8000);
  EXPECT_EQ(carried(to_half(0x1.8p-25)), 0x0001);
  EXPECT_EQ(carried(to_half(0x1.ffap-15)), 0x03ff);
  EXPECT_EQ(carried(to_half(0x1.fffp-15)), 0x0400);
  EXPECT_EQ(carried(to_half(1e300)), 0x7c00);

  auto* to_bfloat = find<float(float)>("__truncsfbf2");
  for (float value :
       {1.0f, -3.25f, 1e-40f, 3.4e38f, 0.1f, std::numeric_limits<float>::infinity()}) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    EXPECT_EQ(carried(to_bfloat(value)), (bits + 0x7fff + (bits >> 16 & 1)) >> 16) << value;
  }
}

}  // namespace
}  // namespace jit
