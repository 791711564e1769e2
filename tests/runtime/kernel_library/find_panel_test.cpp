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
  const uint64_t key[] = {1, 2};
  EXPECT_EQ(findPanel(key, 2, 7, 64).memory, nullptr);
  setPanelCache(&cache);
  std::byte* marked = findPanel(key, 2, 7, 64).memory;
  std::byte* found = findPanel(key, 2, 7, 64).memory;
  std::thread([&] { EXPECT_EQ(findPanel(key, 2, 7, 64).memory, nullptr); }).join();
  setPanelCache(nullptr);
  EXPECT_EQ(marked, found + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(found) % 64, 0u);
}

}  // namespace
}  // namespace rt
