// SPDX-License-Identifier: Apache-2.0

// Rounding towards zero, and to halves, against the machine's own rounding modes and exact
// arithmetic.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>

#include "tests/jit/math/half_reference.h"
#include "tests/jit/math/number_samples.h"
#include "tests/jit/math/shader_with_modes.h"

namespace jit::test {
namespace {

constexpr size_t kSamples = 1 << 15;

class TowardsZero {
 public:
  TowardsZero() { std::fesetround(FE_TOWARDZERO); }
  ~TowardsZero() { std::fesetround(FE_TONEAREST); }
};

template <typename Number>
Number withMode(Number (*operation)(Number, Number), Number a, Number b) {
  TowardsZero mode;
  return operation(a, b);
}

// What the compiler must not compute when it compiles.
template <typename Number>
struct Operations {
  static Number add(Number a, Number b) {
    volatile Number x = a, y = b;
    volatile Number r = x + y;
    return r;
  }
  static Number subtract(Number a, Number b) {
    volatile Number x = a, y = b;
    volatile Number r = x - y;
    return r;
  }
  static Number multiply(Number a, Number b) {
    volatile Number x = a, y = b;
    volatile Number r = x * y;
    return r;
  }
  static Number divide(Number a, Number b) {
    volatile Number x = a, y = b;
    volatile Number r = x / y;
    return r;
  }
  static Number root(Number a, Number) {
    volatile Number x = a;
    volatile Number r = std::sqrt(x);
    return r;
  }
};

template <typename Number>
struct Operation {
  const char* code;
  uint32_t operands;
  Number (*reference)(Number, Number);
};

template <typename Number>
std::vector<Operation<Number>> operations() {
  using O = Operations<Number>;
  return {{"%result = OpFAdd %from %x %y", 2, O::add},
          {"%result = OpFSub %from %x %y", 2, O::subtract},
          {"%result = OpFMul %from %x %y", 2, O::multiply},
          {"%result = OpFDiv %from %x %y", 2, O::divide},
          {"%result = OpExtInst %from %glsl Sqrt %x", 1, O::root}};
}

template <typename Number, typename Bits>
void expectSame(const std::vector<Bits>& result, size_t k, Number expected, const char* what,
                rt::Isa isa, double a, double b) {
  const Number actual = std::bit_cast<Number>(result[k]);
  if (std::isnan(expected) ? std::isnan(actual) : result[k] == std::bit_cast<Bits>(expected))
    return;
  ADD_FAILURE() << what << " of " << a << " and " << b << " on " << rt::isaName(isa) << " is "
                << actual << ", not " << expected;
}

template <typename Number, typename Bits>
void roundsTowardsZero(const std::string& type, unsigned mantissa) {
  std::vector<Bits> a, b;
  NumberSamples<Bits>(mantissa, 7).fill(kSamples, a, b);
  for (const Operation<Number>& operation : operations<Number>()) {
    std::vector<Number> expected;
    for (size_t k = 0; k < a.size(); ++k)
      expected.push_back(
          withMode(operation.reference, std::bit_cast<Number>(a[k]), std::bit_cast<Number>(b[k])));
    for (rt::Isa isa : machineIsas()) {
      const auto width = std::to_string(8 * sizeof(Bits));
      FunctionKernel kernel(
          shaderWithModes(type, operation.code, operation.operands,
                          "OpExecutionMode %main RoundingModeRTZ " + width + "\n"),
          isa);
      const auto result = kernel.map<Bits>(a, b);
      for (size_t k = 0; k < a.size() && !testing::Test::HasFailure(); ++k)
        expectSame(result, k, expected[k], operation.code, isa, std::bit_cast<Number>(a[k]),
                   std::bit_cast<Number>(b[k]));
    }
  }
}

TEST(RoundingTest, SinglesRoundTowardsZero) { roundsTowardsZero<float, uint32_t>("float 32", 23); }
TEST(RoundingTest, DoublesRoundTowardsZero) { roundsTowardsZero<double, uint64_t>("float 64", 52); }

TEST(RoundingTest, HalvesRoundAsAsked) {
  std::vector<uint16_t> a, b;
  NumberSamples<uint16_t>(10, 7).fill(kSamples, a, b);
  for (const Operation<double>& operation : operations<double>()) {
    for (const char* mode : {"RoundingModeRTZ", "RoundingModeRTE"}) {
      for (rt::Isa isa : machineIsas()) {
        // The modes of other widths do not matter.
        const bool towards_zero = std::string_view(mode) == "RoundingModeRTZ";
        const auto shader =
            shaderWithModes("float 16", operation.code, operation.operands,
                            std::string("OpExecutionMode %main ") + mode +
                                " 16\nOpExecutionMode %main DenormPreserve 16\n" +
                                (towards_zero ? "" : "OpExecutionMode %main RoundingModeRTZ 32\n") +
                                "OpExecutionMode %main DenormFlushToZero 32\n");
        const auto result = FunctionKernel(shader, isa).map<uint16_t>(a, b);
        for (size_t k = 0; k < a.size() && !HasFailure(); ++k) {
          const double exact = operation.reference(halfToDouble(a[k]), halfToDouble(b[k]));
          EXPECT_TRUE(sameHalf(result[k], roundToHalf(exact, towards_zero)))
              << operation.code << ", " << mode << " on " << rt::isaName(isa) << ": "
              << halfToDouble(a[k]) << ", " << halfToDouble(b[k]) << " gives "
              << halfToDouble(result[k]) << ", not " << exact;
        }
      }
    }
  }
}

template <typename Number, typename Bits>
void fusedRoundsTowardsZero(const std::string& type, unsigned mantissa) {
  std::vector<Bits> a, b, c, unused;
  NumberSamples<Bits> samples(mantissa, 9);
  samples.fill(kSamples, a, b);
  samples.fill(kSamples, c, unused);
  for (size_t k = 0; k < c.size(); ++k) {
    const Number product = std::bit_cast<Number>(a[k]) * std::bit_cast<Number>(b[k]);
    // Sums that nearly cancel, and ones of which a part hardly counts.
    const auto off = std::ldexp(Number(k % 64) - 32, -static_cast<int>(k % (2 * mantissa + 4)));
    if (k % 3 == 0) c[k] = std::bit_cast<Bits>(-product * (1 + off));
    if (k % 3 == 1) c[k] = samples.near(std::bit_cast<Bits>(product));
  }
  const auto mode =
      "OpExecutionMode %main RoundingModeRTZ " + std::to_string(8 * sizeof(Bits)) + "\n";
  for (const char* code :
       {"%result = OpExtInst %from %glsl Fma %x %y %z", "%result = OpFmaKHR %from %x %y %z"}) {
    for (rt::Isa isa : machineIsas()) {
      FunctionShader shader = shaderWithModes(type, code, 3, mode);
      shader.capabilities += "OpCapability FMAKHR\n";
      shader.extensions += "OpExtension \"SPV_KHR_fma\"\n";
      const auto result = FunctionKernel(shader, isa).map<Bits>(a, b, c);
      for (size_t k = 0; k < a.size() && !testing::Test::HasFailure(); ++k) {
        volatile Number x = std::bit_cast<Number>(a[k]), y = std::bit_cast<Number>(b[k]),
                        z = std::bit_cast<Number>(c[k]);
        volatile Number expected;
        {
          TowardsZero mode_of_machine;
          expected = std::fma(x, y, z);
        }
        expectSame(result, k, Number(expected), code, isa, x, y);
      }
    }
  }
}

TEST(RoundingTest, FusedSinglesRoundTowardsZero) {
  fusedRoundsTowardsZero<float, uint32_t>("float 32", 23);
}
TEST(RoundingTest, FusedDoublesRoundTowardsZero) {
  fusedRoundsTowardsZero<double, uint64_t>("float 64", 52);
}

// x * y + z in binary64, and an odd number where that is not exact: rounding it again to half
// precision is as rounding once.
double fusedToOdd(double x, double y, double z) {
  volatile double a = x, b = y, c = z;
  std::fesetround(FE_DOWNWARD);
  volatile double below = std::fma(a, b, c);
  std::fesetround(FE_UPWARD);
  volatile double above = std::fma(a, b, c);
  std::fesetround(FE_TONEAREST);
  if (below == above) return x * y + z;  // exact: only the sign of a zero depends on the mode
  return std::bit_cast<uint64_t>(double(below)) % 2 != 0 ? below : above;
}

TEST(RoundingTest, FusedHalvesRoundAsAsked) {
  std::vector<uint16_t> a, b, c;
  NumberSamples<uint16_t> samples(10, 11);
  samples.fill(kSamples, a, b);
  for (size_t k = 0; k < a.size(); ++k) {
    const double product = halfToDouble(a[k]) * halfToDouble(b[k]);
    c.push_back(k % 2 ? samples.any() : samples.near(roundToHalf(product, false)));
  }
  for (const char* mode : {"RoundingModeRTZ", "RoundingModeRTE"}) {
    // The modes of other widths do not matter.
    const bool towards_zero = std::string_view(mode) == "RoundingModeRTZ";
    FunctionShader shader =
        shaderWithModes("float 16", "%result = OpFmaKHR %from %x %y %z", 3,
                        std::string("OpExecutionMode %main ") + mode +
                            " 16\nOpExecutionMode %main DenormPreserve 16\n" +
                            (towards_zero ? "OpExecutionMode %main RoundingModeRTE 32\n"
                                          : "OpExecutionMode %main RoundingModeRTZ 32\n") +
                            "OpExecutionMode %main DenormFlushToZero 32\n");
    shader.capabilities += "OpCapability FMAKHR\n";
    shader.extensions += "OpExtension \"SPV_KHR_fma\"\n";
    for (rt::Isa isa : machineIsas()) {
      const auto result = FunctionKernel(shader, isa).map<uint16_t>(a, b, c);
      for (size_t k = 0; k < a.size() && !HasFailure(); ++k) {
        const double x = halfToDouble(a[k]), y = halfToDouble(b[k]), z = halfToDouble(c[k]);
        const double exact = fusedToOdd(x, y, z);
        EXPECT_TRUE(sameHalf(result[k], roundToHalf(exact, towards_zero)))
            << mode << " on " << rt::isaName(isa) << ": " << x << " * " << y << " + " << z
            << " gives " << halfToDouble(result[k]) << ", not " << exact;
      }
    }
  }
}

TEST(RoundingTest, ConversionsRoundTowardsZero) {
  const std::string mode16 = "OpExecutionMode %main RoundingModeRTZ 16\n";
  const std::string mode32 = "OpExecutionMode %main RoundingModeRTZ 32\n";
  const std::string mode64 = "OpExecutionMode %main RoundingModeRTZ 64\n";
  std::vector<uint64_t> a, unused;
  NumberSamples<uint64_t>(52, 5).fill(kSamples, a, unused);
  // Doubles whose exponents floats and halves have.
  for (size_t k = 0; k < a.size(); k += 2)
    a[k] = (a[k] & 0x800fffffffffffff) | (uint64_t{1023 - 160 + k % 300} << 52);
  for (size_t k = 1; k < a.size(); k += 4)
    a[k] = (a[k] & 0x800fffffffffffff) | (uint64_t{1023 - 30 + k % 50} << 52);
  for (rt::Isa isa : machineIsas()) {
    FunctionShader shader = shaderWithModes("float 64", "%result = OpFConvert %to %x", 1, mode32);
    shader.to = "float 32";
    auto singles = FunctionKernel(shader, isa).map<uint32_t>(a);
    // The mode of the width that is converted from does not matter; the decoration does.
    shader.to = "float 16";
    shader.execution_modes = mode64;
    shader.annotations = "OpDecorate %result FPRoundingMode RTZ\n";
    const auto decorated = FunctionKernel(shader, isa).map<uint16_t>(a);
    shader.annotations.clear();
    shader.execution_modes = mode16;
    const auto halves = FunctionKernel(shader, isa).map<uint16_t>(a);
    shader.annotations = "OpDecorate %result FPRoundingMode RTE\n";
    const auto nearest = FunctionKernel(shader, isa).map<uint16_t>(a);
    shader.annotations.clear();
    shader.from = "int 64 1";
    shader.to = "float 32";
    shader.execution_modes = mode32;
    shader.code = "%result = OpConvertSToF %to %x";
    const auto integers = FunctionKernel(shader, isa).map<uint32_t>(a);
    for (size_t k = 0; k < a.size() && !HasFailure(); ++k) {
      volatile double x = std::bit_cast<double>(a[k]);
      volatile int64_t n = static_cast<int64_t>(a[k]);
      volatile float single, integer;
      {
        TowardsZero mode;
        single = static_cast<float>(x);
        integer = static_cast<float>(n);
      }
      expectSame(singles, k, float(single), "f64 to f32", isa, x, 0);
      expectSame(integers, k, float(integer), "s64 to f32", isa, double(n), 0);
      EXPECT_TRUE(sameHalf(halves[k], roundToHalf(x, true))) << rt::isaName(isa) << " " << x;
      EXPECT_TRUE(sameHalf(decorated[k], roundToHalf(x, true))) << rt::isaName(isa) << " " << x;
      EXPECT_TRUE(sameHalf(nearest[k], roundToHalf(x, false))) << rt::isaName(isa) << " " << x;
    }
  }
}

}  // namespace
}  // namespace jit::test
