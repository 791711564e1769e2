// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_rows.h"

#include <algorithm>
#include <utility>

#include "runtime/kernel_library/even_tiles.h"
#include "runtime/panel_cache.h"

namespace rt {
namespace {

constexpr uint64_t kLine = 64;

// The least of limits that grow evenly, up or down; 0 where it is not sure that none wraps around.
uint64_t leastLimit(const EvenTiles& even, uint64_t tiles, uint64_t steps) {
  constexpr uint64_t kMost = uint64_t{1} << 40;  // bytes that limits of one buffer differ by
  uint64_t up = 0, down = 0;
  for (auto [growth, times] :
       {std::pair{even.by_step.limit, steps - 1}, std::pair{even.by_tile.limit, tiles - 1}}) {
    const uint64_t magnitude = std::min(growth, -growth);
    if (magnitude > kMost || magnitude * times > kMost) return 0;
    (growth == magnitude ? up : down) += magnitude * times;
  }
  const uint64_t start = even.start.limit;
  return start < down || start > UINT64_MAX - up ? 0 : start - down;
}

}  // namespace

uint64_t areRows(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity,
                 uint64_t steps, uint64_t lines, uint64_t line_bytes, uint64_t together) {
  const TileDescriptor& first = descriptors[0];
  if (steps * line_bytes % together != 0 || first.stride >= kInsaneStride) return 0;
  if ((first.base | first.stride) % kLine != 0) return 0;
  const std::optional<EvenTiles> even = findEvenTiles(descriptors, tiles, capacity, steps);
  if (!even || (even->by_step.stride | even->by_tile.stride) != 0) return 0;
  if (steps > 1 && even->by_step.base != line_bytes) return 0;
  if (tiles > 1 && even->by_tile.base != lines * first.stride) return 0;
  if (leastLimit(*even, tiles, steps) < (lines - 1) * first.stride + line_bytes) return 0;
  if (PanelCache* cache = panelCache()) cache->addReadInPlace(tiles * lines * steps * line_bytes);
  return 1;
}

}  // namespace rt
