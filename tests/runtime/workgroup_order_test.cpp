// SPDX-License-Identifier: Apache-2.0

#include "runtime/workgroup_order.h"

#include <gtest/gtest.h>

#include <set>

namespace rt {
namespace {

TEST(WorkgroupOrder, HasEveryWorkgroupOnce) {
  for (uint32_t x : {1, 2, 7, 16}) {
    for (uint32_t y : {1, 3, 8, 13}) {
      for (uint32_t z : {1, 2}) {
        for (const WorkgroupTiling& tiling : {WorkgroupTiling{},
                                              {{}, {1, 1}, 1},
                                              {{}, {2, 0}, 0},
                                              {{3, 9}, {3, 2}},
                                              {{8, 1}, {8, 5}, 3},
                                              {{1, 5}, {0, 8}, 2},
                                              {{100, 100}, {100, 9}, 4}}) {
          const uint32_t count[3] = {x, y, z};
          const WorkgroupOrder order(count, tiling);
          std::set<std::array<uint64_t, 3>> seen;
          for (uint64_t i = 0; i < uint64_t{x} * y * z; ++i) {
            const auto place = order.at(i);
            EXPECT_TRUE(place[0] < x && place[1] < y && place[2] < z);
            EXPECT_TRUE(seen.insert(place).second);
          }
        }
      }
    }
  }
}

TEST(WorkgroupOrder, GoesThroughSquares) {
  const uint32_t count[3] = {5, 3, 1};
  const WorkgroupOrder order(count, {{}, {2, 1}});
  const std::array<uint64_t, 2> expected[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0},
                                              {3, 0}, {2, 1}, {3, 1}, {4, 0}, {4, 1},
                                              {0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}};
  for (uint64_t i = 0; i < 15; ++i) {
    EXPECT_EQ(order.at(i)[0], expected[i][0]) << i;
    EXPECT_EQ(order.at(i)[1], expected[i][1]) << i;
  }
}

TEST(WorkgroupOrder, GoesThroughSquaresInSquaresInRegions) {
  const uint32_t count[3] = {8, 8, 1};
  const WorkgroupOrder order(count, {{8, 4}, {4, 2}});
  // The first square of 2x2, the next to its right, those below, the next square of 4x4, the next
  // region.
  const std::array<uint64_t, 3> fifth{2, 0, 0}, ninth{0, 2, 0}, seventeenth{4, 0, 0},
      thirty_third{0, 4, 0};
  EXPECT_EQ(order.at(4), fifth);
  EXPECT_EQ(order.at(8), ninth);
  EXPECT_EQ(order.at(16), seventeenth);
  EXPECT_EQ(order.at(32), thirty_third);
}

TEST(WorkgroupOrder, GoesDownStripsOfColumns) {
  const uint32_t count[3] = {5, 4, 1};
  const WorkgroupOrder order(count, {{}, {4, 0}, 2});
  const std::array<uint64_t, 2> expected[] = {
      {0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 0}, {3, 0},
      {2, 1}, {3, 1}, {2, 2}, {3, 2}, {2, 3}, {3, 3}, {4, 0}, {4, 1}, {4, 2}, {4, 3}};
  for (uint64_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(order.at(i)[0], expected[i][0]) << i;
    EXPECT_EQ(order.at(i)[1], expected[i][1]) << i;
  }
}

TEST(WorkgroupRegions, HaveFewRowsAndColumns) {
  struct Case {
    uint32_t count[3], workers;
    uint64_t width, height;
  };
  for (const Case& c : {Case{{16, 16, 1}, 1, 16, 16},
                        {{16, 16, 1}, 4, 8, 8},
                        {{16, 16, 1}, 16, 4, 4},
                        {{64, 4, 1}, 4, 16, 4},
                        {{16, 10, 1}, 7, 3, 10},
                        {{5, 5, 1}, 7, 5, 5},
                        {{16, 16, 4}, 16, 8, 8},
                        {{16, 16, 9}, 4, 16, 16}}) {
    const WorkgroupTiling::Region region = regionForEach(c.count, c.workers);
    EXPECT_EQ(region.width, c.width) << c.workers;
    EXPECT_EQ(region.height, c.height) << c.workers;
  }
}

TEST(WorkgroupRegions, AreNarrowWhereColumnsCostMore) {
  struct Case {
    uint32_t count[3], workers;
    uint64_t width, height;
  };
  for (const Case& c : {Case{{16, 16, 1}, 1, 16, 16},
                        {{16, 16, 1}, 2, 8, 16},
                        {{16, 16, 1}, 16, 2, 8},
                        {{4, 8, 1}, 16, 1, 2},
                        {{64, 4, 1}, 4, 16, 4}}) {
    const WorkgroupTiling::Region region = regionForEach(c.count, c.workers, 4);
    EXPECT_EQ(region.width, c.width) << c.workers;
    EXPECT_EQ(region.height, c.height) << c.workers;
  }
}

}  // namespace
}  // namespace rt
