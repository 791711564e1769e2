// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/find_panel.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/panel_cache.h"

namespace rt {
namespace {

TEST(FindPanelTest, GeneratedCodeGetsTheCacheOfItsThread) {
  PanelCache cache;
  cache.begin(1, PanelCache::kGranularity);
  const TileDescriptor tiles[] = {{1, 2, 3}, {4, 5, 6}};
  auto find = [&] { return findPanel(tiles, 1, 2, 2, 7, 64, 0).memory; };
  EXPECT_EQ(find(), nullptr);
  setPanelCache(&cache);
  std::byte* marked = find();
  std::byte* found = find();
  std::thread([&] { EXPECT_EQ(find(), nullptr); }).join();
  setPanelCache(nullptr);
  EXPECT_EQ(marked, found + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(found) % 64, 0u);
}

TEST(FindPanelTest, DoesNotNameWhatIsNearWhereThatIsSkipped) {
  if (secondLevelBytes() == 0) GTEST_SKIP() << "the size of the second-level cache is unknown";
  PanelCache cache;
  cache.begin(1, PanelCache::kGranularity);
  setPanelCache(&cache);
  auto find = [&](uint64_t base, uint64_t skips_near) {
    const TileDescriptor tile{base, 0, 0};
    return findPanel(&tile, 1, 1, 1, 7, 64, skips_near);
  };
  find(1, 0);
  std::byte* second = find(2, 1).memory - 1;
  EXPECT_EQ(find(1, 0).next, second);
  find(2, 0);
  EXPECT_EQ(find(1, 1).next, nullptr);
  EXPECT_NE(find(3, 1).next, nullptr) << "where another would be packed";
  setPanelCache(nullptr);
}

}  // namespace
}  // namespace rt
