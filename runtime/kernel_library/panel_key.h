// SPDX-License-Identifier: Apache-2.0

// What tells panels of one form apart: where their tiles lie, in as few words as do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/kernel_library/tile_prefetch.h"

namespace rt {

// Of `tiles` tiles with `capacity` descriptors each, of which the first `steps` are in use and the
// others those of no tile (all bits set). Two keys are equal where all tiles and steps are, and
// nowhere else. Refers to the descriptors, which stay as they are for as long as it is used.
//
// Nearly always all of base, stride and limit grow evenly, by one amount from step to step and by
// another from tile to tile, and those amounts say it all: kilobytes that would come from the
// second-level cache, to be compared, are not even stored.
class PanelKey {
 public:
  PanelKey(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity, uint64_t steps);

  // The start, the growth by step and by tile, steps and tiles; or all descriptors, whose number of
  // words is another: a multiple of three.
  std::span<const uint64_t> words() const { return words_; }

  static constexpr size_t kEvenWords = 11;
  static_assert(kEvenWords % (sizeof(TileDescriptor) / sizeof(uint64_t)) != 0);

 private:
  std::array<uint64_t, kEvenWords> even_;
  std::span<const uint64_t> words_;
};

}  // namespace rt
