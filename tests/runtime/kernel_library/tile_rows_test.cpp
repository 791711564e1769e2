// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_rows.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "runtime/panel_cache.h"

namespace rt {
namespace {

// Rows of 2 KiB in a buffer of 1 MiB: two tiles of 16 rows, one below the other, four steps of 32
// bytes of which three are in use.
class TileRowsTest : public testing::Test {
 protected:
  static constexpr uint64_t kTiles = 2, kCapacity = 4, kSteps = 3, kLines = 16, kBytes = 32;
  static constexpr uint64_t kBase = 1 << 20, kStride = 2048, kBuffer = 1 << 20;

  TileRowsTest() {
    for (uint64_t tile = 0; tile < kTiles; ++tile) {
      for (uint64_t step = 0; step < kCapacity; ++step) {
        const uint64_t offset = tile * kLines * kStride + step * kBytes;
        at(tile, step) = step < kSteps ? TileDescriptor{kBase + offset, kStride, kBuffer - offset}
                                       : TileDescriptor{~uint64_t{0}, 0, 0};
      }
    }
  }

  TileDescriptor& at(uint64_t tile, uint64_t step) { return descriptors_[tile * kCapacity + step]; }
  uint64_t areRowsTogether(uint64_t together, uint64_t tiles = kTiles, uint64_t steps = kSteps) {
    return areRows(descriptors_.data(), tiles, kCapacity, steps, kLines, kBytes, together);
  }
  void forEach(const std::function<void(TileDescriptor&)>& change) {
    for (uint64_t tile = 0; tile < kTiles; ++tile)
      for (uint64_t step = 0; step < kSteps; ++step) change(at(tile, step));
  }

  std::vector<TileDescriptor> descriptors_ = std::vector<TileDescriptor>(kTiles * kCapacity);
};

TEST_F(TileRowsTest, AreOnePiece) {
  EXPECT_EQ(areRowsTogether(kBytes), 1u);
  EXPECT_EQ(areRowsTogether(kBytes, 1, 1), 1u);
  EXPECT_EQ(areRowsTogether(kBytes, 2, 1), 1u);
  EXPECT_EQ(areRowsTogether(kBytes, 1, 3), 1u);
  EXPECT_EQ(areRowsTogether(2 * kBytes), 0u) << "three steps are no pairs";
  EXPECT_EQ(areRowsTogether(2 * kBytes, 2, 2), 1u);
}

TEST_F(TileRowsTest, CountAmongWhatIsAskedFor) {
  PanelCache cache;
  cache.begin(1, PanelCache::kGranularity);
  setPanelCache(&cache);
  areRowsTogether(kBytes);
  setPanelCache(nullptr);
  EXPECT_EQ(cache.bytesInPlace(), kTiles * kLines * kSteps * kBytes);
  EXPECT_EQ(cache.bytesFound(), kTiles * kLines * kSteps * kBytes);
}

// Each word of each descriptor in use, by itself.
TEST_F(TileRowsTest, AreNotWhereOneDiffers) {
  for (uint64_t TileDescriptor::* word : {&TileDescriptor::base, &TileDescriptor::stride}) {
    for (uint64_t tile = 0; tile < kTiles; ++tile) {
      for (uint64_t step = 0; step < kSteps; ++step) {
        at(tile, step).*word += 64;
        EXPECT_EQ(areRowsTogether(kBytes), 0u) << tile << ", " << step;
        at(tile, step).*word -= 64;
      }
    }
  }
  ASSERT_EQ(areRowsTogether(kBytes), 1u);
}

TEST_F(TileRowsTest, AreNotWhereTheyDoNotBeginAtCacheLines) {
  forEach([](TileDescriptor& tile) { tile.base += 32; });
  EXPECT_EQ(areRowsTogether(kBytes), 0u);
}

TEST_F(TileRowsTest, AreNotWithStridesThatAreNone) {
  forEach([](TileDescriptor& tile) { tile.stride = uint64_t{1} << 41; });
  EXPECT_EQ(areRowsTogether(kBytes), 0u);
}

TEST_F(TileRowsTest, AreInBounds) {
  // All that the last row of the last tile needs, and a byte less.
  const uint64_t needed = (kTiles * kLines - 1) * kStride + kSteps * kBytes;
  forEach([&](TileDescriptor& tile) { tile.limit -= kBuffer - needed; });
  EXPECT_EQ(areRowsTogether(kBytes), 1u);
  forEach([&](TileDescriptor& tile) { tile.limit -= 1; });
  EXPECT_EQ(areRowsTogether(kBytes), 0u);
}

TEST_F(TileRowsTest, LimitsMayBeMissing) {
  forEach([](TileDescriptor& tile) { tile.limit = ~uint64_t{0}; });
  EXPECT_EQ(areRowsTogether(kBytes), 1u);
}

// Limits that grow evenly, but around the end of 64 bits: those in the middle are small.
TEST_F(TileRowsTest, LimitsDoNotWrapAround) {
  for (uint64_t growth : {uint64_t{1} << 62, -(uint64_t{1} << 39)}) {
    for (uint64_t tile = 0; tile < kTiles; ++tile)
      for (uint64_t step = 0; step < kSteps; ++step)
        at(tile, step).limit = (uint64_t{1} << 39) + step * growth;
    EXPECT_EQ(areRowsTogether(kBytes), 0u);
  }
}

}  // namespace
}  // namespace rt
