// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_unit.h"

#include <cstring>

#include "runtime/cpu_features.h"
#include "runtime/kernel_library/tile_products.h"

namespace rt {
namespace {

constexpr uint64_t kTileCount = 8;
constexpr uint64_t kTileRows = 16;
constexpr uint64_t kTileRowBytes = 64;

thread_local Tile thread_tiles[kTileCount];

Tile& tileOf(uint64_t number) { return thread_tiles[number % kTileCount]; }

const TileProducts& products() {
  static const TileProducts& chosen =
      hostCpuFeatures().avx2 && hostCpuFeatures().fma ? kTileProductsFma : kTileProducts;
  return chosen;
}

void multiply(TileProducts::Product TileProducts::* product, uint64_t c, uint64_t a, uint64_t b) {
  (products().*product)(tileOf(c), tileOf(a), tileOf(b));
}

void multiplyFloats(TileProducts::Product TileProducts::* product, uint64_t c, uint64_t a,
                    uint64_t b) {
  const FlushingScope flushing;
  multiply(product, c, a, b);
}

}  // namespace

void tileZero(uint64_t tile) { std::memset(&tileOf(tile), 0, sizeof(Tile)); }

void tileLoad(uint64_t tile, const std::byte* memory, uint64_t stride) {
  Tile& to = tileOf(tile);
  for (uint64_t row = 0; row < kTileRows; ++row)
    std::memcpy(to.row[row], memory + row * stride, kTileRowBytes);
}

void tileStore(uint64_t tile, std::byte* memory, uint64_t stride) {
  const Tile& from = tileOf(tile);
  for (uint64_t row = 0; row < kTileRows; ++row)
    std::memcpy(memory + row * stride, from.row[row], kTileRowBytes);
}

void tileDotSS(uint64_t c, uint64_t a, uint64_t b) { multiply(&TileProducts::ss, c, a, b); }
void tileDotSU(uint64_t c, uint64_t a, uint64_t b) { multiply(&TileProducts::su, c, a, b); }
void tileDotUS(uint64_t c, uint64_t a, uint64_t b) { multiply(&TileProducts::us, c, a, b); }
void tileDotUU(uint64_t c, uint64_t a, uint64_t b) { multiply(&TileProducts::uu, c, a, b); }

void tileDotBf16(uint64_t c, uint64_t a, uint64_t b) {
  multiplyFloats(&TileProducts::bf16, c, a, b);
}
void tileDotF16(uint64_t c, uint64_t a, uint64_t b) { multiplyFloats(&TileProducts::f16, c, a, b); }
void tileDotBB(uint64_t c, uint64_t a, uint64_t b) { multiplyFloats(&TileProducts::bb, c, a, b); }
void tileDotBH(uint64_t c, uint64_t a, uint64_t b) { multiplyFloats(&TileProducts::bh, c, a, b); }
void tileDotHB(uint64_t c, uint64_t a, uint64_t b) { multiplyFloats(&TileProducts::hb, c, a, b); }
void tileDotHH(uint64_t c, uint64_t a, uint64_t b) { multiplyFloats(&TileProducts::hh, c, a, b); }
void tileDotTf32(uint64_t c, uint64_t a, uint64_t b) {
  multiplyFloats(&TileProducts::tf32, c, a, b);
}

}  // namespace rt
