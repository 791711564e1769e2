// SPDX-License-Identifier: Apache-2.0

#include "runtime/query.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "tests/runtime/test_kernel.h"

namespace rt {
namespace {

template <typename Number, size_t N>
bool read(QueryPool& pool, uint32_t first, uint32_t count, uint64_t stride,
          QueryResultFormat format, std::array<Number, N>& results,
          Deadline deadline = deadlineAfter(test::kSoon)) {
  format.wide = sizeof(Number) == 8;
  return pool.read(first, count, reinterpret_cast<std::byte*>(results.data()), stride, format,
                   nullptr, deadline);
}

TEST(QueryPool, WritesWhatIsAvailable) {
  QueryPool pool(4);
  pool.write(1, 0x1'0000'0007);
  pool.write(3, 9);

  std::array<uint32_t, 4> narrow{11, 12, 13, 14};
  EXPECT_FALSE(read(pool, 0, 4, 4, {}, narrow));
  EXPECT_EQ(narrow, (std::array<uint32_t, 4>{11, 7, 13, 9}));

  std::array<uint64_t, 6> wide{21, 22, 23, 24, 25, 26};
  EXPECT_FALSE(read(pool, 1, 2, 24, {.with_availability = true}, wide));
  EXPECT_EQ(wide, (std::array<uint64_t, 6>{0x1'0000'0007, 1, 23, 24, 0, 26}));

  EXPECT_FALSE(read(pool, 0, 2, 4, {.partial = true}, narrow));
  EXPECT_EQ(narrow[0], 0u);

  EXPECT_TRUE(read(pool, 3, 1, 4, {}, narrow));
  pool.reset(3, 1);
  EXPECT_FALSE(read(pool, 3, 1, 4, {}, narrow));
  EXPECT_TRUE(read(pool, 0, 0, 4, {}, narrow));
}

TEST(QueryPool, TheValueIsTheGrowthOfACounter) {
  QueryPool pool(2);
  std::array<uint64_t, 1> result{5};
  pool.begin(1, 100);
  EXPECT_FALSE(read(pool, 1, 1, 8, {.partial = true}, result));
  EXPECT_EQ(result[0], 0u);
  pool.end(1, 142);
  EXPECT_TRUE(read(pool, 1, 1, 8, {}, result));
  EXPECT_EQ(result[0], 42u);
  // Without a reset in between, as after one.
  pool.begin(1, 200);
  EXPECT_FALSE(read(pool, 1, 1, 8, {}, result));
  pool.end(1, 200);
  EXPECT_TRUE(read(pool, 1, 1, 8, {}, result));
  EXPECT_EQ(result[0], 0u);
}

TEST(QueryPool, ResultsMayHaveSeveralNumbers) {
  QueryPool pool(2, 3);
  EXPECT_EQ(pool.resultBytes({}), 12u);
  EXPECT_EQ(pool.resultBytes({.wide = true, .with_availability = true}), 32u);
  pool.write(1, 7);
  std::array<uint32_t, 8> results{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_FALSE(read(pool, 0, 2, 16, {.with_availability = true}, results));
  EXPECT_EQ(results, (std::array<uint32_t, 8>{1, 2, 3, 0, 7, 0, 0, 1}));
  EXPECT_FALSE(read(pool, 0, 1, 16, {.partial = true}, results));
  EXPECT_EQ(results, (std::array<uint32_t, 8>{0, 0, 0, 0, 7, 0, 0, 1}));
}

TEST(QueryPool, WaitsForResults) {
  QueryPool pool(3);
  std::thread writer([&] {
    for (uint32_t i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      pool.write(2 - i, i + 1);
    }
  });
  std::array<uint64_t, 3> results{};
  EXPECT_TRUE(read(pool, 0, 3, 8, {.wait = true}, results));
  EXPECT_EQ(results, (std::array<uint64_t, 3>{3, 2, 1}));
  writer.join();

  pool.reset(0, 1);
  EXPECT_FALSE(read(pool, 0, 1, 8, {.wait = true}, results, deadlineAfter(1'000'000)));
}

}  // namespace
}  // namespace rt
