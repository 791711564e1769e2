// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/number_formats.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace rt {
namespace {

using enum NumberFormat;

TEST(NumberFormats, SmallFloatsAreTheNumbersThatTheyAre) {
  EXPECT_EQ(valueOf(Half, 0x3c00), 1.0);
  EXPECT_EQ(valueOf(Half, 0xfbff), -65504.0);
  EXPECT_EQ(valueOf(Half, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(valueOf(BFloat, 0x3f80), 1.0);
  EXPECT_EQ(valueOf(E4M3, 0x7e), 448.0);
  EXPECT_EQ(valueOf(E4M3, 0x01), std::ldexp(1.0, -9));
  EXPECT_EQ(valueOf(E5M2, 0x7b), 57344.0);
  EXPECT_EQ(valueOf(Single, std::bit_cast<uint32_t>(-0.25f)), -0.25);
}

TEST(NumberFormats, InfinitiesAndNansAreTold) {
  EXPECT_EQ(classOf(Half, 0x7bff), FloatClass::Finite);
  EXPECT_EQ(classOf(Half, 0xfc00), FloatClass::Infinite);
  EXPECT_EQ(classOf(Half, 0x7c01), FloatClass::NotANumber);
  EXPECT_EQ(classOf(BFloat, 0x7f80), FloatClass::Infinite);
  EXPECT_EQ(classOf(E5M2, 0x7c), FloatClass::Infinite);
  EXPECT_EQ(classOf(E4M3, 0x7e), FloatClass::Finite);
  EXPECT_EQ(classOf(E4M3, 0xff), FloatClass::NotANumber);  // it has no infinity
  EXPECT_EQ(classOf(Double, 0x7ff0000000000000), FloatClass::Infinite);
}

TEST(NumberFormats, TextHasTheDigitsOfTheFormat) {
  EXPECT_EQ(textOf(Single, std::bit_cast<uint32_t>(0.1f)), "0.1");
  EXPECT_EQ(textOf(Double, std::bit_cast<uint64_t>(0.1)), "0.1");
  EXPECT_EQ(textOf(Half, 0xfc00), "-inf");
  EXPECT_EQ(textOf(Single, 0xffc00000), "nan");
  EXPECT_EQ(textOf(Signed8, 0xff), "-1");
  EXPECT_EQ(textOf(Unsigned64, ~uint64_t{0}), "18446744073709551615");
}

// Wherever it is among so many that vectors do not fit, and in no number beside them.
TEST(NumberFormats, OneAmongManyIsFound) {
  for (NumberFormat format : {Half, BFloat, Single, Double, E4M3, E5M2}) {
    const uint32_t bytes = bytesOf(format);
    constexpr uint32_t kCount = 77;
    std::vector<std::byte> numbers((kCount + 2) * bytes, std::byte{0});
    std::byte* first = numbers.data() + bytes;
    auto put = [&](int64_t index, uint64_t bits) {
      std::memcpy(first + index * bytes, &bits, bytes);
    };
    const uint64_t bad = firstNonFinite(format), sign = uint64_t{1} << (8 * bytes - 1);
    put(-1, bad);
    put(kCount, bad);
    EXPECT_FALSE(hasNonFinite(format, first, kCount));
    for (uint32_t k = 0; k < kCount; ++k) {
      put(k, bad | (k % 2 != 0 ? sign : 0));
      EXPECT_TRUE(hasNonFinite(format, first, kCount)) << static_cast<int>(format) << " " << k;
      put(k, (bad - 1) | sign);
      EXPECT_FALSE(hasNonFinite(format, first, kCount)) << static_cast<int>(format) << " " << k;
    }
  }
}

TEST(NumberFormats, LinesMayBeApartAndRunBackwards) {
  std::array<float, 12> numbers{};
  numbers[4] = INFINITY;  // between the lines
  auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
  EXPECT_FALSE(hasNonFinite(Single, bytes, 3, 4, 20));
  EXPECT_TRUE(hasNonFinite(Single, bytes, 3, 4, 16));
  EXPECT_TRUE(hasNonFinite(Single, bytes + 32, 3, 4, -16));
}

}  // namespace
}  // namespace rt
