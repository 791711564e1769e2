// SPDX-License-Identifier: Apache-2.0

// Filters of images.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "bench/suite/rows.h"

namespace bench {
namespace {

// Inner parts of rows without tests, as edges are told apart by hand.
template <int kSize>
void convolve(int w, int h, const float* __restrict image, const float* __restrict weights,
              float* __restrict result) {
  constexpr int kRadius = kSize / 2;
  for (int y = 0; y < h; ++y) {
    float* row = result + y * w;
    const int first = std::max(0, kRadius - y), last = std::min(kSize, h + kRadius - y);
    const auto at = [&](int x, int low, int high) {
      float sum = 0;
      for (int j = first; j < last; ++j)
        for (int i = low; i < high; ++i)
          sum += weights[j * kSize + i] * image[(y + j - kRadius) * w + x + i - kRadius];
      return sum;
    };
    for (int x = 0; x < kRadius; ++x) row[x] = at(x, kRadius - x, kSize);
    std::fill(row + kRadius, row + w - kRadius, 0.0f);
    for (int j = first; j < last; ++j) {
      const float* from = image + (y + j - kRadius) * w - kRadius;
      const float* weight = weights + j * kSize;
#pragma omp simd
      for (int x = kRadius; x < w - kRadius; ++x) {
        float sum = row[x];
        for (int i = 0; i < kSize; ++i) sum += weight[i] * from[x + i];
        row[x] = sum;
      }
    }
    for (int x = w - kRadius; x < w; ++x) row[x] = at(x, 0, w + kRadius - x);
  }
}

void conv3x3(Push push, const float* image, const float* weights, float* result) {
  convolve<3>(static_cast<int>(push[0]), static_cast<int>(push[1]), image, weights, result);
}

void conv5x5(Push push, const float* image, const float* weights, float* result) {
  convolve<5>(static_cast<int>(push[0]), static_cast<int>(push[1]), image, weights, result);
}

void conv5x5Clamp(Push push, const float* __restrict image, const float* __restrict weights,
                  float* __restrict result) {
  const int w = static_cast<int>(push[0]), h = static_cast<int>(push[1]);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
          sum += weights[(j + 2) * 5 + i + 2] *
                 image[std::clamp(y + j, 0, h - 1) * w + std::clamp(x + i, 0, w - 1)];
      result[y * w + x] = sum;
    }
}

void convChannels(Push push, const float* __restrict image, const float* __restrict weights,
                  float* __restrict result) {
  const size_t from = push[0], to = push[1];
  for (size_t channel = 0; channel < 16; ++channel)
    for (size_t y = 0; y < to; ++y) {
      float* row = result + (channel * to + y) * to;
      std::fill_n(row, to, 0.0f);
      for (size_t c = 0; c < 16; ++c)
        for (size_t j = 0; j < 3; ++j)
          for (size_t i = 0; i < 3; ++i) {
            const float weight = weights[((channel * 16 + c) * 3 + j) * 3 + i];
            const float* line = image + (c * from + y + j) * from + i;
            for (size_t x = 0; x < to; ++x) row[x] += weight * line[x];
          }
    }
}

void convDepthwise(Push push, const float* __restrict image, const float* __restrict weights,
                   float* __restrict result) {
  constexpr size_t kChannels = 32;
  const size_t from = push[0], to = push[1];
  for (size_t y = 0; y < to; ++y)
    for (size_t x = 0; x < to; ++x) {
      float sums[kChannels] = {};
      for (size_t j = 0; j < 3; ++j)
        for (size_t i = 0; i < 3; ++i)
          for (size_t channel = 0; channel < kChannels; ++channel)
            sums[channel] += weights[(j * 3 + i) * kChannels + channel] *
                             image[((y + j) * from + x + i) * kChannels + channel];
      std::copy_n(sums, kChannels, result + (y * to + x) * kChannels);
    }
}

void maxPool(Push push, const float* __restrict image, float* __restrict result) {
  const size_t w = push[0], h = push[1];
  for (size_t y = 0; y < h / 2; ++y)
    for (size_t x = 0; x < w / 2; ++x) {
      const float* from = image + 2 * y * w + 2 * x;
      result[y * (w / 2) + x] =
          std::max(std::max(from[0], from[1]), std::max(from[w], from[w + 1]));
    }
}

void bilinearResize(Push push, const float* __restrict image, float* __restrict result) {
  const int from = static_cast<int>(push[0]), to = static_cast<int>(push[1]);
  const float scale = static_cast<float>(from) / static_cast<float>(to);
  for (int y = 0; y < to; ++y) {
    const float v = std::max((static_cast<float>(y) + 0.5f) * scale - 0.5f, 0.0f);
    const int top = static_cast<int>(v), bottom = std::min(top + 1, from - 1);
    const float b = v - static_cast<float>(top);
    for (int x = 0; x < to; ++x) {
      const float u = std::max((static_cast<float>(x) + 0.5f) * scale - 0.5f, 0.0f);
      const int left = static_cast<int>(u), right = std::min(left + 1, from - 1);
      const float a = u - static_cast<float>(left);
      const float upper = image[top * from + left] * (1 - a) + image[top * from + right] * a;
      const float lower = image[bottom * from + left] * (1 - a) + image[bottom * from + right] * a;
      result[y * to + x] = upper * (1 - b) + lower * b;
    }
  }
}

void boxBlur(Push push, const float* __restrict image, float* __restrict result) {
  const int w = static_cast<int>(push[0]), h = static_cast<int>(push[1]);
  for (int y = 0; y < h; ++y) {
    const float* row = image + y * w;
    const auto atEdge = [&](int x) {
      float sum = 0;
      for (int i = -4; i <= 4; ++i) sum += row[std::clamp(x + i, 0, w - 1)];
      return sum * (1.0f / 9.0f);
    };
    for (int x = 0; x < 4; ++x) result[y * w + x] = atEdge(x);
    for (int x = 4; x < w - 4; ++x) {
      float sum = 0;
      for (int i = -4; i <= 4; ++i) sum += row[x + i];
      result[y * w + x] = sum * (1.0f / 9.0f);
    }
    for (int x = w - 4; x < w; ++x) result[y * w + x] = atEdge(x);
  }
}

void sobel(Push push, const uint8_t* __restrict image, uint8_t* __restrict result) {
  const size_t w = push[0], h = push[1];
  std::fill_n(result, w * h, uint8_t{0});
  for (size_t y = 1; y < h - 1; ++y)
    for (size_t x = 1; x < w - 1; ++x) {
      const uint8_t* above = image + (y - 1) * w + x;
      const uint8_t* here = above + w;
      const uint8_t* below = here + w;
      const int gx = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
      const int gy = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
      result[y * w + x] = static_cast<uint8_t>(std::min(std::abs(gx) + std::abs(gy), 255));
    }
}

void bilateral(Push push, const float* __restrict image, float* __restrict result) {
  const int w = static_cast<int>(push[0]), h = static_cast<int>(push[1]);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const float center = image[y * w + x];
      float sum = 0, weights = 0;
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) {
          const float value = image[std::clamp(y + j, 0, h - 1) * w + std::clamp(x + i, 0, w - 1)];
          const float difference = value - center;
          const float weight =
              std::exp(-0.5f * static_cast<float>(i * i + j * j) - 8 * difference * difference);
          sum += weight * value;
          weights += weight;
        }
      result[y * w + x] = sum / weights;
    }
}

void order(float& a, float& b) {
  const float low = std::min(a, b);
  b = std::max(a, b);
  a = low;
}

float medianOf(std::array<float, 9> p) {
  for (size_t k = 0; k < 9; k += 3) {
    order(p[k], p[k + 1]);
    order(p[k + 1], p[k + 2]);
    order(p[k], p[k + 1]);
  }
  float a = std::max(std::max(p[0], p[3]), p[6]), c = std::min(std::min(p[2], p[5]), p[8]);
  order(p[1], p[4]);
  order(p[4], p[7]);
  order(p[1], p[4]);
  float b = p[4];
  order(a, b);
  order(b, c);
  order(a, b);
  return b;
}

void median3x3(Push push, const float* __restrict image, float* __restrict result) {
  const int w = static_cast<int>(push[0]), h = static_cast<int>(push[1]);
  for (int y = 0; y < h; ++y) {
    const float* above = image + std::max(y - 1, 0) * w;
    const float* here = image + y * w;
    const float* below = image + std::min(y + 1, h - 1) * w;
    const auto between = [&](int left, int x, int right) {
      return medianOf({above[left], above[x], above[right], here[left], here[x], here[right],
                       below[left], below[x], below[right]});
    };
    result[y * w] = between(0, 0, 1);
    for (int x = 1; x < w - 1; ++x) result[y * w + x] = between(x - 1, x, x + 1);
    result[y * w + w - 1] = between(w - 2, w - 1, w - 1);
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<conv3x3>("conv3x3"),
    kernelRow<conv5x5>("conv5x5"),
    kernelRow<conv5x5Clamp>("conv5x5_clamp"),
    kernelRow<convChannels>("conv_channels"),
    kernelRow<convDepthwise>("conv_depthwise"),
    kernelRow<maxPool>("max_pool"),
    kernelRow<bilinearResize>("bilinear_resize"),
    kernelRow<boxBlur>("box_blur"),
    kernelRow<boxBlur>("box_blur_shared"),
    kernelRow<sobel>("sobel"),
    kernelRow<bilateral>("bilateral"),
    kernelRow<median3x3>("median3x3"),
};

}  // namespace

std::span<const KernelRow> imageKernels() { return kRows; }

}  // namespace bench
