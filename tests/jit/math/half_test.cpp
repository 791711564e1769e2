// SPDX-License-Identifier: Apache-2.0

// Conversions between halves and floats: every half, and floats around everything that rounds to
// one.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/jit/math/function_kernel.h"
#include "tests/jit/math/half_reference.h"

namespace jit::test {
namespace {

FunctionShader conversion(const char* from, const char* to) {
  FunctionShader shader;
  shader.from = from;
  shader.to = to;
  shader.code = "%result = OpFConvert %to %x";
  return shader;
}

std::vector<uint16_t> everyHalf() {
  std::vector<uint16_t> all(65536);
  for (uint32_t h = 0; h < all.size(); ++h) all[h] = static_cast<uint16_t>(h);
  return all;
}

TEST(HalfTest, EveryHalfWidens) {
  const std::vector<uint16_t> halves = everyHalf();
  for (rt::Isa isa : machineIsas()) {
    for (bool uniform : {false, true}) {
      FunctionShader shader = conversion("float 16", "float 32");
      shader.uniform = uniform;
      const auto result = FunctionKernel(shader, isa).map<float>(halves);
      for (size_t k = 0; k < halves.size() && !HasFailure(); ++k) {
        const auto expected = static_cast<float>(halfToDouble(halves[k]));
        EXPECT_TRUE(std::isnan(expected)
                        ? std::isnan(result[k])
                        : std::bit_cast<uint32_t>(expected) == std::bit_cast<uint32_t>(result[k]))
            << std::hex << halves[k] << " on " << rt::isaName(isa) << " is " << result[k];
      }
    }
  }
}

TEST(HalfTest, FloatsNarrowToNearestEven) {
  // Halves, what lies halfway between two, and the floats beside both; and some of everything.
  std::vector<float> x;
  auto around = [&](double value) {
    const auto middle = static_cast<float>(value);
    x.insert(x.end(),
             {middle, std::nextafter(middle, -INFINITY), std::nextafter(middle, INFINITY)});
  };
  for (uint16_t half : everyHalf()) {
    const double value = halfToDouble(half);
    if (!std::isfinite(value)) continue;
    const int exponent = half >> 10 & 31;
    around(value);
    around(value + std::copysign(std::ldexp(1.0, std::max(exponent, 1) - 26), value));
  }
  constexpr uint32_t kStep = 4099;
  for (uint64_t bits = 0; bits >> 32 == 0; bits += kStep)
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  std::vector<uint16_t> expected;
  for (float f : x) expected.push_back(roundToHalf(f, false));
  for (rt::Isa isa : machineIsas()) {
    const auto result = FunctionKernel(conversion("float 32", "float 16"), isa).map<uint16_t>(x);
    for (size_t k = 0; k < x.size() && !HasFailure(); ++k)
      EXPECT_TRUE(sameHalf(result[k], expected[k]))
          << std::hexfloat << x[k] << " on " << rt::isaName(isa) << " is " << std::hex << result[k]
          << ", not " << expected[k];
  }
}

}  // namespace
}  // namespace jit::test
