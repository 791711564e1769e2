// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/even_tiles.h"

#include <cstring>

namespace rt {
namespace {

// Word by word; all of it wraps around.
TileDescriptor operator-(const TileDescriptor& a, const TileDescriptor& b) {
  return {a.base - b.base, a.stride - b.stride, a.limit - b.limit};
}

uint64_t difference(const TileDescriptor& a, const TileDescriptor& b) {
  return (a.base ^ b.base) | (a.stride ^ b.stride) | (a.limit ^ b.limit);
}

struct DescriptorList {
  const TileDescriptor* descriptors;
  uint64_t tiles, capacity, steps;

  const TileDescriptor& at(uint64_t tile, uint64_t step) const {
    return descriptors[tile * capacity + step];
  }
};

typedef uint64_t Words __attribute__((vector_size(16)));

// Words that repeat with every descriptor, in the three vectors of two descriptors.
struct Pair {
  Words a, b, c;

  static Pair repeat(const TileDescriptor& all) {
    return {Words{all.base, all.stride}, Words{all.limit, all.base}, Words{all.stride, all.limit}};
  }
  static Pair load(const TileDescriptor& first) {
    Pair pair;
    std::memcpy(&pair, &first, sizeof pair);
    return pair;
  }
  Pair& operator+=(const Pair& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    return *this;
  }
};
constexpr uint64_t kPair = 2;
static_assert(sizeof(Pair) == kPair * sizeof(TileDescriptor));

bool areAll(const DescriptorList& list, const EvenTiles& even) {
  const Pair by_step = Pair::repeat(even.by_step), by_tile = Pair::repeat(even.by_tile);
  const Pair by_pair{by_step.a + by_step.a, by_step.b + by_step.b, by_step.c + by_step.c};
  Pair in_tile = Pair::repeat(even.start);
  in_tile.b += Words{0, even.by_step.base};
  in_tile.c += by_step.c;
  Words pairs{};
  uint64_t rest = 0;
  const uint64_t in_pairs = list.steps / kPair * kPair;
  for (uint64_t tile = 0; tile < list.tiles; ++tile, in_tile += by_tile) {
    Pair expected = in_tile;
    for (uint64_t step = 0; step < in_pairs; step += kPair, expected += by_pair) {
      const Pair found = Pair::load(list.at(tile, step));
      pairs |= (found.a ^ expected.a) | (found.b ^ expected.b) | (found.c ^ expected.c);
    }
    for (uint64_t step = in_pairs; step < list.steps; ++step)
      rest |= difference(list.at(tile, step), even.at(tile, step));
  }
  return (rest | pairs[0] | pairs[1]) == 0;
}

}  // namespace

std::optional<EvenTiles> findEvenTiles(const TileDescriptor* descriptors, uint64_t tiles,
                                       uint64_t capacity, uint64_t steps) {
  if (tiles == 0 || steps == 0) return std::nullopt;
  const DescriptorList list{descriptors, tiles, capacity, steps};
  const TileDescriptor& start = list.at(0, 0);
  const EvenTiles even{start, list.at(0, steps > 1 ? 1 : 0) - start,
                       list.at(tiles > 1 ? 1 : 0, 0) - start};
  // Of most others, as of those that reach the end of a buffer, the last one tells.
  if (difference(list.at(tiles - 1, steps - 1), even.at(tiles - 1, steps - 1)) != 0)
    return std::nullopt;
  if (!areAll(list, even)) return std::nullopt;
  return even;
}

}  // namespace rt
