// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/panel_key.h"

#include <cstring>

#include "runtime/kernel_library/even_tiles.h"

namespace rt {

PanelKey::PanelKey(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity,
                   uint64_t steps)
    : words_(&descriptors->base, tiles * capacity * sizeof(TileDescriptor) / sizeof(uint64_t)) {
  const std::optional<EvenTiles> even = findEvenTiles(descriptors, tiles, capacity, steps);
  if (!even) return;
  static_assert(sizeof(EvenTiles) == (kEvenWords - 2) * sizeof(uint64_t));
  std::memcpy(even_.data(), &*even, sizeof *even);
  even_[kEvenWords - 2] = steps;
  even_[kEvenWords - 1] = tiles;
  words_ = even_;
}

}  // namespace rt
