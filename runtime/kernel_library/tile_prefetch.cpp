// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_prefetch.h"

#include <algorithm>

namespace rt {
namespace {

constexpr uint64_t kLine = 64;

void prefetch(uint64_t address) {
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}

}  // namespace

void prefetchTilesAhead(const TileDescriptor* descriptors, uint64_t capacity, uint64_t steps,
                        uint64_t begin, uint64_t end, uint64_t lines, uint64_t line_bytes) {
  if (steps < 2) return;  // one tells no direction
  while (begin < end) {
    const uint64_t index = begin / lines, tile = index / capacity, step = index % capacity;
    const uint64_t first_line = begin % lines, count = std::min(end - begin, lines - first_line);
    begin += count;
    if (step >= steps) continue;
    const TileDescriptor& descriptor = descriptors[index];
    auto isInLineOf = [&](uint64_t other) {
      return (descriptor.base ^ descriptors[other].base) < kLine;
    };
    // The step or the tile before brings the same cache lines.
    if ((step != 0 && isInLineOf(index - 1)) || (tile != 0 && isInLineOf(index - capacity)))
      continue;
    const TileDescriptor* first = &descriptors[tile * capacity];
    const uint64_t target = descriptor.base + (first[1].base - first[0].base) * steps;
    for (uint64_t line = first_line; line < first_line + count; ++line) {
      for (uint64_t offset = 0; offset < line_bytes; offset += kLine)
        prefetch(target + line * descriptor.stride + offset);
    }
  }
}

void prefetchColumn(const TileDescriptor* column, uint64_t grid_columns, uint64_t tile_lines,
                    uint64_t begin, uint64_t end, uint64_t offset) {
  const TileDescriptor* tile = column + begin / tile_lines * grid_columns;
  uint64_t line = begin % tile_lines;
  for (uint64_t left = end - begin; left != 0; --left) {
    prefetch(tile->base + line * tile->stride + offset);
    if (++line == tile_lines) {
      line = 0;
      tile += grid_columns;
    }
  }
}

}  // namespace rt
