// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/panel_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace rt {
namespace {

using Words = std::vector<uint64_t>;

constexpr uint64_t kNone = ~uint64_t{0};

struct Shape {
  uint64_t tiles, capacity, steps;
};

// With blocks of four steps and without, one tile and one step.
constexpr Shape kShapes[] = {{1, 1, 1}, {4, 1, 1},   {1, 8, 8},  {1, 7, 7},   {2, 2, 2},
                             {3, 5, 5}, {4, 64, 64}, {4, 16, 9}, {4, 16, 12}, {2, 8, 1}};

std::vector<TileDescriptor> evenTiles(const Shape& shape, const TileDescriptor& start,
                                      const TileDescriptor& by_tile,
                                      const TileDescriptor& by_step) {
  std::vector<TileDescriptor> list(shape.tiles * shape.capacity, {kNone, kNone, kNone});
  for (uint64_t t = 0; t < shape.tiles; ++t) {
    for (uint64_t s = 0; s < shape.steps; ++s) {
      list[t * shape.capacity + s] = {start.base + t * by_tile.base + s * by_step.base,
                                      start.stride + t * by_tile.stride + s * by_step.stride,
                                      start.limit + t * by_tile.limit + s * by_step.limit};
    }
  }
  return list;
}

// Rows of tiles in a buffer that ends.
std::vector<TileDescriptor> tilesOfMatrix(const Shape& shape) {
  return evenTiles(shape, {0x7000'0000'0040, 2048, 1 << 30}, {16 * 2048, 0, uint64_t(-16 * 2048)},
                   {32, 0, uint64_t(-32)});
}

Words keyOf(const std::vector<TileDescriptor>& list, const Shape& shape) {
  const PanelKey key(list.data(), shape.tiles, shape.capacity, shape.steps);
  return {key.words().begin(), key.words().end()};
}

Words allWords(const std::vector<TileDescriptor>& list) {
  return {&list.front().base, &list.front().base + 3 * list.size()};
}

TEST(PanelKey, IsShortWhereTilesAreEven) {
  for (const Shape& shape : kShapes) {
    const std::vector<TileDescriptor> matrix = tilesOfMatrix(shape);
    const Words key = keyOf(matrix, shape);
    EXPECT_EQ(key.size(), PanelKey::kEvenWords) << shape.tiles << " x " << shape.steps;
    EXPECT_EQ(key, keyOf(tilesOfMatrix(shape), shape));
    const auto without_end = evenTiles(shape, {640, 64, kNone}, {512, 0, 0}, {32, 0, 0});
    EXPECT_EQ(keyOf(without_end, shape).size(), PanelKey::kEvenWords);
    EXPECT_NE(keyOf(without_end, shape), key);
  }
}

TEST(PanelKey, TellsWhatDiffersInOneBit) {
  for (const Shape& shape : kShapes) {
    const std::vector<TileDescriptor> even = tilesOfMatrix(shape);
    const Words even_key = keyOf(even, shape);
    for (uint64_t tile = 0; tile < shape.tiles; ++tile) {
      for (uint64_t step = 0; step < shape.steps; ++step) {
        for (auto word : {&TileDescriptor::base, &TileDescriptor::stride, &TileDescriptor::limit}) {
          for (int bit : {0, 31, 32, 63}) {
            std::vector<TileDescriptor> other = even;
            other[tile * shape.capacity + step].*word ^= uint64_t{1} << bit;
            const Words key = keyOf(other, shape);
            ASSERT_NE(key, even_key) << tile << " " << step;
            // Short keys are made of what says all: the list can be made of them again.
            if (key.size() != PanelKey::kEvenWords) {
              ASSERT_EQ(key, allWords(other));
            } else {
              ASSERT_EQ(allWords(other),
                        allWords(evenTiles(shape, {key[0], key[1], key[2]},
                                           {key[6], key[7], key[8]}, {key[3], key[4], key[5]})));
            }
          }
        }
      }
    }
  }
}

TEST(PanelKey, TellsEvenTilesApart) {
  const Shape shape{4, 16, 16};
  std::vector<Words> keys{keyOf(tilesOfMatrix(shape), shape)};
  const TileDescriptor start{4096, 256, 1 << 20}, none{};
  for (const TileDescriptor& growth :
       {none, TileDescriptor{32, 0, 0}, TileDescriptor{0, 32, 0}, TileDescriptor{0, 0, 32}}) {
    keys.push_back(keyOf(evenTiles(shape, start, growth, none), shape));
    keys.push_back(keyOf(evenTiles(shape, start, {1, 1, 1}, growth), shape));
  }
  for (uint64_t steps : {1, 2, 4, 15}) {
    const Shape shorter{shape.tiles, shape.capacity, steps};
    keys.push_back(keyOf(tilesOfMatrix(shorter), shorter));
  }
  const Shape fewer{3, 16, 16};
  keys.push_back(keyOf(tilesOfMatrix(fewer), fewer));
  for (const Words& key : keys) EXPECT_EQ(key.size(), PanelKey::kEvenWords);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

// The buffer ends in the last tile: nothing of it is left from some step on.
TEST(PanelKey, OfTilesAtTheEndIsAllDescriptors) {
  const Shape shape{4, 16, 16};
  std::vector<TileDescriptor> list = tilesOfMatrix(shape);
  list[3 * 16 + 15].limit = 0;
  EXPECT_EQ(keyOf(list, shape), allWords(list));
}

TEST(PanelKey, LongOnesAreNeverAsLongAsShortOnes) {
  for (uint64_t tiles : {1, 2, 3, 4}) {
    for (uint64_t steps = 1; steps < 9; ++steps) {
      std::vector<TileDescriptor> list(tiles * steps);
      for (size_t i = 0; i < list.size(); ++i) list[i] = {i * i * i, i, i};
      const Words key = keyOf(list, {tiles, steps, steps});
      EXPECT_TRUE(key.size() == PanelKey::kEvenWords || key == allWords(list));
      EXPECT_NE(allWords(list).size(), PanelKey::kEvenWords);
    }
  }
}

}  // namespace
}  // namespace rt
