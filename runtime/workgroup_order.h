// The order in which the workgroups of a dispatch are handed out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace rt {

struct WorkgroupSquares {
  uint64_t outer = 0, inner = 0;  // sides, in workgroups
};

// All workgroups of a grid, each once. By itself x is fastest, then y, then z, which programs may
// rely on that look back at earlier workgroups. In squares, for kernels that cannot tell: squares
// in x and y, one after the other, and smaller squares within them, so that neighbours in both
// directions run soon after each other. A square whose side is less than 2 is none.
class WorkgroupOrder {
 public:
  using Squares = WorkgroupSquares;

  WorkgroupOrder(const uint32_t (&count)[3], Squares squares = {})
      : whole_{0, 0, count[0], count[1]}, squares_(squares) {}

  // Where workgroup number `position` is.
  std::array<uint64_t, 3> at(uint64_t position) const {
    const uint64_t plane = whole_.width * whole_.height;
    const uint64_t z = position / plane;
    position %= plane;
    Part part = whole_;
    if (squares_.outer >= 2) part = squareOf(part, squares_.outer, position);
    if (squares_.inner >= 2) part = squareOf(part, squares_.inner, position);
    return {part.x + position % part.width, part.y + position / part.width, z};
  }

 private:
  struct Part {
    uint64_t x, y, width, height;
  };

  // The square of `part` with number `position` in it, which becomes the number in the square.
  // Bands of rows, squares of a band, and what is left at the ends.
  static Part squareOf(const Part& part, uint64_t side, uint64_t& position) {
    const uint64_t y = position / (side * part.width) * side;
    const uint64_t height = std::min(side, part.height - y);
    position -= y * part.width;
    const uint64_t x = position / (side * height) * side;
    const uint64_t width = std::min(side, part.width - x);
    position -= x * height;
    return {part.x + x, part.y + y, width, height};
  }

  const Part whole_;
  const Squares squares_;
};

}  // namespace rt
