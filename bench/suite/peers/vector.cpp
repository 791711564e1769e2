// SPDX-License-Identifier: Apache-2.0

// Kernels that do little with each element.
#include <algorithm>
#include <bit>
#include <cstring>

#include "bench/suite/half.h"
#include "bench/suite/rows.h"

namespace bench {
namespace {

void saxpy(Push push, const float* __restrict x, float* __restrict y) {
  const float a = push.real(0);
  for (uint32_t i = 0; i < push[1]; ++i) y[i] = a * x[i] + y[i];
}

void addF16(Push push, const Half* __restrict a, const Half* __restrict b, Half* __restrict c) {
  for (uint32_t i = 0; i < push[0]; ++i)
    c[i] = static_cast<Half>(static_cast<float>(a[i]) + static_cast<float>(b[i]));
}

void addSaturatedU8(Push push, const uint8_t* __restrict a, const uint8_t* __restrict b,
                    uint8_t* __restrict c) {
  for (uint32_t i = 0; i < push[0]; ++i) c[i] = static_cast<uint8_t>(std::min(a[i] + b[i], 255));
}

void triadF64(Push push, double* __restrict a, const double* __restrict b,
              const double* __restrict c) {
  for (uint32_t i = 0; i < push[0]; ++i) a[i] = b[i] + 3.0 * c[i];
}

void gatherRows(Push push, const uint32_t* ids, const float* table, float* rows) {
  const size_t size = push[0];
  for (size_t row = 0; row < 4096; ++row)
    std::memcpy(rows + row * size, table + ids[row] * size, size * sizeof(float));
}

void countOnes(Push push, const uint32_t* __restrict codes, uint32_t* __restrict distances) {
  const size_t count = push[0];
  for (size_t i = 0; i < count; ++i) {
    int distance = 0;
    for (size_t word = 0; word < 8; ++word)
      distance += std::popcount(codes[word * count + i] ^ codes[word * count]);
    distances[i] = static_cast<uint32_t>(distance);
  }
}

uint32_t spreadBits(uint32_t v) {
  v = (v | v << 16) & 0x030000ff;
  v = (v | v << 8) & 0x0300f00f;
  v = (v | v << 4) & 0x030c30c3;
  return (v | v << 2) & 0x09249249;
}

void morton(Push push, const uint32_t* __restrict xyz, uint32_t* __restrict codes) {
  for (uint32_t i = 0; i < push[0]; ++i)
    codes[i] = spreadBits(xyz[i] & 1023) | spreadBits(xyz[i] >> 10 & 1023) << 1 |
               spreadBits(xyz[i] >> 20) << 2;
}

constexpr KernelRow kRows[] = {
    kernelRow<saxpy>("saxpy"),
    kernelRow<addF16>("add_f16"),
    kernelRow<addSaturatedU8>("add_saturated_u8"),
    kernelRow<triadF64>("triad_f64"),
    kernelRow<gatherRows>("gather_rows"),
    kernelRow<countOnes>("popcount"),
    kernelRow<morton>("morton"),
};

}  // namespace

std::span<const KernelRow> vectorKernels() { return kRows; }

}  // namespace bench
