// SPDX-License-Identifier: Apache-2.0

// The order in which the workgroups of a dispatch are handed out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace rt {

// Tiles of the x-y plane of a grid, in workgroups: first tiles of `region`, in those squares with
// sides `squares[0]`, in those squares with sides `squares[1]`, and in those strips of columns,
// `strip` wide. A tile of less than two workgroups is none.
struct WorkgroupTiling {
  struct Region {
    uint64_t width = 0, height = 0;
  };
  Region region;
  std::array<uint64_t, 2> squares{};
  uint64_t strip = 0;
};

// All workgroups of a grid, each once. By itself x is fastest, then y, then z, which programs may
// rely on that look back at earlier workgroups. Tile by tile, for kernels that cannot tell:
// neighbours in both directions run soon after each other.
class WorkgroupOrder {
 public:
  WorkgroupOrder(const uint32_t (&count)[3], const WorkgroupTiling& tiling = {})
      : whole_{0, 0, count[0], count[1]}, tiling_(tiling) {}

  // Where workgroup number `position` is.
  std::array<uint64_t, 3> at(uint64_t position) const {
    const uint64_t plane = whole_.width * whole_.height;
    const uint64_t z = position / plane;
    position %= plane;
    Part part = tileOf(whole_, tiling_.region.width, tiling_.region.height, position);
    for (uint64_t side : tiling_.squares) part = tileOf(part, side, side, position);
    part = tileOf(part, tiling_.strip, part.height, position);
    return {part.x + position % part.width, part.y + position / part.width, z};
  }

 private:
  struct Part {
    uint64_t x, y, width, height;
  };

  // The tile of `part` with number `position` in it, which becomes the number in the tile. Bands
  // of rows, tiles of a band, and what is left at the ends.
  static Part tileOf(const Part& part, uint64_t width, uint64_t height, uint64_t& position) {
    if (width * height < 2) return part;
    const uint64_t y = position / (height * part.width) * height;
    const uint64_t rows = std::min(height, part.height - y);
    position -= y * part.width;
    const uint64_t x = position / (width * rows) * width;
    const uint64_t columns = std::min(width, part.width - x);
    position -= x * rows;
    return {part.x + x, part.y + y, columns, rows};
  }

  const Part whole_;
  const WorkgroupTiling tiling_;
};

// Regions of a grid of `count` workgroups, one for each of `workers`, that have the fewest rows
// and columns together, a column counting as `rows_a_column` rows; of several, the narrowest. The
// whole plane where there is no such number of them.
inline WorkgroupTiling::Region regionForEach(const uint32_t (&count)[3], uint32_t workers,
                                             uint64_t rows_a_column = 1) {
  WorkgroupTiling::Region best{count[0], count[1]};
  const uint32_t parts = (workers + count[2] - 1) / count[2];  // of a plane
  uint64_t least = UINT64_MAX;
  for (uint32_t across = 1; across <= parts; ++across) {
    const uint32_t down = parts / across;
    if (across * down != parts || across > count[0] || down > count[1]) continue;
    const WorkgroupTiling::Region region{(count[0] + across - 1) / across,
                                         (count[1] + down - 1) / down};
    const uint64_t cost = region.width * rows_a_column + region.height;
    if (cost > least) continue;
    least = cost;
    best = region;
  }
  return best;
}

}  // namespace rt
