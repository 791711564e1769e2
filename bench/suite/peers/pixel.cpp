// SPDX-License-Identifier: Apache-2.0

// Images pixel by pixel and block by block.
#include <algorithm>

#include "bench/suite/rows.h"

namespace bench {
namespace {

void rgbToYuv(Push push, const uint8_t* __restrict rgb, uint8_t* __restrict yuv) {
  const size_t n = push[0];
  for (size_t i = 0; i < n; ++i) {
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    yuv[i] = static_cast<uint8_t>(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
    yuv[n + i] = static_cast<uint8_t>(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    yuv[2 * n + i] = static_cast<uint8_t>(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
  }
}

uint32_t blend(uint32_t a, uint32_t b, uint32_t alpha) {
  return (a * alpha + b * (255 - alpha) + 127) / 255;
}

void alphaBlend(Push push, const uint32_t* __restrict over, const uint32_t* __restrict under,
                uint32_t* __restrict result) {
  for (size_t i = 0; i < size_t{push[0]} * 512; ++i) {
    const uint32_t a = over[i], b = under[i], alpha = a >> 24;
    result[i] = blend(a & 255, b & 255, alpha) | blend(a >> 8 & 255, b >> 8 & 255, alpha) << 8 |
                blend(a >> 16 & 255, b >> 16 & 255, alpha) << 16 | 0xff000000u;
  }
}

void gammaTable(Push push, const uint8_t* __restrict image, const uint8_t* __restrict table,
                uint8_t* __restrict result) {
  for (size_t i = 0; i < push[0]; ++i) result[i] = table[image[i]];
}

void dct8x8(Push push, const float* __restrict image, const float* __restrict cosines,
            float* __restrict result) {
  const size_t w = push[0];
  for (size_t row = 0; row < 512; row += 8)
    for (size_t column = 0; column < w; column += 8) {
      const float* block = image + row * w + column;
      float rows[8][8];
      for (size_t y = 0; y < 8; ++y)
        for (size_t x = 0; x < 8; ++x) {
          float sum = 0;
          for (size_t k = 0; k < 8; ++k) sum += block[y * w + k] * cosines[x * 8 + k];
          rows[y][x] = sum;
        }
      for (size_t y = 0; y < 8; ++y) {
        float sums[8] = {};
        for (size_t k = 0; k < 8; ++k)
          for (size_t x = 0; x < 8; ++x) sums[x] += rows[k][x] * cosines[y * 8 + k];
        std::copy_n(sums, 8, result + (row + y) * w + column);
      }
    }
}

constexpr KernelRow kRows[] = {
    kernelRow<rgbToYuv>("rgb_to_yuv"),
    kernelRow<alphaBlend>("alpha_blend"),
    kernelRow<gammaTable>("gamma_table"),
    kernelRow<dct8x8>("dct8x8"),
};

}  // namespace

std::span<const KernelRow> pixelKernels() { return kRows; }

}  // namespace bench
