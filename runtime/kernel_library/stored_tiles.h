// SPDX-License-Identifier: Apache-2.0

// The tiles of a product's accumulators where a shader stores them. Called by generated code after
// its loops (jit/coopmat/k_blocked_gemm.h), once for many tiles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel_library/tile_prefetch.h"

namespace rt {

// Tiles of `lines` lines of `line_bytes` bytes, components of `bytes` bytes: their descriptors, row
// after row of a grid.
struct TileGrid {
  uint64_t rows, columns, lines, line_bytes, bytes;
};

// 1 if all tiles are one piece of memory, side by side without overlaps as they are in the grid,
// and in bounds, else 0.
uint64_t areOnePiece(const TileDescriptor* tiles, const TileGrid* grid);

// Stores the tiles, which are side by side in `accumulators`, without gaps, column after column of
// the grid or else row after row, if they `are_wanted`. Components that do not lie wholly below a
// descriptor's limit are dropped.
void storeTiles(const TileDescriptor* tiles, const TileGrid* grid, const std::byte* accumulators,
                uint64_t column_by_column, uint64_t are_wanted);

}  // namespace rt
