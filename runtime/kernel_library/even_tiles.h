// SPDX-License-Identifier: Apache-2.0

// Tiles that are evenly spaced, as nearly all tiles of a product are.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/kernel_library/tile_prefetch.h"

namespace rt {

// All of base, stride and limit grow by one amount from step to step and by another from tile to
// tile, each word by itself and modulo 2^64.
struct EvenTiles {
  TileDescriptor start, by_step, by_tile;

  TileDescriptor at(uint64_t tile, uint64_t step) const {
    auto word = [&](uint64_t TileDescriptor::* of) {
      return start.*of + tile * (by_tile.*of) + step * (by_step.*of);
    };
    return {word(&TileDescriptor::base), word(&TileDescriptor::stride),
            word(&TileDescriptor::limit)};
  }
};

// Of `tiles` tiles with `capacity` descriptors each, of which the first `steps` count; none if they
// are not evenly spaced, or if there are none. Of one step or one tile, growth is zero.
std::optional<EvenTiles> findEvenTiles(const TileDescriptor* descriptors, uint64_t tiles,
                                       uint64_t capacity, uint64_t steps);

}  // namespace rt
