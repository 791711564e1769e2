// SPDX-License-Identifier: Apache-2.0

// What neural networks do between products of matrices.
#include <algorithm>
#include <array>
#include <cmath>

#include "bench/suite/rows.h"

namespace bench {
namespace {

void gelu(Push push, const float* __restrict x, float* __restrict y) {
  for (size_t i = 0; i < push[0]; ++i)
    y[i] = 0.5f * x[i] * (1 + std::tanh(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

void siluMul(Push push, const float* __restrict gate, const float* __restrict up,
             float* __restrict y) {
  for (size_t i = 0; i < push[0]; ++i) y[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
}

void softmax(Push push, const float* __restrict x, float* __restrict y) {
  const size_t n = push[0];
  for (size_t row = 0; row < 256; ++row) {
    const float* from = x + row * n;
    float* to = y + row * n;
    float most = from[0], sum = 0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; ++i) most = std::max(most, from[i]);
    for (size_t i = 0; i < n; ++i) to[i] = std::exp(from[i] - most);
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i) sum += to[i];
    const float scale = 1 / sum;
    for (size_t i = 0; i < n; ++i) to[i] *= scale;
  }
}

void layerNorm(Push push, const float* __restrict x, const float* __restrict gain,
               const float* __restrict bias, float* __restrict y) {
  const size_t n = push[0];
  for (size_t row = 0; row < 256; ++row) {
    const float* from = x + row * n;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; ++i) sum += from[i];
    const float mean = sum / static_cast<float>(n);
#pragma omp simd reduction(+ : squares)
    for (size_t i = 0; i < n; ++i) squares += (from[i] - mean) * (from[i] - mean);
    const float scale = 1 / std::sqrt(squares / static_cast<float>(n) + 1e-5f);
    for (size_t i = 0; i < n; ++i) y[row * n + i] = (from[i] - mean) * scale * gain[i] + bias[i];
  }
}

void rmsNorm(Push push, const float* __restrict x, const float* __restrict gain,
             float* __restrict y) {
  const size_t n = push[0];
  for (size_t row = 0; row < 256; ++row) {
    const float* from = x + row * n;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (size_t i = 0; i < n; ++i) squares += from[i] * from[i];
    const float scale = 1 / std::sqrt(squares / static_cast<float>(n) + 1e-6f);
    for (size_t i = 0; i < n; ++i) y[row * n + i] = from[i] * scale * gain[i];
  }
}

// Rows side by side, as they lie in memory.
void argmax(Push push, const float* __restrict x, uint32_t* __restrict places) {
  constexpr size_t kSide = 64;
  const size_t n = push[0];
  for (size_t first = 0; first < n; first += kSide) {
    std::array<float, kSide> most;
    std::array<uint32_t, kSide> place = {};
    std::copy_n(x + first, kSide, most.begin());
    for (uint32_t i = 1; i < 64; ++i)
      for (size_t k = 0; k < kSide; ++k) {
        const float value = x[i * n + first + k];
        place[k] = value > most[k] ? i : place[k];
        most[k] = value > most[k] ? value : most[k];
      }
    std::ranges::copy(place, places + first);
  }
}

void rope(Push push, const float* __restrict x, float* __restrict y) {
  const size_t pairs = push[0];
  for (size_t position = 0; position < 512; ++position)
    for (size_t pair = 0; pair < pairs; ++pair) {
      const float angle = static_cast<float>(position) *
                          std::exp2(static_cast<float>(pair) * (-13.2877123795f / 128));
      const float c = std::cos(angle), s = std::sin(angle);
      const float* from = x + 2 * (position * pairs + pair);
      float* to = y + 2 * (position * pairs + pair);
      to[0] = from[0] * c - from[1] * s;
      to[1] = from[0] * s + from[1] * c;
    }
}

void attention(Push push, const float* __restrict query, const float* __restrict keys,
               const float* __restrict values, float* __restrict result) {
  constexpr size_t kSize = 64;
  const size_t n = push[0];
  for (size_t head = 0; head < 64; ++head) {
    const float* q = query + head * kSize;
    std::array<float, 256> scores;
    float most = -1e30f, sum = 0;
    for (size_t k = 0; k < n; ++k) {
      const float* key = keys + (head * n + k) * kSize;
      float score = 0;
#pragma omp simd reduction(+ : score)
      for (size_t d = 0; d < kSize; ++d) score += q[d] * key[d];
      scores[k] = score * 0.125f;
      most = std::max(most, scores[k]);
    }
    for (size_t k = 0; k < n; ++k) sum += scores[k] = std::exp(scores[k] - most);
    float sums[kSize] = {};
    for (size_t k = 0; k < n; ++k)
      for (size_t d = 0; d < kSize; ++d) sums[d] += scores[k] * values[(head * n + k) * kSize + d];
    for (size_t d = 0; d < kSize; ++d) result[head * kSize + d] = sums[d] / sum;
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<gelu>("gelu"),        kernelRow<siluMul>("silu_mul"),
    kernelRow<softmax>("softmax"),  kernelRow<layerNorm>("layer_norm"),
    kernelRow<rmsNorm>("rms_norm"), kernelRow<argmax>("argmax"),
    kernelRow<rope>("rope"),        kernelRow<attention>("attention"),
};

}  // namespace

std::span<const KernelRow> networkKernels() { return kRows; }

}  // namespace bench
