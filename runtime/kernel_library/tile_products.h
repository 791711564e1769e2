// SPDX-License-Identifier: Apache-2.0

// The arithmetic of tile_unit.h, on tiles in memory, in code for processors with and without FMA.
#pragma once

#include <cstdint>

namespace rt {

struct alignas(64) Tile {
  uint32_t row[16][16];
};

// What its members do to `c` is said in tile_unit.h. `c`, `a` and `b` are three tiles. Those of
// floats want MXCSR to flush and to round to nearest even (FlushingScope).
struct TileProducts {
  using Product = void (*)(Tile& c, const Tile& a, const Tile& b);
  Product ss, su, us, uu;  // TDPBSSD ... TDPBUUD
  Product bf16, f16;       // TDPBF16PS, TDPFP16PS
  Product bb, bh, hb, hh;  // TDPBF8PS, TDPBHF8PS, TDPHBF8PS, TDPHF8PS
  Product tf32;            // TMMULTF32PS
};

// For every processor, and for those with AVX2 and FMA; the same results.
extern const TileProducts kTileProducts;
extern const TileProducts kTileProductsFma;

// While it lives, this thread's MXCSR rounds to nearest even, takes subnormals for zero and flushes
// them to zero, without exceptions.
class FlushingScope {
 public:
  FlushingScope();
  ~FlushingScope();
  FlushingScope(const FlushingScope&) = delete;
  FlushingScope& operator=(const FlushingScope&) = delete;

 private:
  const uint32_t mxcsr_;
};

}  // namespace rt
