// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_rows.h"

#include "runtime/panel_cache.h"

namespace rt {
namespace {

constexpr uint64_t kLine = 64;

}  // namespace

uint64_t areRows(const TileDescriptor* descriptors, uint64_t tiles, uint64_t capacity,
                 uint64_t steps, uint64_t lines, uint64_t line_bytes, uint64_t together) {
  const TileDescriptor first = descriptors[0];
  if (steps * line_bytes % together != 0 || first.stride >= kInsaneStride) return 0;
  if ((first.base | first.stride) % kLine != 0) return 0;
  const uint64_t tile_bytes = (lines - 1) * first.stride + line_bytes;
  for (uint64_t tile = 0; tile < tiles; ++tile) {
    const TileDescriptor* row = descriptors + tile * capacity;
    const uint64_t expected = first.base + tile * lines * first.stride;
    uint64_t differs = 0;
    for (uint64_t step = 0; step < steps; ++step) {
      differs |= row[step].base ^ (expected + step * line_bytes);
      differs |= row[step].stride ^ first.stride;
      differs |= row[step].limit < tile_bytes;
    }
    if (differs) return 0;
  }
  if (PanelCache* cache = panelCache()) cache->addReadInPlace(tiles * lines * steps * line_bytes);
  return 1;
}

}  // namespace rt
