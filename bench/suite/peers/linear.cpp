// SPDX-License-Identifier: Apache-2.0

// Linear algebra: matrices and vectors, steps of decompositions.
#include <algorithm>

#include "bench/suite/half.h"
#include "bench/suite/rows.h"

namespace bench {
namespace {

void matvecOf(size_t rows, size_t n, const float* a, const float* x, float* y) {
  for (size_t row = 0; row < rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
    y[row] = sum;
  }
}

void matvecRow(Push push, const float* a, const float* x, float* y) {
  matvecOf(push[0], push[0], a, x, y);
}

void matvecSubgroup(Push push, const float* a, const float* x, float* y) {
  matvecOf(1024, push[0], a, x, y);
}

void matvecColumn(Push push, const float* __restrict a, const float* __restrict x,
                  float* __restrict y) {
  const size_t n = push[0];
  std::fill_n(y, n, 0.0f);
  for (size_t k = 0; k < n; ++k)
    for (size_t column = 0; column < n; ++column) y[column] += a[k * n + column] * x[k];
}

void matvecF16(Push push, const Half* a, const float* x, float* y) {
  const size_t n = push[0];
  for (size_t row = 0; row < 1024; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < n; ++k) sum += static_cast<float>(a[row * n + k]) * x[k];
    y[row] = sum;
  }
}

void matvecQ8(Push push, const int8_t* quants, const float* scales, const float* x, float* y) {
  const size_t n = push[0], blocks = n / 32;
  for (size_t row = 0; row < 1024; ++row) {
    float sum = 0;
    for (size_t b = 0; b < blocks; ++b) {
      float part = 0;
#pragma omp simd reduction(+ : part)
      for (size_t k = b * 32; k < b * 32 + 32; ++k)
        part += static_cast<float>(quants[row * n + k]) * x[k];
      sum += scales[row * blocks + b] * part;
    }
    y[row] = sum;
  }
}

void matvecQ4(Push push, const uint8_t* quants, const float* scales, const float* x, float* y) {
  const size_t blocks = push[0] / 32;
  for (size_t row = 0; row < 1024; ++row) {
    float sum = 0;
    for (size_t b = 0; b < blocks; ++b) {
      const uint8_t* bytes = quants + (row * blocks + b) * 16;
      float part = 0;
#pragma omp simd reduction(+ : part)
      for (size_t k = 0; k < 16; ++k)
        part += static_cast<float>((bytes[k] & 15) - 8) * x[b * 32 + k] +
                static_cast<float>((bytes[k] >> 4) - 8) * x[b * 32 + 16 + k];
      sum += scales[row * blocks + b] * part;
    }
    y[row] = sum;
  }
}

void mat4Batch(Push, const float* __restrict a, const float* __restrict b, float* __restrict c) {
  for (size_t first = 0; first < 1 << 19; first += 16)
    for (size_t column = 0; column < 4; ++column)
      for (size_t row = 0; row < 4; ++row) {
        float sum = 0;
        for (size_t k = 0; k < 4; ++k) sum += a[first + k * 4 + row] * b[first + column * 4 + k];
        c[first + column * 4 + row] = sum;
      }
}

void triangularSolve(Push push, const float* l, const float* b, float* x) {
  const size_t n = push[0], m = push[1];
  for (size_t row = 0; row < n; ++row) {
    float* result = x + row * m;
    std::copy_n(b + row * m, m, result);
    for (size_t k = 0; k < row; ++k) {
      const float factor = l[row * n + k];
#pragma omp simd
      for (size_t side = 0; side < m; ++side) result[side] -= factor * x[k * m + side];
    }
    const float diagonal = l[row * n + row];
    for (size_t side = 0; side < m; ++side) result[side] /= diagonal;
  }
}

void luStep(Push push, float* a) {
  const size_t n = push[0], k = push[1];
  for (size_t row = k + 1; row < n; ++row) {
    const float factor = a[row * n + k] / a[k * n + k];
#pragma omp simd
    for (size_t column = k + 1; column < n; ++column)
      a[row * n + column] -= factor * a[k * n + column];
  }
}

void choleskyStep(Push push, float* a) {
  const size_t n = push[0], k = push[1];
  for (size_t row = k + 1; row < n; ++row) {
    const float factor = a[row * n + k];
#pragma omp simd
    for (size_t column = k + 1; column <= row; ++column)
      a[row * n + column] -= factor * a[column * n + k];
  }
}

void floydWarshall(Push push, float* distance) {
  const size_t n = push[0], k = push[1];
  for (size_t row = 0; row < n; ++row) {
    const float first = distance[row * n + k];
#pragma omp simd
    for (size_t column = 0; column < n; ++column)
      distance[row * n + column] =
          std::min(distance[row * n + column], first + distance[k * n + column]);
  }
}

void spmvCsr(Push push, const uint32_t* starts, const uint32_t* columns, const float* values,
             const float* x, float* y) {
  for (size_t row = 0; row < push[0]; ++row) {
    float sum = 0;
    for (size_t k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<matvecRow>("matvec_row"),
    kernelRow<matvecColumn>("matvec_column"),
    kernelRow<matvecSubgroup>("matvec_subgroup"),
    kernelRow<matvecSubgroup>("matvec_unrolled"),
    kernelRow<matvecF16>("matvec_f16"),
    kernelRow<matvecQ8>("matvec_q8"),
    kernelRow<matvecQ4>("matvec_q4"),
    kernelRow<mat4Batch>("mat4_batch"),
    kernelRow<triangularSolve>("triangular_solve"),
    kernelRow<luStep>("lu_step"),
    kernelRow<choleskyStep>("cholesky_step"),
    kernelRow<floydWarshall>("floyd_warshall"),
    kernelRow<spmvCsr>("spmv_csr"),
};

}  // namespace

std::span<const KernelRow> linearKernels() { return kRows; }

}  // namespace bench
