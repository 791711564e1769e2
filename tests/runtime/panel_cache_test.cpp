#include "runtime/panel_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

#include "runtime/workgroup_order.h"

namespace rt {
namespace {

using Key = std::vector<uint64_t>;

constexpr size_t kCacheBytes = 2 * PanelCache::kGranularity;
constexpr size_t kPanelBytes = 20'000;

class PanelCacheTest : public testing::Test {
 protected:
  PanelCacheTest() { cache_.begin(1); }
  PanelCache cache_{kCacheBytes};
};

TEST_F(PanelCacheTest, FindsWhatItGaveRoomFor) {
  const PanelCache::Panel first = cache_.find(Key{1, 2, 3}, 7, kPanelBytes);
  ASSERT_NE(first.memory, nullptr);
  EXPECT_FALSE(first.is_packed);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first.memory) % 64, 0u);
  const PanelCache::Panel again = cache_.find(Key{1, 2, 3}, 7, kPanelBytes);
  EXPECT_TRUE(again.is_packed);
  EXPECT_EQ(again.memory, first.memory);
}

TEST_F(PanelCacheTest, ComparesAllOfTheKey) {
  cache_.find(Key{1, 2, 3, 4, 5, 6}, 7, kPanelBytes);
  for (size_t word = 0; word < 6; ++word) {
    Key other{1, 2, 3, 4, 5, 6};
    other[word] ^= uint64_t{1} << 63;
    EXPECT_FALSE(cache_.find(other, 7, kPanelBytes).is_packed) << word;
  }
  EXPECT_FALSE(cache_.find(Key{1, 2, 3, 4, 5}, 7, kPanelBytes).is_packed);
  EXPECT_FALSE(cache_.find(Key{1, 2, 3, 4, 5, 6}, 8, kPanelBytes).is_packed);
  EXPECT_FALSE(cache_.find(Key{1, 2, 3, 4, 5, 6}, 7, kPanelBytes + 1).is_packed);
}

TEST_F(PanelCacheTest, AnotherDispatchStartsAnew) {
  cache_.find(Key{1}, 7, kPanelBytes);
  cache_.begin(1);
  EXPECT_TRUE(cache_.find(Key{1}, 7, kPanelBytes).is_packed) << "the same one goes on";
  cache_.begin(2);
  EXPECT_FALSE(cache_.find(Key{1}, 7, kPanelBytes).is_packed);
  cache_.begin(1);
  EXPECT_FALSE(cache_.find(Key{1}, 7, kPanelBytes).is_packed);
}

// In a stream of panels a few hundred times as long as the ring, whatever is found has its content,
// also after the next panel was made.
TEST_F(PanelCacheTest, PanelsKeepTheirContentAsLongAsTheyAreFound) {
  uint64_t found = 0;
  uint64_t* before = nullptr;
  uint64_t key_before = 0;
  for (uint64_t i = 0; i < 20'000; ++i) {
    const uint64_t key = i % 3 == 0 ? i / 3 % 50 : i;
    const size_t bytes = 8 * (1000 + key % 6000);
    const PanelCache::Panel panel = cache_.find(Key{key, 1, key}, 0, bytes);
    ASSERT_NE(panel.memory, nullptr);
    auto* words = reinterpret_cast<uint64_t*>(panel.memory);
    if (panel.is_packed) {
      ++found;
      ASSERT_EQ(words[0], key);
      ASSERT_EQ(words[bytes / 8 - 1], key);
    } else {
      std::fill_n(words, bytes / 8, key);
    }
    if (before) ASSERT_EQ(*before, key_before);
    before = words;
    key_before = key;
  }
  EXPECT_GT(found, 100u);
}

TEST_F(PanelCacheTest, ManySmallPanelsAreFoundAgain) {
  uint64_t found = 0;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < 1000; ++i) found += cache_.find(Key{i * 4096}, 0, 1024).is_packed;
  }
  EXPECT_GT(found, 900u);
}

TEST_F(PanelCacheTest, RefusesWhatIsTooLarge) {
  EXPECT_EQ(cache_.find(Key{1}, 7, kCacheBytes / 16).memory, nullptr);
  EXPECT_EQ(cache_.find(Key{}, 7, 64).memory, nullptr);
}

TEST_F(PanelCacheTest, CountsWhatIsAskedFor) {
  cache_.find(Key{1}, 7, kPanelBytes);
  cache_.find(Key{1}, 7, kPanelBytes);
  EXPECT_GE(cache_.bytesFound(), 2 * kPanelBytes);
  EXPECT_LT(cache_.bytesFound(), 3 * kPanelBytes);
}

TEST_F(PanelCacheTest, GeneratedCodeGetsTheCacheOfItsThread) {
  const uint64_t key[] = {1, 2};
  EXPECT_EQ(findPanel(key, 2, 7, 64), nullptr);
  setPanelCache(&cache_);
  std::byte* marked = findPanel(key, 2, 7, 64);
  std::byte* found = findPanel(key, 2, 7, 64);
  std::thread([&] { EXPECT_EQ(findPanel(key, 2, 7, 64), nullptr); }).join();
  setPanelCache(nullptr);
  EXPECT_EQ(marked, found + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(found) % 64, 0u);
}

TEST(PanelCacheBytes, AreWithinReason) {
  for (uint32_t threads : {1u, 2u, 64u, 1024u}) {
    EXPECT_GE(panelCacheBytes(threads), 2 * PanelCache::kGranularity);
    EXPECT_LE(panelCacheBytes(threads), 16 * PanelCache::kGranularity);
    EXPECT_EQ(panelCacheBytes(threads) % PanelCache::kGranularity, 0u);
  }
}

TEST(WorkgroupOrder, HasEveryWorkgroupOnce) {
  for (uint32_t x : {1, 2, 7, 16}) {
    for (uint32_t y : {1, 3, 8, 13}) {
      for (uint32_t z : {1, 2}) {
        for (WorkgroupOrder::Squares squares :
             {WorkgroupOrder::Squares{}, {1, 1}, {2, 0}, {3, 2}, {8, 3}, {8, 8}, {100, 4}}) {
          const uint32_t count[3] = {x, y, z};
          const WorkgroupOrder order(count, squares);
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
  const WorkgroupOrder order(count, {2, 1});
  const std::array<uint64_t, 2> expected[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0},
                                              {3, 0}, {2, 1}, {3, 1}, {4, 0}, {4, 1},
                                              {0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}};
  for (uint64_t i = 0; i < 15; ++i) {
    EXPECT_EQ(order.at(i)[0], expected[i][0]) << i;
    EXPECT_EQ(order.at(i)[1], expected[i][1]) << i;
  }
}

TEST(WorkgroupOrder, GoesThroughSquaresInSquares) {
  const uint32_t count[3] = {8, 4, 1};
  const WorkgroupOrder order(count, {4, 2});
  // The first square of 2x2, the next to its right, those below, the next square of 4x4.
  const std::array<uint64_t, 3> fifth{2, 0, 0}, ninth{0, 2, 0}, seventeenth{4, 0, 0};
  EXPECT_EQ(order.at(4), fifth);
  EXPECT_EQ(order.at(8), ninth);
  EXPECT_EQ(order.at(16), seventeenth);
}

}  // namespace
}  // namespace rt
