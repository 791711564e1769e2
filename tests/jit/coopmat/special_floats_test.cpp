// SPDX-License-Identifier: Apache-2.0

// What products of floats have in common whatever the microkernel: infinities and NaNs, integers
// that are exact, and errors that are no larger than those of multiply-adds one by one, for
// operands that are hard.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tests/jit/coopmat/gemm_check.h"

namespace jit::coopmat {
namespace {

using enum Component;
using test::checkGemm;
using test::TestMatrix;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr MulAdd kOperations[] = {{16, 16, 16, F16, F16, F32, F32},
                                  {8, 8, 8, F16, F16, F32, F32},
                                  {16, 16, 16, BF16, BF16, F32, F32},
                                  {16, 16, 16, E5M2, E5M2, F32, F32}};

class SpecialFloatsTest : public testing::TestWithParam<rt::Tiles> {
 protected:
  Target target_ = makeTarget(rt::hostIsa(), GetParam());
};

// In places of A and B that belong to different K blocks, tiles and blocks; most blocks have none.
void addSpecials(TestMatrix& a, TestMatrix& b, TestMatrix&) {
  const uint32_t last = a.columns - 1;
  a.set(1, 2, kInfinity);
  a.set(2, last, -kInfinity);
  a.set(3, last / 2, kNan);
  a.set(4, 1, kInfinity);
  a.set(4, last, -kInfinity);
  b.set(0, 5, -kInfinity);
  b.set(last, 6, kNan);
  b.set(1, 7, 0);
}

TEST_P(SpecialFloatsTest, InfinitiesAndNansOfPackedTiles) {
  for (const MulAdd& op : kOperations) {
    for (uint32_t steps : {1, 5, 40}) {
      for (bool schedules : {false, true}) {
        checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 3, .starts_at_c = true},
                            .blocks_down = 2,
                            .steps = steps,
                            .schedules = schedules,
                            .fill = addSpecials});
      }
    }
  }
}

// Panels are packed by one block and found by others; what they tell has to be found, too. Where
// there is no room for them, and where a part was packed before.
TEST_P(SpecialFloatsTest, InfinitiesAndNansOfSharedPanels) {
  for (const MulAdd& op : kOperations) {
    for (Layout layout : {Layout::Row, Layout::Column}) {
      for (bool shares : {false, true}) {
        checkGemm(target_, {.kernel = {.op = op,
                                       .a_tiles = 2,
                                       .b_tiles = 2,
                                       .a_layout = layout,
                                       .b_layout = layout},
                            .blocks_down = 3,
                            .blocks_across = 3,
                            .steps = 37,
                            .shares_panels = shares,
                            .fill = addSpecials});
      }
    }
    checkGemm(target_, {.kernel = {.op = op,
                                   .a_tiles = 2,
                                   .b_tiles = 2,
                                   .steps_per_iteration = 4,
                                   .copies_tiles = true},
                        .blocks_down = 3,
                        .blocks_across = 3,
                        .steps = 36,
                        .fill = addSpecials});
  }
}

// A loop that writes memory packs its tiles at once.
TEST_P(SpecialFloatsTest, InfinitiesAndNansInALoopThatWrites) {
  for (const MulAdd& op : kOperations) {
    checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 2, .stores_in_loop = true},
                        .blocks_down = 2,
                        .blocks_across = 2,
                        .steps = 40,
                        .fill = addSpecials});
  }
}

TEST_P(SpecialFloatsTest, LargeMatricesWithInfinities) {
  for (Component result : {F32, F16}) {
    checkGemm(target_, {.kernel = {.op = {64, 48, 64, F16, F16, result, result}},
                        .blocks_down = 2,
                        .blocks_across = 2,
                        .steps = 5,
                        .fill = addSpecials});
  }
}

// Clients compare products of small integers with ==.
TEST_P(SpecialFloatsTest, IntegersAreExact) {
  std::mt19937 random(1);
  auto fill = [&](TestMatrix& a, TestMatrix& b, TestMatrix& c) {
    auto some = [&](int most) { return std::uniform_int_distribution(-most, most)(random); };
    for (TestMatrix* matrix : {&a, &b})
      for (uint32_t r = 0; r < matrix->rows; ++r)
        for (uint32_t column = 0; column < matrix->columns; ++column)
          matrix->set(r, column, some(matrix->component == F16 ? 160 : 4));
    for (uint32_t r = 0; r < c.rows; ++r)
      for (uint32_t column = 0; column < c.columns; ++column) c.set(r, column, some(1000));
  };
  for (const MulAdd& op : kOperations) {
    checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 2, .starts_at_c = true},
                        .steps = 40,
                        .fill = fill,
                        .is_exact = true});
  }
}

// Finite f16 of any bits; all of one sign with all bits of the mantissa set, so that errors add up;
// pairs that cancel, all but their last bits.
TEST_P(SpecialFloatsTest, ErrorsOfHardOperands) {
  const MulAdd& op = kOperations[0];
  std::mt19937 random(1);
  auto half = [](uint32_t bits) {
    const auto narrow = static_cast<uint16_t>(bits);
    return test::readComponent(F16, &narrow);
  };
  auto anyBits = [&] {
    uint32_t bits;
    do bits = random() & 0xffff;
    while ((bits & 0x7c00) == 0x7c00);
    return half(bits);
  };
  auto allBits = [&] { return half(0x33ff | (random() & 0x3) << 10 | (random() & 7)); };
  auto fillWith = [](auto some) {
    return [=](TestMatrix& a, TestMatrix& b, TestMatrix&) {
      for (TestMatrix* matrix : {&a, &b})
        for (uint32_t r = 0; r < matrix->rows; ++r)
          for (uint32_t c = 0; c < matrix->columns; ++c) matrix->set(r, c, some());
    };
  };
  auto cancelling = [&](TestMatrix& a, TestMatrix& b, TestMatrix& c) {
    fillWith(allBits)(a, b, c);
    for (uint32_t k = 0; k + 1 < a.columns; k += 2) {
      for (uint32_t r = 0; r < a.rows; ++r) a.set(r, k + 1, -a.at(r, k));
      for (uint32_t n = 0; n < b.columns; ++n) b.set(k + 1, n, b.at(k, n) * (1 + 0x1p-10));
    }
  };
  using Fill = std::function<void(TestMatrix&, TestMatrix&, TestMatrix&)>;
  for (const Fill& fill : {Fill(fillWith(anyBits)), Fill(fillWith(allBits)), Fill(cancelling)}) {
    for (uint32_t steps : {1, 2, 64}) {
      for (bool schedules : {false, true}) {
        checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 2},
                            .steps = steps,
                            .schedules = schedules,
                            .fill = fill});
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpecialFloatsTest,
                         testing::Values(rt::Tiles::Hardware, rt::Tiles::Emulated,
                                         rt::Tiles::EmulatedNext),
                         [](const auto& info) {
                           return info.param == rt::Tiles::Hardware   ? "OfThisMachine"
                                  : info.param == rt::Tiles::Emulated ? "EmulatedTiles"
                                                                      : "EmulatedNextTiles";
                         });

}  // namespace
}  // namespace jit::coopmat
