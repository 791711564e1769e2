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
  auto find = [&] { return findPanel(tiles, 1, 2, 2, 7, 64).memory; };
  EXPECT_EQ(find(), nullptr);
  setPanelCache(&cache);
  std::byte* marked = find();
  std::byte* found = find();
  std::thread([&] { EXPECT_EQ(find(), nullptr); }).join();
  setPanelCache(nullptr);
  EXPECT_EQ(marked, found + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(found) % 64, 0u);
}

}  // namespace
}  // namespace rt
