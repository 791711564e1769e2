// SPDX-License-Identifier: Apache-2.0

// Products of matrices through copies of their tiles. Beside cooperative matrices this is what a
// loop makes of the same copies, not what a library makes of the product.
#include <algorithm>

#include "bench/suite/half.h"
#include "bench/suite/rows.h"

namespace bench {
namespace {

// Element is what the copies hold, and Sum what is added up.
template <size_t kDepth, typename Element, typename Sum, typename From>
void multiplyStaged(size_t n, const From* __restrict a, const From* __restrict b,
                    Sum* __restrict c) {
  constexpr size_t kBlock = 64;
  for (size_t row = 0; row < n; row += kBlock)
    for (size_t column = 0; column < n; column += kBlock) {
      Element a_stage[kBlock][kDepth], b_stage[kDepth][kBlock];
      Sum sums[kBlock][kBlock] = {};
      for (size_t depth = 0; depth < n; depth += kDepth) {
        for (size_t i = 0; i < kBlock; ++i)
          for (size_t k = 0; k < kDepth; ++k)
            a_stage[i][k] = static_cast<Element>(a[(row + i) * n + depth + k]);
        for (size_t k = 0; k < kDepth; ++k)
          for (size_t j = 0; j < kBlock; ++j)
            b_stage[k][j] = static_cast<Element>(b[(depth + k) * n + column + j]);
        for (size_t i = 0; i < kBlock; ++i) {
          Sum row_sums[kBlock];
          std::copy_n(sums[i], kBlock, row_sums);
          for (size_t k = 0; k < kDepth; ++k)
            for (size_t j = 0; j < kBlock; ++j)
              row_sums[j] += static_cast<Sum>(a_stage[i][k]) * static_cast<Sum>(b_stage[k][j]);
          std::copy_n(row_sums, kBlock, sums[i]);
        }
      }
      for (size_t i = 0; i < kBlock; ++i) std::copy_n(sums[i], kBlock, c + (row + i) * n + column);
    }
}

void stagedF32(Push push, const float* a, const float* b, float* c) {
  multiplyStaged<32, float, float>(push[0], a, b, c);
}

void stagedMatrixF16(Push push, const Half* a, const Half* b, float* c) {
  multiplyStaged<32, float, float>(push[0], a, b, c);
}

void stagedMatrixS8(Push push, const int8_t* a, const int8_t* b, int32_t* c) {
  multiplyStaged<64, int8_t, int32_t>(push[0], a, b, c);
}

constexpr KernelRow kRows[] = {
    kernelRow<stagedF32>("staged_f32"),
    kernelRow<stagedMatrixF16>("staged_matrix_f16"),
    kernelRow<stagedMatrixS8>("staged_matrix_s8"),
};

}  // namespace

std::span<const KernelRow> stagedKernels() { return kRows; }

}  // namespace bench
