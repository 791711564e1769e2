// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/stored_tiles.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace rt {
namespace {

constexpr TileGrid kGrid{2, 3, 4, 8, 2};  // tiles of 4 by 4 components of 2 bytes
constexpr uint64_t kStride = 40;
constexpr uint64_t kTileBytes = 3 * kStride + 8;

using Tiles = std::array<TileDescriptor, 6>;

Tiles sideBySide(const void* memory) {
  Tiles tiles;
  for (uint64_t i = 0; i < tiles.size(); ++i) {
    const uint64_t row = i / 3, column = i % 3;
    tiles[i] = {reinterpret_cast<uintptr_t>(memory) + row * 4 * kStride + column * 8, kStride,
                UINT64_MAX};
  }
  return tiles;
}

TEST(StoredTiles, TilesSideBySideAreOnePiece) {
  Tiles tiles = sideBySide(nullptr);
  EXPECT_EQ(areOnePiece(tiles.data(), &kGrid), 1u);
  tiles[5].limit = kTileBytes;
  EXPECT_EQ(areOnePiece(tiles.data(), &kGrid), 1u) << "the limit is where the tile ends";
}

TEST(StoredTiles, OtherTilesAreNot) {
  const Tiles whole = sideBySide(nullptr);
  auto isOneWith = [&](auto change) {
    Tiles tiles = whole;
    change(tiles);
    return areOnePiece(tiles.data(), &kGrid) == 1;
  };
  EXPECT_FALSE(isOneWith([](Tiles& tiles) { tiles[4].base += 2; }));
  EXPECT_FALSE(isOneWith([](Tiles& tiles) { std::swap(tiles[0], tiles[1]); }));
  EXPECT_FALSE(isOneWith([](Tiles& tiles) { tiles[3].stride += 2; }));
  EXPECT_FALSE(isOneWith([](Tiles& tiles) { tiles[5].limit = kTileBytes - 1; }));
  EXPECT_FALSE(isOneWith([](Tiles& tiles) { tiles[0].limit = 0; }));
  // Rows that overlap, and strides that would wrap around.
  for (uint64_t stride : {uint64_t{0}, uint64_t{22}, uint64_t{1} << 62, UINT64_MAX}) {
    EXPECT_FALSE(isOneWith([&](Tiles& tiles) {
      for (uint64_t i = 0; i < tiles.size(); ++i)
        tiles[i] = {i / 3 * 4 * stride + i % 3 * 8, stride, UINT64_MAX};
    })) << stride;
  }
}

class StoreTiles : public testing::Test {
 protected:
  StoreTiles() {
    for (size_t i = 0; i < sums_.size(); ++i) sums_[i] = static_cast<uint16_t>(100 + i);
  }
  void store(const Tiles& tiles, bool column_by_column = false, bool are_wanted = true) {
    storeTiles(tiles.data(), &kGrid, reinterpret_cast<const std::byte*>(sums_.data()),
               column_by_column, are_wanted);
  }
  uint16_t sum(size_t row, size_t column) const { return sums_[row * 12 + column]; }
  uint16_t& at(size_t row, size_t column) { return memory_[row * kStride / 2 + column]; }

  std::vector<uint16_t> sums_ = std::vector<uint16_t>(8 * 12);
  std::vector<uint16_t> memory_ = std::vector<uint16_t>(8 * kStride / 2 + 64);
};

TEST_F(StoreTiles, EachGoesToItsPlace) {
  Tiles tiles = sideBySide(memory_.data());
  tiles[4].limit = 2 * kStride + 6;  // the third row's last component and the fourth row are out
  store(tiles);
  for (size_t row = 0; row < 8; ++row) {
    for (size_t column = 0; column < 12; ++column) {
      const bool is_out = column / 4 == 1 && (row == 7 || (row == 6 && column == 7));
      EXPECT_EQ(at(row, column), is_out ? 0 : sum(row, column)) << row << " " << column;
    }
    EXPECT_EQ(at(row, 12), 0) << row;
  }
}

TEST_F(StoreTiles, NothingUnlessWanted) {
  store(sideBySide(memory_.data()), false, false);
  EXPECT_EQ(at(0, 0), 0);
}

// All tiles to one place: the last one is left there.
TEST_F(StoreTiles, TheLastOneStays) {
  Tiles tiles = sideBySide(memory_.data());
  for (TileDescriptor& tile : tiles) tile = tiles[0];
  tiles[5].limit = 0;
  store(tiles);
  EXPECT_EQ(at(0, 0), sum(4, 4)) << "the one before, in its row";
  store(tiles, true);
  EXPECT_EQ(at(0, 0), sum(0, 8)) << "the one before, in its column";
}

}  // namespace
}  // namespace rt
