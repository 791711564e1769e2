// SPDX-License-Identifier: Apache-2.0

// Conversions of 8-bit floats: all of them to every other type, and to them everything near what
// rounds to one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/jit/math/accuracy.h"
#include "tests/jit/math/float8_reference.h"
#include "tests/jit/math/function_kernel.h"

namespace jit::test {
namespace {

constexpr const char* kSaturates =
    "OpDecorate %result SaturatedToLargestFloat8NormalConversionEXT\n";

FunctionShader conversion(const std::string& from, const std::string& to,
                          const char* instruction = "OpFConvert") {
  FunctionShader shader;
  shader.from = from;
  shader.to = to;
  shader.capabilities = "OpCapability Float8EXT\nOpCapability BFloat16TypeKHR\n";
  shader.extensions = "OpExtension \"SPV_EXT_float8\"\nOpExtension \"SPV_KHR_bfloat16\"\n";
  shader.code = std::string("%result = ") + instruction + " %to %x";
  return shader;
}

std::string typeOf(const Float8Format& format) { return "float 8 " + format.name; }

template <typename Bits>
std::vector<Bits> everyCode() {
  std::vector<Bits> all(size_t{1} << (8 * sizeof(Bits)));
  for (size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Bits>(k);
  return all;
}

double bfloatToDouble(uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(uint32_t{bits} << 16));
}

// Every number of `format` converted to `type`, as `decode` reads it.
template <typename Bits>
void widensExactly(const Float8Format& format, const char* type, double (*decode)(Bits)) {
  const std::vector<uint8_t> codes = everyCode<uint8_t>();
  for (rt::Isa isa : machineIsas()) {
    for (bool uniform : {false, true}) {
      FunctionShader shader = conversion(typeOf(format), type);
      shader.uniform = uniform;
      // Halves that are subnormal stay what they are.
      shader.capabilities += "OpCapability DenormFlushToZero\n";
      shader.extensions += "OpExtension \"SPV_KHR_float_controls\"\n";
      shader.execution_modes = "OpExecutionMode %main DenormFlushToZero 16\n";
      const auto result = FunctionKernel(shader, isa).map<Bits>(codes);
      for (size_t k = 0; k < codes.size(); ++k) {
        const double expected = float8ToDouble(format, codes[k]), actual = decode(result[k]);
        EXPECT_TRUE(std::isnan(expected)
                        ? std::isnan(actual)
                        : std::bit_cast<uint64_t>(expected) == std::bit_cast<uint64_t>(actual))
            << format.name << " " << std::hex << k << " to " << type << " on " << rt::isaName(isa)
            << " is " << actual << ", not " << expected;
      }
    }
  }
}

TEST(Float8Test, WidensExactly) {
  for (const Float8Format& format : kFloat8Formats) {
    widensExactly<uint16_t>(format, "float 16", halfToDouble);
    widensExactly<uint16_t>(format, "float 16 BFloat16KHR", bfloatToDouble);
    widensExactly<uint32_t>(format, "float 32", [](uint32_t bits) {
      return static_cast<double>(std::bit_cast<float>(bits));
    });
    widensExactly<uint64_t>(format, "float 64",
                            [](uint64_t bits) { return std::bit_cast<double>(bits); });
  }
}

// Converts `from`, which stands for the numbers `exact`, with saturation and without.
template <typename Bits>
void narrows(const Float8Format& format, const std::string& type, const std::vector<Bits>& from,
             const std::vector<double>& exact) {
  for (bool saturates : {false, true}) {
    FunctionShader shader = conversion(type, typeOf(format));
    if (saturates) shader.annotations = kSaturates;
    std::vector<uint8_t> expected;
    for (double x : exact) expected.push_back(roundToFloat8(format, x, saturates));
    for (rt::Isa isa : machineIsas()) {
      const auto result = FunctionKernel(shader, isa).map<uint8_t>(from);
      for (size_t k = 0; k < from.size() && !testing::Test::HasFailure(); ++k) {
        EXPECT_TRUE(sameFloat8(format, result[k], expected[k]))
            << std::hexfloat << exact[k] << " from " << type << " to " << format.name << " on "
            << rt::isaName(isa) << (saturates ? " saturating" : "") << " is " << std::hex
            << int{result[k]} << ", not " << int{expected[k]};
      }
    }
  }
}

// Numbers of the format and what lies halfway between two, with their neighbours; beyond its range
// too.
template <typename Number>
std::vector<Number> around(const Float8Format& format) {
  std::vector<Number> numbers = {
      0, std::numeric_limits<Number>::infinity(), std::numeric_limits<Number>::quiet_NaN(),
      std::numeric_limits<Number>::denorm_min(), std::numeric_limits<Number>::max()};
  for (int code = 0; code < 0x90; ++code) {
    const double low = float8Magnitude(format, code), high = float8Magnitude(format, code + 1);
    for (double value : {low, (low + high) / 2}) {
      const auto middle = static_cast<Number>(value);
      numbers.insert(numbers.end(), {middle, std::nextafter(middle, Number{0}),
                                     std::nextafter(middle, std::numeric_limits<Number>::max())});
    }
  }
  const size_t count = numbers.size();
  for (size_t k = 0; k < count; ++k) numbers.push_back(-numbers[k]);
  return numbers;
}

TEST(Float8Test, HalvesNarrow) {
  const auto halves = everyCode<uint16_t>();
  std::vector<double> exact(halves.size());
  std::ranges::transform(halves, exact.begin(), halfToDouble);
  for (const Float8Format& format : kFloat8Formats) narrows(format, "float 16", halves, exact);
  std::ranges::transform(halves, exact.begin(), bfloatToDouble);
  for (const Float8Format& format : kFloat8Formats)
    narrows(format, "float 16 BFloat16KHR", halves, exact);
}

TEST(Float8Test, SinglesNarrow) {
  for (const Float8Format& format : kFloat8Formats) {
    std::vector<float> singles = around<float>(format);
    constexpr uint32_t kStep = 65537;
    for (uint64_t bits = 0; bits >> 32 == 0; bits += kStep)
      singles.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    narrows(format, "float 32", singles, std::vector<double>(singles.begin(), singles.end()));
  }
}

TEST(Float8Test, DoublesNarrow) {
  for (const Float8Format& format : kFloat8Formats) {
    const std::vector<double> doubles = around<double>(format);
    narrows(format, "float 64", doubles, doubles);
  }
}

TEST(Float8Test, NarrowsFromTheOther) {
  const auto codes = everyCode<uint8_t>();
  for (int k : {0, 1}) {
    std::vector<double> exact;
    for (uint8_t code : codes) exact.push_back(float8ToDouble(kFloat8Formats[k], code));
    narrows(kFloat8Formats[1 - k], typeOf(kFloat8Formats[k]), codes, exact);
  }
}

template <typename Integer>
void convertsIntegers(const std::vector<Integer>& integers) {
  constexpr bool kSigned = std::is_signed_v<Integer>;
  const std::string type = "int " + std::to_string(8 * sizeof(Integer)) + (kSigned ? " 1" : " 0");
  for (const Float8Format& format : kFloat8Formats) {
    for (rt::Isa isa : machineIsas()) {
      // One format saturates, the other does not.
      const bool saturates = (&format == kFloat8Formats) == kSigned;
      FunctionShader shader =
          conversion(type, typeOf(format), kSigned ? "OpConvertSToF" : "OpConvertUToF");
      if (saturates) shader.annotations = kSaturates;
      const auto result = FunctionKernel(shader, isa).map<uint8_t>(integers);
      for (size_t k = 0; k < integers.size() && !testing::Test::HasFailure(); ++k)
        EXPECT_TRUE(sameFloat8(format, result[k],
                               roundToFloat8(format, static_cast<double>(integers[k]), saturates)))
            << format.name << " of " << +integers[k] << " on " << rt::isaName(isa);
      // And back: towards zero, what does not fit is the nearest integer.
      const auto codes = everyCode<uint8_t>();
      const auto back =
          FunctionKernel(
              conversion(typeOf(format), type, kSigned ? "OpConvertFToS" : "OpConvertFToU"), isa)
              .map<Integer>(codes);
      for (size_t k = 0; k < codes.size() && !testing::Test::HasFailure(); ++k) {
        using Limits = std::numeric_limits<Integer>;
        const double exact = float8ToDouble(format, codes[k]);
        const Integer expected = std::isnan(exact)                             ? Integer{0}
                                 : exact <= static_cast<double>(Limits::min()) ? Limits::min()
                                 : exact >= static_cast<double>(Limits::max())
                                     ? Limits::max()
                                     : static_cast<Integer>(exact);
        EXPECT_EQ(back[k], expected) << format.name << " " << exact << " on " << rt::isaName(isa);
      }
    }
  }
}

template <typename Integer>
std::vector<Integer> sampledIntegers() {
  std::vector<Integer> integers;
  for (unsigned shift = 0; shift < 8 * sizeof(Integer); ++shift)
    for (int64_t k = -40; k < 40; ++k)
      integers.push_back(
          static_cast<Integer>((static_cast<uint64_t>(k) << shift) + static_cast<uint64_t>(k % 3)));
  return integers;
}

TEST(Float8Test, Integers) {
  convertsIntegers(sampledIntegers<int8_t>());
  convertsIntegers(everyCode<uint16_t>());
  convertsIntegers(sampledIntegers<int32_t>());
  convertsIntegers(sampledIntegers<uint64_t>());
}

}  // namespace
}  // namespace jit::test
