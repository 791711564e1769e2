// SPDX-License-Identifier: Apache-2.0

// Functions whose results are exact, or rounded once: remainders, ldexp, frexp, bfloat16.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/jit/math/accuracy.h"
#include "tests/jit/math/function_kernel.h"
#include "tests/jit/math/number_samples.h"

namespace jit::test {
namespace {

constexpr size_t kSamples = 1 << 15;

template <typename Number, typename Bits>
void remainders(const char* type, unsigned mantissa) {
  std::vector<Bits> a, b;
  NumberSamples<Bits>(mantissa, 3).fill(kSamples, a, b);
  for (rt::Isa isa : machineIsas()) {
    FunctionShader shader;
    shader.from = shader.to = type;
    shader.operands = 2;
    shader.code = "%result = OpFRem %from %x %y";
    const auto result = FunctionKernel(shader, isa).map<Bits>(a, b);
    for (size_t k = 0; k < a.size() && !testing::Test::HasFailure(); ++k) {
      const auto x = std::bit_cast<Number>(a[k]), y = std::bit_cast<Number>(b[k]);
      const Number expected = std::fmod(x, y), actual = std::bit_cast<Number>(result[k]);
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(actual)
                                       : std::bit_cast<Bits>(expected) == result[k])
          << x << " rem " << y << " is " << actual << ", not " << expected << " on "
          << rt::isaName(isa);
    }
  }
}

TEST(ExactFunctionsTest, RemaindersOfSingles) { remainders<float, uint32_t>("float 32", 23); }
TEST(ExactFunctionsTest, RemaindersOfDoubles) { remainders<double, uint64_t>("float 64", 52); }

TEST(ExactFunctionsTest, RemaindersOfHalves) {
  std::vector<uint16_t> a, b;
  for (uint32_t k = 0; k < 65536; ++k) {
    a.push_back(static_cast<uint16_t>(k));
    b.push_back(static_cast<uint16_t>(k * 40503));
  }
  for (rt::Isa isa : machineIsas()) {
    FunctionShader shader;
    shader.from = shader.to = "float 16";
    shader.operands = 2;
    shader.code = "%result = OpFRem %from %x %y";
    const auto result = FunctionKernel(shader, isa).map<uint16_t>(a, b);
    for (size_t k = 0; k < a.size() && !HasFailure(); ++k) {
      const double expected = std::fmod(halfToDouble(a[k]), halfToDouble(b[k]));
      const double actual = halfToDouble(result[k]);
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(actual) : expected == actual)
          << halfToDouble(a[k]) << " rem " << halfToDouble(b[k]) << " on " << rt::isaName(isa);
    }
  }
}

template <typename Number, typename Bits>
void scaling(const char* type, unsigned mantissa) {
  std::vector<Bits> a, unused;
  NumberSamples<Bits>(mantissa, 4).fill(kSamples, a, unused);
  const int range = 3 << (8 * sizeof(Bits) - mantissa - 1);
  for (rt::Isa isa : machineIsas()) {
    FunctionShader shader;
    shader.from = shader.to = type;
    // The exponent is in the low bits of the number, among which are all there are.
    const bool wide = sizeof(Bits) == 8;
    shader.declarations = std::string("%int = OpTypeInt 32 1\n") +
                          (wide ? "%long = OpTypeInt 64 1\n" : "") + "%range = OpConstant " +
                          (wide ? "%long " : "%int ") + std::to_string(range) + "\n";
    shader.code = std::string("%bits = OpBitcast ") + (wide ? "%long" : "%int") +
                  " %x\n%part = OpSRem " + (wide ? "%long" : "%int") + " %bits %range\n" +
                  (wide ? "%n = OpSConvert %int %part\n" : "%n = OpCopyObject %int %part\n") +
                  "%result = OpExtInst %from %glsl Ldexp %x %n";
    const auto result = FunctionKernel(shader, isa).map<Bits>(a);
    shader.code =
        "%pair = OpExtInst %pair_type %glsl FrexpStruct %x\n"
        "%fraction = OpCompositeExtract %from %pair 0\n"
        "%exponent = OpCompositeExtract %int %pair 1\n"
        "%scale = OpConvertSToF %from %exponent\n"
        "%result = OpFAdd %from %fraction %scale\n";
    shader.declarations += "%pair_type = OpTypeStruct %from %int\n";
    const auto parts = FunctionKernel(shader, isa).map<Bits>(a);
    for (size_t k = 0; k < a.size() && !testing::Test::HasFailure(); ++k) {
      const auto x = std::bit_cast<Number>(a[k]);
      const auto n = static_cast<int>(static_cast<std::make_signed_t<Bits>>(a[k]) % range);
      const Number expected = std::ldexp(x, n), actual = std::bit_cast<Number>(result[k]);
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(actual)
                                       : std::bit_cast<Bits>(expected) == result[k])
          << x << " * 2^" << n << " is " << actual << ", not " << expected << " on "
          << rt::isaName(isa);
      int exponent = 0;
      const Number fraction = std::frexp(x, &exponent);
      if (!std::isfinite(x)) exponent = 0;
      const Number sum = fraction + static_cast<Number>(exponent);
      EXPECT_TRUE(std::isnan(sum) ? std::isnan(std::bit_cast<Number>(parts[k]))
                                  : sum == std::bit_cast<Number>(parts[k]))
          << "frexp " << x << " on " << rt::isaName(isa);
    }
  }
}

TEST(ExactFunctionsTest, ScalingOfSingles) { scaling<float, uint32_t>("float 32", 23); }
TEST(ExactFunctionsTest, ScalingOfDoubles) { scaling<double, uint64_t>("float 64", 52); }

// To nearest even; what is below the normal numbers may be zero where an instruction of the machine
// flushes it (docs/numerics.md).
TEST(ExactFunctionsTest, Bfloat16) {
  std::vector<uint32_t> a, unused;
  NumberSamples<uint32_t>(23, 6).fill(kSamples, a, unused);
  std::vector<double> wide;
  for (size_t k = 0; k < a.size(); ++k)
    wide.push_back(std::bit_cast<float>(a[k]) * (1 + (k % 4 == 0 ? 0x1p-40 : 0)));
  for (rt::Isa isa : machineIsas()) {
    FunctionShader shader;
    shader.to = "float 16 BFloat16KHR";
    shader.capabilities = "OpCapability BFloat16TypeKHR\n";
    shader.extensions = "OpExtension \"SPV_KHR_bfloat16\"\n";
    shader.code = "%result = OpFConvert %to %x";
    const auto narrow = FunctionKernel(shader, isa).map<uint16_t>(a);
    shader.from = "float 64";
    const auto from_wide = FunctionKernel(shader, isa).map<uint16_t>(wide);
    for (size_t k = 0; k < a.size() && !HasFailure(); ++k) {
      const uint32_t bits = a[k];
      const bool nan = std::isnan(std::bit_cast<float>(bits));
      auto expected = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
      if (nan) expected = 0x7fc0;
      auto same = [&](uint16_t actual, uint16_t wanted) {
        if (nan) return (actual & 0x7fff) > 0x7f80;
        return actual == wanted || ((bits >> 23 & 255) == 0 && (actual & 0x7fff) == 0);
      };
      EXPECT_TRUE(same(narrow[k], expected)) << std::hex << bits << " on " << rt::isaName(isa)
                                             << ": " << narrow[k] << ", not " << expected;
      // A little more than halfway is up.
      if (k % 4 == 0 && (bits & 0xffff) == 0x8000)
        expected = static_cast<uint16_t>((bits >> 16) + 1);
      EXPECT_TRUE(same(from_wide[k], expected))
          << std::hex << bits << " as f64 on " << rt::isaName(isa) << ": " << from_wide[k];
    }
  }
}

}  // namespace
}  // namespace jit::test
