// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/plane_product.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace rt {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// 3 rows, 5 micro-panels of which 2 lie together, room for 4 K groups; 3 of them are multiplied.
class PlaneProductTest : public testing::Test {
 protected:
  static constexpr uint64_t kRows = 3, kColumns = 80, kDepth = 6;
  static constexpr PlaneProduct kProduct = {.rows = kRows,
                                            .micro_panels = 5,
                                            .together = 2,
                                            .groups = 4,
                                            .a_stride = 20,
                                            .a_plane = 64,
                                            .b_plane = 5 * 4 * 64};

  // Both parts of an element.
  static void put(std::byte* memory, uint64_t plane, float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const auto upper = static_cast<uint16_t>(bits >> 16);
    const float rest = value - std::bit_cast<float>(bits & 0xffff0000);
    const auto lower = static_cast<uint16_t>(std::bit_cast<uint32_t>(rest) >> 16);
    std::memcpy(memory, &upper, sizeof upper);
    std::memcpy(memory + plane, &lower, sizeof lower);
  }
  void setA(uint64_t row, uint64_t k, float value) {
    left_[row][k] = value;
    put(a_.data() + row * kProduct.a_stride + 2 * k, kProduct.a_plane, value);
  }
  void setB(uint64_t k, uint64_t column, float value) {
    right_[k][column] = value;
    const uint64_t panel = column / 16, block = panel / 2, width = block == 2 ? 1 : 2;
    const uint64_t group = block * 2 * kProduct.groups + k / 2 * width + panel % 2;
    put(b_.data() + group * 64 + column % 16 * 4 + k % 2 * 2, kProduct.b_plane, value);
  }
  void SetUp() override {
    for (uint64_t k = 0; k < kDepth; ++k) {
      for (uint64_t r = 0; r < kRows; ++r) setA(r, k, 1 + static_cast<float>(r * 6 + k) * 0x1p-10f);
      for (uint64_t n = 0; n < kColumns; ++n)
        setB(k, n, static_cast<float>(1025 + n) - static_cast<float>(k * 300));
    }
  }
  float expected(float sum, uint64_t row, uint64_t column) const {
    for (uint64_t k = 0; k < kDepth; ++k) sum = std::fma(left_[row][k], right_[k][column], sum);
    return sum;
  }

  float left_[kRows][kDepth] = {}, right_[kDepth][kColumns] = {};
  std::vector<std::byte> a_ = std::vector<std::byte>(128);
  std::vector<std::byte> b_ = std::vector<std::byte>(2 * kProduct.b_plane);
};

TEST_F(PlaneProductTest, AddsInOrder) {
  float c[kRows][kColumns], to[kRows][kColumns + 1] = {};
  for (uint64_t r = 0; r < kRows; ++r)
    for (uint64_t n = 0; n < kColumns; ++n) c[r][n] = 0.1f * static_cast<float>(r + n);
  multiplyPlanes(&kProduct, a_.data(), b_.data(), kDepth / 2, reinterpret_cast<std::byte*>(c),
                 sizeof c[0], reinterpret_cast<std::byte*>(to), sizeof to[0]);
  for (uint64_t r = 0; r < kRows; ++r) {
    for (uint64_t n = 0; n < kColumns; ++n)
      ASSERT_EQ(to[r][n], expected(c[r][n], r, n)) << r << ", " << n;
    EXPECT_EQ(to[r][kColumns], 0) << "behind the row";
  }
}

TEST_F(PlaneProductTest, InPlaceAndFromZero) {
  float c[kRows][kColumns];
  for (uint64_t r = 0; r < kRows; ++r)
    for (uint64_t n = 0; n < kColumns; ++n) c[r][n] = 7;
  auto* memory = reinterpret_cast<std::byte*>(c);
  multiplyPlanes(&kProduct, a_.data(), b_.data(), kDepth / 2, memory, sizeof c[0], memory,
                 sizeof c[0]);
  EXPECT_EQ(c[2][79], expected(7, 2, 79));
  multiplyPlanes(&kProduct, a_.data(), b_.data(), kDepth / 2, nullptr, 0, memory, sizeof c[0]);
  EXPECT_EQ(c[2][79], expected(0, 2, 79));
}

TEST_F(PlaneProductTest, RoundsToHalvesAfterSomeGroups) {
  PlaneProduct product = kProduct;
  product.rounded = 2;
  float c[kRows][kColumns];
  multiplyPlanes(&product, a_.data(), b_.data(), kDepth / 2, nullptr, 0,
                 reinterpret_cast<std::byte*>(c), sizeof c[0]);
  for (uint64_t r = 0; r < kRows; ++r) {
    for (uint64_t n = 0; n < kColumns; ++n) {
      float sum = 0;
      for (uint64_t k = 0; k < kDepth; ++k) {
        sum = std::fma(left_[r][k], right_[k][n], sum);
        // All are normal halves, of 11 bits.
        if (k == 3)
          sum = std::nearbyint(std::ldexp(sum, 10 - std::ilogb(sum))) *
                std::ldexp(1.0f, std::ilogb(sum) - 10);
      }
      ASSERT_EQ(c[r][n], sum) << r << ", " << n;
    }
  }
}

TEST_F(PlaneProductTest, InfinitiesAndNans) {
  setA(0, 3, kInfinity);
  setA(1, 2, std::numeric_limits<float>::quiet_NaN());
  setB(4, 17, -kInfinity);
  setB(3, 5, 0);
  float c[kRows][kColumns];
  multiplyPlanes(&kProduct, a_.data(), b_.data(), kDepth / 2, nullptr, 0,
                 reinterpret_cast<std::byte*>(c), sizeof c[0]);
  EXPECT_EQ(c[0][4], kInfinity);
  EXPECT_TRUE(std::isnan(c[0][5])) << "infinity times zero";
  EXPECT_TRUE(std::isnan(c[0][17])) << "infinity less infinity";
  EXPECT_TRUE(std::isnan(c[1][4]));
  EXPECT_EQ(c[2][17], -kInfinity);
  EXPECT_EQ(c[2][16], expected(0, 2, 16));
}

}  // namespace
}  // namespace rt
