// SPDX-License-Identifier: Apache-2.0

// The elementary functions of GLSL.std.450 against references in binary64, ULP by ULP.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <random>

#include "tests/jit/math/accuracy.h"
#include "tests/jit/math/function_kernel.h"

namespace jit::test {
namespace {

// The specification leaves out negative bases.
double power(double x, double y) {
  if (x < 0 && y != 0) return NAN;
  return std::pow(x == 0 ? 0 : x, y);
}

// Vulkan's formulas for Sinh and Cosh overflow where e^|x| does.
double unlessInfinite(double x, double value) {
  const bool overflows = std::isinf(static_cast<float>(std::exp(std::abs(x))));
  return overflows ? std::copysign(INFINITY, value) : value;
}

struct Row {
  const char* name;
  uint32_t operands;
  double (*reference)(double x, double y);
  double bound;
};

constexpr Row kRows[] = {
#define FUNCTION(name, operands, expression, bound)                                           \
  {#name, operands, [](double x, [[maybe_unused]] double y) -> double { return expression; }, \
   bound},
#include "tests/jit/math/elementary_functions.def"
};

FunctionShader shaderOf(const Row& row, const char* type) {
  FunctionShader shader;
  shader.operands = row.operands;
  shader.from = shader.to = type;
  shader.code = std::string("%result = OpExtInst %from %glsl ") + row.name + " %x" +
                (row.operands == 2 ? " %y" : "");
  return shader;
}

float fromBits(uint32_t bits) { return std::bit_cast<float>(bits); }

// Every exponent and sign with random mantissas, the least and the greatest ones among them; and
// what lies around points where functions change: small fractions and multiples of pi/2.
std::vector<float> floats(uint32_t mantissas) {
  std::mt19937 random(1);
  std::vector<float> result;
  for (uint32_t head = 0; head < 512; ++head) {
    for (uint32_t m = 0; m < mantissas; ++m) {
      const uint32_t mantissa = m == 0 ? 0 : m == 1 ? 1 : m == 2 ? 0x7fffff : random() >> 9;
      result.push_back(fromBits(head << 23 | mantissa));
    }
  }
  auto around = [&](float value) {
    for (int32_t step = -16; step <= 16; ++step)
      result.push_back(fromBits(std::bit_cast<uint32_t>(value) + static_cast<uint32_t>(step)));
  };
  for (int32_t quarter = -40; quarter <= 40; ++quarter) around(static_cast<float>(quarter) / 8);
  for (int32_t n = 1; n < 5000; n += n < 200 ? 1 : 97) around(static_cast<float>(n * M_PI_2));
  double turns = 10007;
  while (turns < 1e38) {
    around(static_cast<float>(std::floor(turns) * M_PI_2));
    turns *= 3.7;
  }
  while (result.size() % 256 != 0) result.push_back(1);
  return result;
}

template <typename Number>
struct Worst {
  double error = 0;
  Number x{}, y{}, result{};

  void take(const Row& row, const Format& format, Number a, Number b, Number r) {
    const double exact = row.reference(toDouble(a), toDouble(b));
    const double e = ulpError(toDouble(r), exact, format);
    if (e > error) *this = {e, a, b, r};
  }
  std::string text(const Row& row) const {
    char line[200];
    std::snprintf(line, sizeof line, "%s(%.9g, %.9g) = %.9g, not %.17g: %.3f ULP", row.name,
                  toDouble(x), toDouble(y), toDouble(result),
                  row.reference(toDouble(x), toDouble(y)), error);
    return line;
  }
};

// All pairs of some numbers, in two arrays.
template <typename Number>
void pairs(const std::vector<Number>& some, std::vector<Number>& x, std::vector<Number>& y) {
  x.clear();
  y.clear();
  for (Number a : some) {
    for (Number b : some) {
      x.push_back(a);
      y.push_back(b);
    }
  }
}

TEST(ElementaryFunctionsTest, Singles) {
  const std::vector<float> all = floats(250);
  // For pairs: numbers of all magnitudes, and many near 1, where powers are finite.
  std::vector<float> x, y;
  std::vector<float> some;
  for (size_t k = 0; k < all.size() && some.size() < 320; k += 397) some.push_back(all[k]);
  for (float f : {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 0.5f, 2.0f, 3.0f, 1e-45f})
    some.push_back(f);
  while (some.size() < 512)
    some.push_back(1.0f + 0.002f * static_cast<float>(static_cast<int>(some.size()) - 400));
  pairs(some, x, y);
  for (const Row& row : kRows) {
    for (rt::Isa isa : machineIsas()) {
      const FunctionKernel kernel(shaderOf(row, "float 32"), isa);
      const auto& a = row.operands == 2 ? x : all;
      const auto& b = row.operands == 2 ? y : all;
      const std::vector<float> result = kernel.map<float>(a, b);
      Worst<float> worst;
      for (size_t k = 0; k < a.size(); ++k) worst.take(row, kSingle, a[k], b[k], result[k]);
      EXPECT_LE(worst.error, row.bound) << rt::isaName(isa) << ": " << worst.text(row);
      RecordProperty(std::string(row.name) + "_" + std::string(rt::isaName(isa)),
                     std::to_string(worst.error));
    }
  }
}

TEST(ElementaryFunctionsTest, EveryHalf) {
  std::vector<uint16_t> all(65536), x, y, some;
  for (uint32_t h = 0; h < 65536; ++h) all[h] = static_cast<uint16_t>(h);
  for (uint32_t k = 0; k < 256; ++k) some.push_back(static_cast<uint16_t>(k * 257));
  pairs(some, x, y);
  for (const Row& row : kRows) {
    for (rt::Isa isa : machineIsas()) {
      const FunctionKernel kernel(shaderOf(row, "float 16"), isa);
      const auto& a = row.operands == 2 ? x : all;
      const auto& b = row.operands == 2 ? y : all;
      const std::vector<uint16_t> result = kernel.map<uint16_t>(a, b);
      Worst<uint16_t> worst;
      for (size_t k = 0; k < a.size(); ++k) worst.take(row, kHalf, a[k], b[k], result[k]);
      EXPECT_LE(worst.error, 0.51) << rt::isaName(isa) << ": " << worst.text(row);
    }
  }
}

// Where the numbers of docs/numerics.md come from: TESSERA_TEST_SWEEP=1, or the name of one
// function.
bool isSwept(const Row& row) {
  const char* which = std::getenv("TESSERA_TEST_SWEEP");
  return which && (std::string_view(which) == "1" || std::string_view(which) == row.name);
}
constexpr const char* kNotSwept =
    "takes minutes: run it with TESSERA_TEST_SWEEP=1 for the table in docs/numerics.md; Singles "
    "holds the same bounds on a sample";
constexpr uint32_t kChunk = 1 << 20;

// Applies the function to chunks of arguments, which `next` fills in until it returns false.
template <typename Next>
void sweep(const Row& row, Next next) {
  std::vector<float> x(kChunk), y(kChunk);
  std::vector<FunctionKernel> kernels;
  for (rt::Isa isa : machineIsas()) kernels.emplace_back(shaderOf(row, "float 32"), isa);
  std::vector<Worst<float>> worst(kernels.size());
  while (next(x, y)) {
    for (size_t n = 0; n < kernels.size(); ++n) {
      const std::vector<float> result = kernels[n].map<float>(x, y);
      for (uint32_t k = 0; k < kChunk; ++k) worst[n].take(row, kSingle, x[k], y[k], result[k]);
    }
  }
  for (size_t n = 0; n < kernels.size(); ++n) {
    const std::string isa(rt::isaName(machineIsas()[n]));
    EXPECT_LE(worst[n].error, row.bound) << isa << ": " << worst[n].text(row);
    std::printf("%-9s %s\n", isa.c_str(), worst[n].text(row).c_str());
  }
}

TEST(ElementaryFunctionsTest, EverySixteenthSingle) {
  if (std::getenv("TESSERA_TEST_SWEEP") == nullptr) GTEST_SKIP() << kNotSwept;
  constexpr uint32_t kStep = 16;
  for (const Row& row : kRows) {
    if (row.operands != 1 || !isSwept(row)) continue;
    uint64_t first = 0;
    sweep(row, [&](std::vector<float>& x, std::vector<float>&) {
      for (uint32_t k = 0; k < kChunk; ++k)
        x[k] = fromBits(static_cast<uint32_t>(first + uint64_t{kStep} * k));
      first += uint64_t{kStep} * kChunk;
      return first <= uint64_t{1} << 32;
    });
  }
}

// Pairs whose results are neither trivial nor infinite: for Pow, any base and an exponent for a
// power from the least to the greatest number; for Atan2, any number and one up to 2^32 larger or
// smaller.
TEST(ElementaryFunctionsTest, RandomPairsOfSingles) {
  if (std::getenv("TESSERA_TEST_SWEEP") == nullptr) GTEST_SKIP() << kNotSwept;
  constexpr uint32_t kChunks = 256;
  for (const Row& row : kRows) {
    if (row.operands != 2 || !isSwept(row)) continue;
    const bool power = std::string_view(row.name) == "Pow";
    std::mt19937_64 random(2);
    uint32_t chunk = 0;
    sweep(row, [&](std::vector<float>& x, std::vector<float>& y) {
      for (uint32_t k = 0; k < kChunk; ++k) {
        const uint64_t r = random();
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
        // Half of the bases are near 1, where the logarithm cancels.
        const uint32_t base = r & 1 ? 0x3f000000 + (r >> 32 & 0xffffff) : r >> 33;
        x[k] = fromBits(power ? base : static_cast<uint32_t>(r >> 32));
        y[k] = static_cast<float>(power ? (unit * 277 - 149) / std::log2(x[k])
                                        : std::exp2(unit * 64 - 32) * x[k]);
        if (!power && (r & 2)) y[k] = -y[k];
      }
      return chunk++ < kChunks;
    });
  }
}

// Bits; all NaNs are alike.
template <typename Number>
bool same(const std::vector<Number>& a, const std::vector<Number>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Number p, Number q) {
    using Bytes = std::array<std::byte, sizeof(Number)>;
    return std::bit_cast<Bytes>(p) == std::bit_cast<Bytes>(q) ||
           (std::isnan(toDouble(p)) && std::isnan(toDouble(q)));
  });
}

// Subgroups of other sizes call functions of other widths, uniform arguments those of scalars.
TEST(ElementaryFunctionsTest, ShapesAgree) {
  const std::vector<float> x = floats(2);
  for (const Row& row : kRows) {
    FunctionShader shader = shaderOf(row, "float 32");
    const auto expected = FunctionKernel(shader, rt::hostIsa()).map<float>(x, x);
    shader.uniform = true;
    EXPECT_TRUE(same(FunctionKernel(shader, rt::hostIsa()).map<float>(x, x), expected))
        << row.name << " of uniform values";
  }
  for (const char* name : {"Sin", "Pow"}) {
    const Row& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                   [&](const Row& r) { return std::string_view(r.name) == name; });
    for (rt::Isa isa : machineIsas()) {
      const FunctionShader shader = shaderOf(row, "float 32");
      const auto expected = FunctionKernel(shader, isa).map<float>(x, x);
      for (uint32_t subgroup : {8u, 64u})
        EXPECT_TRUE(same(FunctionKernel(shader, isa, subgroup).map<float>(x, x), expected))
            << row.name << " on " << rt::isaName(isa) << " in subgroups of " << subgroup;
    }
  }
}

}  // namespace
}  // namespace jit::test
