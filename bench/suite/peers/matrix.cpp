// SPDX-License-Identifier: Apache-2.0

// Products of matrices, and transposing.
#include <algorithm>
#include <array>

#include "bench/suite/half.h"
#include "bench/suite/rows.h"

namespace bench {
namespace {

void transpose(Push push, const float* __restrict a, float* __restrict b) {
  const size_t n = push[0];
  for (size_t y = 0; y < n; ++y)
    for (size_t x = 0; x < n; ++x) b[x * n + y] = a[y * n + x];
}

void transposeTiles(Push push, const float* __restrict a, float* __restrict b) {
  constexpr size_t kTile = 16;
  const size_t n = push[0];
  for (size_t row = 0; row < n; row += kTile)
    for (size_t column = 0; column < n; column += kTile) {
      float tile[kTile][kTile];
      for (size_t y = 0; y < kTile; ++y)
        for (size_t x = 0; x < kTile; ++x) tile[y][x] = a[(row + y) * n + column + x];
      for (size_t y = 0; y < kTile; ++y)
        for (size_t x = 0; x < kTile; ++x) b[(column + y) * n + row + x] = tile[x][y];
    }
}

// Element by element, as many side by side as the compiler likes.
template <typename T>
void matmul(Push push, const T* __restrict a, const T* __restrict b, float* __restrict c) {
  constexpr size_t kSide = 64;
  const size_t n = push[0];
  for (size_t row = 0; row < n; ++row)
    for (size_t column = 0; column < n; column += kSide) {
      float sums[kSide] = {};
      for (size_t k = 0; k < n; ++k) {
        const auto p = static_cast<float>(a[row * n + k]);
        for (size_t j = 0; j < kSide; ++j) sums[j] += p * static_cast<float>(b[k * n + column + j]);
      }
      std::copy_n(sums, kSide, c + row * n + column);
    }
}

// Tiles of a and b are copied, as shaders do with shared memory.
template <size_t kRows, size_t kColumns>
void matmulTiles(size_t n, const float* __restrict a, const float* __restrict b,
                 float* __restrict c) {
  constexpr size_t kDepth = 16;
  for (size_t row = 0; row < n; row += kRows)
    for (size_t column = 0; column < n; column += kColumns) {
      float a_tile[kRows][kDepth], b_tile[kDepth][kColumns], sums[kRows][kColumns] = {};
      for (size_t depth = 0; depth < n; depth += kDepth) {
        for (size_t i = 0; i < kRows; ++i)
          for (size_t k = 0; k < kDepth; ++k) a_tile[i][k] = a[(row + i) * n + depth + k];
        for (size_t k = 0; k < kDepth; ++k)
          for (size_t j = 0; j < kColumns; ++j) b_tile[k][j] = b[(depth + k) * n + column + j];
        for (size_t i = 0; i < kRows; ++i) {
          float row_sums[kColumns];
          std::copy_n(sums[i], kColumns, row_sums);
          for (size_t k = 0; k < kDepth; ++k)
            for (size_t j = 0; j < kColumns; ++j) row_sums[j] += a_tile[i][k] * b_tile[k][j];
          std::copy_n(row_sums, kColumns, sums[i]);
        }
      }
      for (size_t i = 0; i < kRows; ++i) std::copy_n(sums[i], kColumns, c + (row + i) * n + column);
    }
}

void matmulShared(Push push, const float* a, const float* b, float* c) {
  matmulTiles<16, 16>(push[0], a, b, c);
}

void matmulRegisters(Push push, const float* a, const float* b, float* c) {
  matmulTiles<64, 64>(push[0], a, b, c);
}

void matmulS8(Push push, const int8_t* __restrict a, const int8_t* __restrict b,
              int32_t* __restrict c) {
  const size_t n = push[0];
  for (size_t row = 0; row < n; ++row)
    for (size_t column = 0; column < n; ++column) {
      int32_t sum = 0;
      for (size_t k = 0; k < n; ++k) sum += a[row * n + k] * b[column * n + k];
      c[row * n + column] = sum;
    }
}

constexpr KernelRow kRows[] = {
    kernelRow<transpose>("transpose"),
    kernelRow<transposeTiles>("transpose_shared"),
    kernelRow<matmul<float>>("matmul"),
    kernelRow<matmulShared>("matmul_shared"),
    kernelRow<matmulRegisters>("matmul_registers"),
    kernelRow<matmul<Half>>("matmul_f16"),
    kernelRow<matmulS8>("matmul_s8"),
};

}  // namespace

std::span<const KernelRow> matrixKernels() { return kRows; }

}  // namespace bench
