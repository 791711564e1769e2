// SPDX-License-Identifier: Apache-2.0

// Prefetches, to the second-level cache, of tiles in global memory that a product is about to
// need. Called by generated code while it multiplies (jit/ukernel/packed_gemm.h); addresses may be
// anything, since a prefetch of no memory does nothing.
#pragma once

#include <cstdint>

namespace rt {

// Where a tile lies: lines `stride` bytes apart, of which `limit` bytes are accessible.
struct TileDescriptor {
  uint64_t base, stride, limit;
};

// So large a stride might make products of it with numbers of lines wrap around.
inline constexpr uint64_t kInsaneStride = uint64_t{1} << 40;

// `descriptors` are those of an operand, `capacity` for each tile, of which the first `steps` are
// the K block's; each tile has `lines` lines of `line_bytes` bytes. Counting the lines of all
// descriptors one after the other, prefetches what lies as far behind lines `begin` to `end` - 1 as
// the K block goes: what the next K block reads, if tiles move evenly.
void prefetchTilesAhead(const TileDescriptor* descriptors, uint64_t capacity, uint64_t steps,
                        uint64_t begin, uint64_t end, uint64_t lines, uint64_t line_bytes);

// `column` is a column of a grid of tiles, whose rows are `grid_columns` descriptors apart and
// `tile_lines` lines high. Prefetches the cache line `offset` bytes into lines `begin` to `end` - 1
// of the column.
void prefetchColumn(const TileDescriptor* column, uint64_t grid_columns, uint64_t tile_lines,
                    uint64_t begin, uint64_t end, uint64_t offset);

}  // namespace rt
