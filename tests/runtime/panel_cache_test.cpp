// SPDX-License-Identifier: Apache-2.0

#include "runtime/panel_cache.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rt {
namespace {

using Key = std::vector<uint64_t>;

constexpr size_t kCacheBytes = 2 * PanelCache::kGranularity;
constexpr size_t kPanelBytes = 20'000;

class PanelCacheTest : public testing::Test {
 protected:
  PanelCacheTest() { cache_.begin(1, kCacheBytes); }
  PanelCache cache_;
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
  cache_.begin(1, kCacheBytes);
  EXPECT_TRUE(cache_.find(Key{1}, 7, kPanelBytes).is_packed) << "the same one goes on";
  cache_.begin(2, kCacheBytes);
  EXPECT_FALSE(cache_.find(Key{1}, 7, kPanelBytes).is_packed);
  cache_.begin(1, kCacheBytes);
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
    if (before) {
      ASSERT_EQ(*before, key_before);
    }
    before = words;
    key_before = key;
  }
  EXPECT_GT(found, 100u);
}

TEST(PanelCacheGuesses, TellWhatComesNextOfAForm) {
  PanelCache cache;
  const size_t bytes = secondLevelBytes() / 4 + kPanelBytes;
  cache.begin(1, roundUp(16 * bytes, PanelCache::kGranularity));
  const std::byte* memory[2][3];
  for (uint64_t k = 0; k < 3; ++k) {
    for (uint64_t operand : {0, 1})
      memory[operand][k] = cache.find(Key{k, operand}, 6 | operand, bytes).memory;
  }
  for (uint64_t k = 0; k < 3; ++k) {
    const PanelCache::Panel panel = cache.find(Key{k, 0}, 6, bytes);
    EXPECT_EQ(panel.next, memory[0][(k + 1) % 3]);
  }
  for (uint64_t k : {2, 0}) cache.find(Key{k, 1}, 7, bytes);
  for (uint64_t k : {1, 2}) cache.find(Key{k, 0}, 6, bytes);
  EXPECT_EQ(cache.find(Key{2, 1}, 7, bytes).next, memory[1][0]) << "the last time counts";
}

// Also around the end of the ring.
TEST_F(PanelCacheTest, GuessesWhereTheNextNewPanelGoes) {
  const std::byte* guess = nullptr;
  for (uint64_t key = 1; key < 3 * kCacheBytes / kPanelBytes; ++key) {
    const PanelCache::Panel panel = cache_.find(Key{key}, 7, kPanelBytes);
    if (guess) {
      ASSERT_EQ(panel.memory, guess) << key;
    }
    guess = panel.next;
    ASSERT_NE(guess, nullptr);
  }
}

TEST_F(PanelCacheTest, ManySmallPanelsAreFoundAgain) {
  uint64_t found = 0;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < 1000; ++i) found += cache_.find(Key{i * 4096}, 0, 1024).is_packed;
  }
  EXPECT_GT(found, 900u);
}

TEST_F(PanelCacheTest, RefusesWhatIsTooLarge) {
  EXPECT_EQ(cache_.find(Key{1}, 7, kCacheBytes / 8).memory, nullptr);
  EXPECT_EQ(cache_.find(Key{1}, 7, kCacheBytes / 8).memory, nullptr);
  EXPECT_EQ(cache_.find(Key{}, 7, 64).memory, nullptr);
}

TEST_F(PanelCacheTest, KeepsLargeOnesFromTheSecondOn) {
  const size_t sixteenth = kCacheBytes / 16 - 128;
  EXPECT_NE(cache_.find(Key{1}, 7, sixteenth).memory, nullptr) << "the first of a sixteenth too";
  const size_t eighth = kCacheBytes / 8 - 128;
  EXPECT_EQ(cache_.find(Key{2}, 7, eighth).memory, nullptr);
  for (bool is_packed : {false, true}) {
    const PanelCache::Panel panel = cache_.find(Key{2}, 7, eighth);
    EXPECT_NE(panel.memory, nullptr);
    EXPECT_EQ(panel.is_packed, is_packed);
  }
  EXPECT_TRUE(cache_.find(Key{1}, 7, sixteenth).is_packed);
}

// Whatever the sizes are, and wherever the ring ends: nothing that a call gave is what the next
// call gave room in.
TEST_F(PanelCacheTest, PanelsStayUntilTheNextCallButOne) {
  uint64_t random = 1;
  auto below = [&](uint64_t end) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 33) % end;
  };
  for (uint64_t dispatch = 2; dispatch < 40; ++dispatch) {
    cache_.begin(dispatch, kCacheBytes);
    const size_t most = kCacheBytes / (8 << dispatch % 3) - 128;
    PanelCache::Panel before;
    size_t bytes_before = 0;
    for (int i = 0; i < 1000; ++i) {
      const uint64_t key = below(12);
      const size_t bytes = (key * 0x9e3779b97f4a7c15u >> 20) % most + 1;
      const PanelCache::Panel panel = cache_.find(Key{key, dispatch}, 7, bytes);
      if (panel.memory && !panel.is_packed && before.memory) {
        ASSERT_TRUE(panel.memory + bytes <= before.memory ||
                    before.memory + bytes_before <= panel.memory)
            << i << " of dispatch " << dispatch;
      }
      before = panel;
      bytes_before = bytes;
    }
  }
}

TEST_F(PanelCacheTest, CountsWhatIsAskedFor) {
  cache_.find(Key{1}, 7, kPanelBytes);
  cache_.find(Key{1}, 7, kPanelBytes);
  EXPECT_GE(cache_.bytesFound(), 2 * kPanelBytes);
  EXPECT_LT(cache_.bytesFound(), 3 * kPanelBytes);
}

TEST_F(PanelCacheTest, KeepsNothingInNoBytes) {
  cache_.begin(2, 0);
  EXPECT_EQ(cache_.find(Key{1}, 7, kPanelBytes).memory, nullptr);
  EXPECT_GE(cache_.bytesFound(), kPanelBytes);
}

TEST_F(PanelCacheTest, GrowsFromDispatchToDispatch) {
  uint64_t dispatch = 1;
  for (size_t bytes : {kCacheBytes, 4 * kCacheBytes, kCacheBytes, 2 * kCacheBytes}) {
    cache_.begin(++dispatch, bytes);
    const uint64_t panels = PanelCache::reach(bytes) / (kPanelBytes + 256);
    for (bool is_again : {false, true}) {
      for (uint64_t i = 0; i < panels; ++i) {
        const PanelCache::Panel panel = cache_.find(Key{i * 64, i}, 7, kPanelBytes);
        ASSERT_NE(panel.memory, nullptr);
        EXPECT_EQ(panel.is_packed, is_again) << i << " of " << bytes;
        std::memset(panel.memory, 1, kPanelBytes);
      }
    }
  }
}

TEST(PanelCacheReach, IsTurnedAround) {
  for (uint64_t reach : {1ull, 5'000'000ull, 14ull << 20, (14ull << 20) + 1, 1ull << 40}) {
    const uint64_t bytes = PanelCache::bytesToReach(reach);
    EXPECT_GE(PanelCache::reach(bytes), reach);
    EXPECT_LE(bytes, reach / 7 * 8 + 2 * PanelCache::kGranularity);
    EXPECT_EQ(bytes % PanelCache::kGranularity, 0u);
  }
}

TEST(PanelCacheSizes, AreWithinReason) {
  constexpr size_t kMiB = PanelCache::kGranularity;
  for (uint32_t threads : {1u, 2u, 64u, 1024u}) {
    for (uint64_t memory : {uint64_t{0}, uint64_t{8} << 30, uint64_t{1} << 40}) {
      const auto [usual, most] = panelCacheSizes(threads, memory);
      EXPECT_GE(usual, 2 * kMiB);
      EXPECT_LE(usual, 16 * kMiB);
      EXPECT_GE(most, usual);
      EXPECT_LE(most, 128 * kMiB);
      if (most > usual) {
        EXPECT_LE(most * threads, memory / 32);
      }
      for (size_t bytes : {usual, most}) EXPECT_EQ(bytes % kMiB, 0u);
    }
  }
  EXPECT_EQ(panelCacheSizes(2, uint64_t{64} << 30).most, 128 * kMiB);
}

}  // namespace
}  // namespace rt
