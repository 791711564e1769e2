// Execution modes of floats, and the roundings of conversions, against the machine's own rounding
// modes and exact arithmetic.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <functional>

#include "tests/jit/math/accuracy.h"
#include "tests/jit/math/function_kernel.h"
#include "tests/jit/math/number_samples.h"

namespace jit::test {
namespace {

constexpr size_t kSamples = 1 << 15;
constexpr const char* kModes = R"(
    OpCapability DenormPreserve
    OpCapability DenormFlushToZero
    OpCapability RoundingModeRTE
    OpCapability RoundingModeRTZ
    OpCapability SignedZeroInfNanPreserve
)";
constexpr const char* kModesExtension = "OpExtension \"SPV_KHR_float_controls\"\n";

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

FunctionShader shaderOf(const std::string& type, const char* code, uint32_t operands,
                        const std::string& modes) {
  FunctionShader shader;
  shader.from = shader.to = type;
  shader.code = code;
  shader.operands = operands;
  shader.capabilities = kModes;
  shader.extensions = kModesExtension;
  shader.execution_modes = modes;
  return shader;
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
      FunctionKernel kernel(shaderOf(type, operation.code, operation.operands,
                                     "OpExecutionMode %main RoundingModeRTZ " + width + "\n"),
                            isa);
      const auto result = kernel.map<Bits>(a, b);
      for (size_t k = 0; k < a.size() && !testing::Test::HasFailure(); ++k)
        expectSame(result, k, expected[k], operation.code, isa, std::bit_cast<Number>(a[k]),
                   std::bit_cast<Number>(b[k]));
    }
  }
}

TEST(FloatControlsTest, SinglesRoundTowardsZero) {
  roundsTowardsZero<float, uint32_t>("float 32", 23);
}
TEST(FloatControlsTest, DoublesRoundTowardsZero) {
  roundsTowardsZero<double, uint64_t>("float 64", 52);
}

// The half next to `exact` towards zero, or the nearest; `exact` may have been rounded to binary64,
// which is fine for results of one operation on halves.
uint16_t roundToHalf(double exact, bool towards_zero) {
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

bool sameHalf(uint16_t a, uint16_t b) {
  return a == b || (std::isnan(halfToDouble(a)) && std::isnan(halfToDouble(b)));
}

TEST(FloatControlsTest, HalvesRoundAsAsked) {
  std::vector<uint16_t> a, b;
  NumberSamples<uint16_t>(10, 7).fill(kSamples, a, b);
  for (const Operation<double>& operation : operations<double>()) {
    for (const char* mode : {"RoundingModeRTZ", "RoundingModeRTE"}) {
      for (rt::Isa isa : machineIsas()) {
        // The modes of other widths do not matter.
        const bool towards_zero = std::string_view(mode) == "RoundingModeRTZ";
        const auto shader =
            shaderOf("float 16", operation.code, operation.operands,
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

TEST(FloatControlsTest, FmaRoundsTowardsZero) {
  std::vector<uint32_t> a, b;
  NumberSamples<uint32_t>(23, 9).fill(kSamples, a, b);
  std::vector<uint32_t> c(a.rbegin(), a.rend());
  // Sums that nearly cancel.
  for (size_t k = 0; k < c.size(); k += 2)
    c[k] = std::bit_cast<uint32_t>(-std::bit_cast<float>(a[k]) * std::bit_cast<float>(b[k]) *
                                   (1 + 0x1p-20f * float(k % 64)));
  for (rt::Isa isa : machineIsas()) {
    const auto shader = shaderOf("float 32", "%result = OpExtInst %from %glsl Fma %x %y %z", 3,
                                 "OpExecutionMode %main RoundingModeRTZ 32\n");
    const auto result = FunctionKernel(shader, isa).map<uint32_t>(a, b, c);
    for (size_t k = 0; k < a.size() && !HasFailure(); ++k) {
      volatile float x = std::bit_cast<float>(a[k]), y = std::bit_cast<float>(b[k]),
                     z = std::bit_cast<float>(c[k]);
      volatile float expected;
      {
        TowardsZero mode;
        expected = std::fma(x, y, z);
      }
      expectSame(result, k, float(expected), "Fma", isa, x, y);
    }
  }
}

TEST(FloatControlsTest, ConversionsRoundTowardsZero) {
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
    FunctionShader shader = shaderOf("float 64", "%result = OpFConvert %to %x", 1, mode32);
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

// What underflows is zero of the same sign, in the width that asks for it.
TEST(FloatControlsTest, DenormalsFlush) {
  const float least = 0x1p-126f;
  const std::vector<float> x = {least,     -least,    0x1p-140f, -0x1p-140f,
                                0x1p-149f, 0x1p-100f, -0.0f,     least * 2};
  const std::vector<float> y(x.size(), 0.5f);
  struct Row {
    const char* code;
    float (*reference)(float x, float y);
  };
  const Row rows[] = {
      {"%result = OpFMul %from %x %y", [](float a, float b) { return a * b; }},
      {"%result = OpFNegate %from %x", [](float a, float) { return -a; }},
      {"%result = OpExtInst %from %glsl FAbs %x", [](float a, float) { return std::abs(a); }},
      {"%result = OpExtInst %from %glsl FMin %x %y",
       [](float a, float b) { return std::min(a, b); }},
      {"%result = OpExtInst %from %glsl Sin %x", [](float a, float) { return std::sin(a); }},
      {"%result = OpCopyObject %from %x", nullptr},
  };
  for (const Row& row : rows) {
    for (bool flush : {true, false}) {
      for (rt::Isa isa : machineIsas()) {
        const auto shader = shaderOf("float 32", row.code, 2,
                                     flush ? "OpExecutionMode %main DenormFlushToZero 32\n"
                                             "OpExecutionMode %main DenormPreserve 64\n"
                                           : "OpExecutionMode %main DenormPreserve 32\n"
                                             "OpExecutionMode %main DenormFlushToZero 64\n");
        const auto result = FunctionKernel(shader, isa).map<float>(x, y);
        for (size_t k = 0; k < x.size(); ++k) {
          float expected = row.reference ? row.reference(x[k], y[k]) : x[k];
          if (flush && row.reference && std::abs(expected) < least)
            expected = std::copysign(0.0f, expected);
          EXPECT_EQ(std::bit_cast<uint32_t>(result[k]), std::bit_cast<uint32_t>(expected))
              << row.code << " of " << x[k] << " on " << rt::isaName(isa);
        }
      }
    }
  }
}

// Constants are not folded before the modes apply.
TEST(FloatControlsTest, ConstantsObeyTheModes) {
  for (rt::Isa isa : machineIsas()) {
    auto shader = shaderOf("float 32",
                           "%sum = OpFAdd %from %one %tiny\n"
                           "%product = OpFMul %from %least %half\n"
                           "%result = OpFAdd %from %sum %product",
                           1,
                           "OpExecutionMode %main RoundingModeRTZ 32\n"
                           "OpExecutionMode %main DenormFlushToZero 32\n");
    shader.declarations =
        "%one = OpConstant %from -1\n%tiny = OpConstant %from 0x1p-30\n"
        "%least = OpConstant %from 0x1p-126\n%half = OpConstant %from 0.5\n";
    const auto result = FunctionKernel(shader, isa).map<float>(std::vector<float>(1));
    EXPECT_EQ(result[0], -0x1.fffffep-1f) << rt::isaName(isa);
  }
}

// Zeros of two signs are alike to minimum and maximum unless a fast-math mode without NSZ is given.
TEST(FloatControlsTest, ZerosHaveAnOrder) {
  const std::vector<float> x = {0.0f, -0.0f, 0.0f, -0.0f}, y = {-0.0f, 0.0f, 0.0f, -0.0f};
  for (const char* function : {"FMin", "FMax", "NMin", "NMax"}) {
    for (rt::Isa isa : machineIsas()) {
      FunctionShader shader;
      shader.operands = 2;
      shader.code = std::string("%result = OpExtInst %from %glsl ") + function + " %x %y";
      shader.execution_modes = "OpExecutionModeId %main FPFastMathDefault %from %zero\n";
      shader.capabilities = "OpCapability FloatControls2\n";
      shader.extensions = "OpExtension \"SPV_KHR_float_controls2\"\n";
      const auto result = FunctionKernel(shader, isa).map<float>(x, y);
      const bool least = std::string_view(function).substr(1) == "Min";
      const bool negative[] = {least, least, false, true};
      for (size_t k = 0; k < x.size(); ++k)
        EXPECT_EQ(std::signbit(result[k]), negative[k]) << function << " on " << rt::isaName(isa);
    }
  }
}

// A product and a sum are one operation where the module allows it and the machine has FMA.
TEST(FloatControlsTest, Contraction) {
  const float a = 1 + 0x1p-12f, product = a * a;
  const std::vector<float> x(256, a), y(256, -product);
  const float fused = std::fma(a, a, -product);
  ASSERT_NE(fused, 0);
  struct Row {
    const char *annotations, *modes;
    bool contracts;
  };
  const char* kNone = "OpExecutionModeId %main FPFastMathDefault %from %none\n";
  const char* kAllow = "OpExecutionModeId %main FPFastMathDefault %from %contract\n";
  const Row rows[] = {
      {"", "", true},
      {"OpDecorate %product NoContraction\nOpDecorate %result NoContraction\n", "", false},
      {"", kNone, false},
      {"", kAllow, true},
      {"OpDecorate %result FPFastMathMode None\n", kAllow, false},
      {"OpDecorate %product FPFastMathMode AllowContract\n"
       "OpDecorate %result FPFastMathMode AllowContract\n",
       kNone, true},
  };
  for (const Row& row : rows) {
    for (rt::Isa isa : machineIsas()) {
      FunctionShader shader;
      shader.operands = 2;
      shader.code = "%product = OpFMul %from %x %x\n%result = OpFAdd %from %product %y";
      shader.annotations = row.annotations;
      shader.execution_modes = row.modes;
      shader.capabilities = "OpCapability FloatControls2\n";
      shader.extensions = "OpExtension \"SPV_KHR_float_controls2\"\n";
      shader.declarations = "%none = OpConstant %uint 0\n%contract = OpConstant %uint 65536\n";
      const auto result = FunctionKernel(shader, isa).map<float>(x, y);
      EXPECT_EQ(result[0], row.contracts && isa != rt::Isa::Reference ? fused : 0)
          << rt::isaName(isa) << " " << row.annotations << row.modes;
    }
  }
}

}  // namespace
}  // namespace jit::test
