// SPDX-License-Identifier: Apache-2.0

// What the model allows, by promise: the numbers that a driver may make of others.
#include "tests/matrix/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/matrix/model.h"
#include "tests/matrix/random.h"
#include "tests/matrix/regions.h"

namespace matrices {
namespace {

using enum ElementType;
using enum Promise;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

uint64_t bitsOf(ElementType type, double value) {
  return kernels::encode(type, kernels::Value::of(value));
}
Number number(ElementType type, double value) { return numberFromBits(type, bitsOf(type, value)); }

Number sum(ElementType type, double x, double y, Promise promise) {
  return combine(Arithmetic::Add, type, number(type, x), number(type, y), false, promise);
}
Number product(ElementType type, double x, double y, Promise promise) {
  return combine(Arithmetic::Multiply, type, number(type, x), number(type, y), false, promise);
}
Number quotient(ElementType type, double x, double y, Promise promise) {
  return combine(Arithmetic::Divide, type, number(type, x), number(type, y), false, promise);
}
Number conversion(ElementType from, ElementType to, double x, Promise promise) {
  return converted(from, to, number(from, x), false, promise);
}

void expectRange(const Number& x, double low, double high) {
  EXPECT_FALSE(x.unknown);
  EXPECT_FALSE(x.nan);
  EXPECT_EQ(x.low, low);
  EXPECT_EQ(x.high, high);
}
void expectPoint(const Number& x, double value) { expectRange(x, value, value); }

TEST(PromiseTest, VulkanRoundsToEitherNeighbour) {
  const double ulp = 0x1p-7;  // of bf16 from 1 to 2
  expectRange(conversion(F32, BF16, 1 + ulp / 8, Vulkan), 1, 1 + ulp);
  expectRange(conversion(F32, BF16, -1 - ulp / 8, Vulkan), -1 - ulp, -1);
  expectPoint(conversion(F32, BF16, 1 + ulp, Vulkan), 1 + ulp);
  expectRange(conversion(F32, E5M2, 1.0625, Vulkan), 1, 1.25);
  expectRange(conversion(F32, F16, 1 + 0x1p-12, Vulkan), 1, 1 + 0x1p-10);
  // Below half of a double's last digit, too.
  expectRange(sum(F32, 1, 0x1p-60, Vulkan), 1, 1 + 0x1p-23);
  expectRange(sum(F64, 1, -0x1p-60, Vulkan), 1 - 0x1p-53, 1);
  expectRange(product(F16, 1 + 0x1p-10, 1 + 0x1p-10, Vulkan), 1 + 0x1p-9, 1 + 0x1.8p-9);
  expectPoint(sum(F32, 1, 2, Vulkan), 3);
  expectPoint(product(F64, 3, 5, Vulkan), 15);
}

TEST(PromiseTest, FloatControlsRoundIeeeTypesToNearest) {
  expectPoint(sum(F32, 1, 0x1p-60, FloatControls), 1);
  expectPoint(conversion(F32, F16, 1 + 0x1p-12, FloatControls), 1);
  expectRange(conversion(F32, BF16, 1 + 0x1p-10, FloatControls), 1, 1 + 0x1p-7);
  expectPoint(conversion(F32, BF16, 1 + 0x1p-10, Usual), 1);
}

TEST(PromiseTest, SubnormalOperandsMayBe0) {
  const double subnormal = 0x1p-15;  // of f16
  for (Promise promise : {Vulkan, FloatControls}) {
    expectRange(product(F16, subnormal, 4, promise), 0, 4 * subnormal);
    expectRange(conversion(F16, F32, subnormal, promise), 0, subnormal);
    expectRange(negated(F16, number(F16, subnormal), promise), -subnormal, 0);
  }
  expectPoint(product(F16, subnormal, 4, Usual), 4 * subnormal);
  expectPoint(conversion(F16, F32, subnormal, Usual), subnormal);
}

TEST(PromiseTest, ComparisonsOfNegativeSubnormalsAreOpen) {
  const Number subnormal = number(F16, -0x1p-15), seven = number(F16, 7);
  EXPECT_TRUE(replacedIfNegative(F16, subnormal, seven, Vulkan).unknown);
  expectPoint(replacedIfNegative(F16, subnormal, seven, Usual), 7);
  expectPoint(replacedIfNegative(F16, number(F16, -1), seven, Vulkan), 7);
  expectPoint(replacedIfNegative(F16, number(F16, 0x1p-15), seven, Vulkan), 0x1p-15);
}

TEST(PromiseTest, InfinitiesAndNanAreOpen) {
  for (double special : {kInfinity, -kInfinity, kNan}) {
    EXPECT_TRUE(sum(F32, special, 1, Vulkan).unknown);
    EXPECT_TRUE(negated(F32, number(F32, special), Vulkan).unknown);
    EXPECT_TRUE(conversion(F32, F16, special, Vulkan).unknown);
    EXPECT_TRUE(replacedIfNegative(F32, number(F32, special), number(F32, 1), Vulkan).unknown);
    EXPECT_TRUE(greatestOf(F32, {number(F32, special), number(F32, 1)}, Vulkan).unknown);
    EXPECT_FALSE(sum(F32, special, 1, FloatControls).unknown);
    // The execution modes are not about bf16.
    EXPECT_TRUE(conversion(F32, BF16, special, FloatControls).unknown);
    EXPECT_TRUE(conversion(BF16, F32, special, FloatControls).unknown);
    EXPECT_FALSE(conversion(F32, BF16, special, Usual).unknown);
  }
  // What overflows, and what has no value.
  EXPECT_TRUE(sum(F16, 65504, 65504, Vulkan).unknown);
  EXPECT_TRUE(conversion(F32, F16, 65505, Vulkan).unknown);
  EXPECT_TRUE(quotient(F32, 0, 0, Vulkan).unknown);
  EXPECT_TRUE(quotient(F32, 1, 0, Vulkan).unknown);
  expectPoint(sum(F16, 65504, 65504, FloatControls), kInfinity);
}

TEST(PromiseTest, QuotientsAreWithin2Point5Ulp) {
  const double ulp = 0x1p-22;  // of f32 from 2 to 4
  for (Promise promise : {Vulkan, FloatControls})
    expectRange(quotient(F32, 9, 3, promise), 3 - 2 * ulp, 3 + 2 * ulp);
  expectPoint(quotient(F32, 9, 3, Usual), 3);
  const Number third = quotient(F32, 1, 3, Usual);
  EXPECT_LE(third.high - third.low, 5 * 0x1p-25);
}

TEST(PromiseTest, ConversionsInARowMayBeOne) {
  const double x = 1 + 0x1p-8 + 0x1p-16;  // of whose terms f16 has two
  const Number half = conversion(F32, F16, x, FloatControls);
  expectPoint(half, 1 + 0x1p-8);
  const Number back = converted(F16, F32, half, false, FloatControls);
  expectRange(back, 1 + 0x1p-8, x);
  expectPoint(converted(F16, F32, conversion(F32, F16, x, Usual), false, Usual), 1 + 0x1p-8);
}

TEST(PromiseTest, IntegersRoundByWayOfF32OrAtOnce) {
  auto from = [](int64_t whole, ElementType to, Promise promise) {
    return converted(S64, to, numberFromBits(S64, static_cast<uint64_t>(whole)), false, promise);
  };
  const int64_t large = (int64_t{1} << 60) + 1;
  expectRange(from(large, F64, Vulkan), 0x1p60, 0x1p60 + 256);
  expectPoint(from(large, F64, FloatControls), 0x1p60);
  expectRange(from(large, F32, Vulkan), 0x1p60, 0x1p60 * (1 + 0x1p-23));
  expectRange(from(257, BF16, Vulkan), 256, 258);
  expectPoint(from(258, BF16, Vulkan), 258);
}

// With all a and b, and c.
Number multiplyAddOf(const Multiplication& row, double a, double b, double c, Promise promise) {
  const Matrix left(size_t{row.m} * row.k, number(row.a, a)),
      right(size_t{row.k} * row.n, number(row.b, b)),
      addend(size_t{row.m} * row.n, number(row.c, c));
  return multiplyAdd(row, left, right, addend, promise)[0];
}

TEST(PromiseTest, MultiplyAddsMayRoundAsTheirResult) {
  const Multiplication row{1, 1, 16, F16, F16, F16, F16, false};
  // Each 1 is lost beside 2048, or none is.
  const Number open = multiplyAddOf(row, 1, 1, 2048, Vulkan);
  EXPECT_LE(open.low, 2048);
  EXPECT_GE(open.high, 2064);
  expectPoint(multiplyAddOf(row, 1, 1, 2048, Usual), 2064);
  // Every sum is a number of the type.
  for (Promise promise : {Vulkan, FloatControls, Usual, Exact})
    expectPoint(multiplyAddOf(row, 2, 3, 4, promise), 100);
  // The terms could overflow, are subnormal, or infinite.
  EXPECT_TRUE(multiplyAddOf(row, 64, 64, -60000, Vulkan).unknown);
  EXPECT_FALSE(multiplyAddOf(row, 64, 64, -60000, Usual).unknown);
  EXPECT_LE(multiplyAddOf(row, 0x1p-15, 1024, 0, Vulkan).low, 0);
  expectPoint(multiplyAddOf(row, 0x1p-15, 1024, 0, Usual), 0.5);
  for (Promise promise : {Vulkan, FloatControls})
    EXPECT_TRUE(multiplyAddOf(row, kInfinity, 1, 0, promise).unknown);
}

// Every promise holds what stronger ones do.
TEST(PromiseTest, MultiplyAddsMayBeNanWhereAnOperandMay) {
  const Multiplication row{1, 1, 1, E4M3, E4M3, E4M3, E4M3, false};
  const Number one = number(E4M3, 1);
  // The greatest number, or what a sum beyond it becomes.
  Number greatest = number(E4M3, 448);
  greatest.nan = true;
  const Number low = number(E4M3, -448);
  for (const Matrix& result : {multiplyAdd(row, {one}, {one}, {greatest}, Usual),
                               multiplyAdd(row, {greatest}, {one}, {low}, Usual),
                               multiplyAdd(row, {one}, {greatest}, {low}, Usual)}) {
    EXPECT_TRUE(result[0].nan);
    EXPECT_EQ(result[0].low, result[0].high) << "and else one number";
  }
  EXPECT_FALSE(multiplyAdd(row, {one}, {one}, {low}, Usual)[0].nan);
}

TEST(PromiseTest, WeakerPromisesAllowMore) {
  auto holds = [](ElementType type, const Number& weak, const Number& strong) {
    if (weak.unknown) return true;
    if (strong.unknown || (strong.nan && !weak.nan)) return false;
    if (!isFloat(type)) return weak.bits == strong.bits;
    return strong.low > strong.high || (weak.low <= strong.low && strong.high <= weak.high);
  };
  const Promise promises[] = {Vulkan, FloatControls, Usual, Exact};
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    const ElementType type = random.of({F16, F32, F64, BF16, E4M3, E5M2, S32, S64});
    const ElementType to = random.of({F16, F32, F64, BF16, E4M3, E5M2, S32});
    auto any = [&] {
      const Contents contents =
          random.of({Contents::Small, Contents::Real, Contents::Wide, Contents::Special});
      return numberFromBits(type, randomBits(random, type, contents));
    };
    const Number x = any(), y = any(), z = any();
    const auto operation = static_cast<Arithmetic>(random.between(0, 3));
    const bool saturate = random.chance(20) && (to == E4M3 || to == E5M2);
    for (size_t k = 1; k < std::size(promises); ++k) {
      auto made = [&](Promise promise) {
        const Number first = combine(operation, type, x, y, true, promise);
        const Number second = combine(Arithmetic::Add, type, first, z, true, promise);
        return std::pair{second, converted(type, to, second, saturate, promise)};
      };
      const auto weak = made(promises[k - 1]), strong = made(promises[k]);
      EXPECT_TRUE(holds(type, weak.first, strong.first) && holds(to, weak.second, strong.second))
          << "operation " << static_cast<int>(operation) << " of "
          << kernels::elementInfo(type).name << ", promise " << k << ": " << describe(type, x)
          << ", " << describe(type, y) << ", " << describe(type, z) << ": "
          << describe(type, weak.first) << " and " << describe(type, strong.first) << ", as "
          << kernels::elementInfo(to).name << " " << describe(to, weak.second) << " and "
          << describe(to, strong.second);
    }
  }
}

}  // namespace
}  // namespace matrices
