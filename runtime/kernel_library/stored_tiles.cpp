// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/stored_tiles.h"

#include "runtime/kernel_library/clipped_copy.h"

namespace rt {
uint64_t areOnePiece(const TileDescriptor* tiles, const TileGrid* grid) {
  const TileDescriptor& first = *tiles;
  if (first.stride < grid->columns * grid->line_bytes || first.stride >= kInsaneStride) return 0;
  const uint64_t tile_bytes = (grid->lines - 1) * first.stride + grid->line_bytes;
  for (uint64_t row = 0; row < grid->rows; ++row) {
    uint64_t expected = first.base + row * grid->lines * first.stride;
    for (uint64_t column = 0; column < grid->columns; ++column, expected += grid->line_bytes) {
      const TileDescriptor& tile = *tiles++;
      if (tile.base != expected || tile.stride != first.stride || tile.limit < tile_bytes) return 0;
    }
  }
  return 1;
}

void storeTiles(const TileDescriptor* tiles, const TileGrid* grid, const std::byte* accumulators,
                uint64_t column_by_column, uint64_t are_wanted) {
  if (!are_wanted) return;
  const uint64_t accumulators_stride = grid->columns * grid->line_bytes;
  auto store = [&](uint64_t row, uint64_t column) {
    const TileDescriptor& tile = tiles[row * grid->columns + column];
    scatterClipped(
        accumulators + row * grid->lines * accumulators_stride + column * grid->line_bytes,
        accumulators_stride, reinterpret_cast<std::byte*>(tile.base), tile.stride, tile.limit,
        grid->lines, grid->line_bytes / grid->bytes, grid->bytes, false);
  };
  const uint64_t outer = column_by_column ? grid->columns : grid->rows;
  const uint64_t inner = column_by_column ? grid->rows : grid->columns;
  for (uint64_t i = 0; i < outer; ++i) {
    for (uint64_t j = 0; j < inner; ++j) column_by_column ? store(j, i) : store(i, j);
  }
}

}  // namespace rt
