// SPDX-License-Identifier: Apache-2.0

// Kernels that compute much from little: fractals, noise, rays, finance.
#include <algorithm>
#include <array>
#include <cmath>

#include "bench/suite/rows.h"

namespace bench {
namespace {

void mandelbrot(Push push, uint32_t* steps) {
  const uint32_t w = push[0];
  for (uint32_t y = 0; y < w; ++y)
    for (uint32_t x = 0; x < w; ++x) {
      const float cr = std::fma(static_cast<float>(x), 0.01171875f, -2.0f);
      const float ci = std::fma(static_cast<float>(y), 0.01171875f, -1.5f);
      float r = 0, i = 0;
      uint32_t n = 0;
      for (; n < push[1] && std::max(std::fabs(r), std::fabs(i)) <= 2; ++n) {
        const float next = std::fma(r, r, std::fma(-i, i, cr));
        i = std::fma(2 * r, i, ci);
        r = next;
      }
      steps[y * w + x] = n;
    }
}

void julia(Push push, float* result) {
  const uint32_t w = push[0];
  const float cr = push.real(1), ci = push.real(2);
  for (uint32_t y = 0; y < w; ++y)
    for (uint32_t x = 0; x < w; ++x) {
      float r = std::fma(static_cast<float>(x), 0.01171875f, -1.5f);
      float i = std::fma(static_cast<float>(y), 0.01171875f, -1.5f);
      for (uint32_t n = 0; n < 64 && std::max(std::fabs(r), std::fabs(i)) <= 2; ++n) {
        const float next = std::fma(r, r, std::fma(-i, i, cr));
        i = std::fma(2 * r, i, ci);
        r = next;
      }
      result[y * w + x] = std::fma(r, r, i * i);
    }
}

float lattice(uint32_t x, uint32_t y) {
  uint32_t h = x * 374761393u + y * 668265263u;
  h = (h ^ h >> 13) * 1274126177u;
  return static_cast<float>((h ^ h >> 16) & 0xffffffu) * (1.0f / 16777216.0f);
}

float noise(float u, float v) {
  const uint32_t x = static_cast<uint32_t>(u), y = static_cast<uint32_t>(v);
  float a = u - static_cast<float>(x), b = v - static_cast<float>(y);
  a = a * a * (3 - 2 * a);
  b = b * b * (3 - 2 * b);
  const float above = lattice(x, y) * (1 - a) + lattice(x + 1, y) * a;
  const float below = lattice(x, y + 1) * (1 - a) + lattice(x + 1, y + 1) * a;
  return above * (1 - b) + below * b;
}

void valueNoise(Push push, float* __restrict result) {
  const uint32_t w = push[0];
  for (uint32_t y = 0; y < w; ++y)
    for (uint32_t x = 0; x < w; ++x) {
      const float u = static_cast<float>(x) * 0.03125f, v = static_cast<float>(y) * 0.03125f;
      result[y * w + x] = 0.5f * noise(u, v) + 0.25f * noise(2 * u, 2 * v) +
                          0.125f * noise(4 * u, 4 * v) + 0.0625f * noise(8 * u, 8 * v);
    }
}

void raySpheres(Push push, const float* __restrict spheres, float* __restrict depth) {
  const uint32_t w = push[0];
  for (uint32_t y = 0; y < w; ++y) {
    const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(w);
    float* row = depth + y * w;
    std::fill_n(row, w, 10.0f);
    for (uint32_t s = 0; s < 16; ++s) {
      const float* sphere = spheres + 4 * s;
      const float radius = 0.2f * sphere[3], dy = sphere[1] - v;
      for (uint32_t x = 0; x < w; ++x) {
        const float dx = sphere[0] - (static_cast<float>(x) + 0.5f) / static_cast<float>(w);
        const float inside = radius * radius - dx * dx - dy * dy;
        const float t = 2 + sphere[2] - std::sqrt(std::max(inside, 0.0f));
        row[x] = ((inside > 0) & (t < row[x])) ? t : row[x];
      }
    }
  }
}

// Rays of a part of a row, step by step.
void sphereTrace(Push push, float* __restrict depth) {
  constexpr uint32_t kSide = 64;
  const uint32_t w = push[0];
  for (uint32_t py = 0; py < w; ++py)
    for (uint32_t first = 0; first < w; first += kSide) {
      const float v = static_cast<float>(py) / static_cast<float>(w) - 0.9f;
      std::array<float, kSide> dx, scale, t = {};
      for (uint32_t k = 0; k < kSide; ++k) {
        const float u = static_cast<float>(first + k) / static_cast<float>(w) - 0.5f;
        scale[k] = 1 / std::sqrt(u * u + v * v + 1);
        dx[k] = u * scale[k];
      }
      for (uint32_t step = 0; step < 48; ++step)
        for (uint32_t k = 0; k < kSide; ++k) {
          const float x = t[k] * dx[k], y = 1.5f + t[k] * v * scale[k], z = t[k] * scale[k] - 3;
          const float ring = std::sqrt(x * x + z * z) - 1.0f;
          t[k] += 0.7f * std::min(std::sqrt(ring * ring + y * y) - 0.4f, y + 1.0f);
        }
      for (uint32_t k = 0; k < kSide; ++k) depth[py * w + first + k] = std::min(t[k], 20.0f);
    }
}

void collatz(Push push, uint32_t* steps) {
  for (uint32_t i = 0; i < push[0]; ++i) {
    uint32_t value = i + 1, n = 0;
    for (; value != 1; ++n) value = value % 2 == 0 ? value / 2 : value * 3 + 1;
    steps[i] = n;
  }
}

uint32_t nextRandom(uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// Several generators side by side.
void monteCarloPi(Push push, uint32_t* hits) {
  constexpr uint32_t kSide = 64;
  for (uint32_t first = 0; first < 4096; first += kSide) {
    std::array<uint32_t, kSide> states, inside = {};
    for (uint32_t k = 0; k < kSide; ++k) states[k] = (first + k) * 2654435761u + 12345u;
    for (uint32_t round = 0; round < push[0]; ++round)
      for (uint32_t k = 0; k < kSide; ++k) {
        const float x = static_cast<float>(nextRandom(states[k]) >> 8) * (1.0f / 16777216.0f);
        const float y = static_cast<float>(nextRandom(states[k]) >> 8) * (1.0f / 16777216.0f);
        inside[k] += std::fma(x, x, y * y) < 1.0f ? 1 : 0;
      }
    std::ranges::copy(inside, hits + first);
  }
}

float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(d));
  const float tail =
      0.39894228040f * std::exp(-0.5f * d * d) *
      (k * (0.319381530f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - tail : tail;
}

void blackScholes(Push push, const float* __restrict price, const float* __restrict strike,
                  const float* __restrict years, float* __restrict value) {
  const float rate = push.real(1), volatility = push.real(2);
  for (uint32_t i = 0; i < push[0]; ++i) {
    const float s = price[i], x = strike[i], t = years[i], root = std::sqrt(t);
    const float d1 =
        (std::log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    value[i] = s * normal(d1) - x * std::exp(-rate * t) * normal(d2);
  }
}

void binomialOptions(Push push, const float* __restrict price, float* __restrict value) {
  constexpr uint32_t kSide = 16;
  const uint32_t n = push[0];
  const float up = push.real(1), chance = push.real(2);
  for (uint32_t first = 0; first < 2048; first += kSide) {
    float values[65][kSide];
    for (uint32_t k = 0; k < kSide; ++k) {
      float end = price[first + k] * std::exp(-static_cast<float>(n) * std::log(up));
      for (auto& row : values) {
        row[k] = std::max(end - 15.0f, 0.0f);
        end *= up * up;
      }
    }
    for (uint32_t left = n; left > 0; --left)
      for (uint32_t j = 0; j < left; ++j)
        for (uint32_t k = 0; k < kSide; ++k)
          values[j][k] = 0.999f * (chance * values[j + 1][k] + (1 - chance) * values[j][k]);
    std::copy_n(values[0], kSide, value + first);
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<mandelbrot>("mandelbrot"),
    kernelRow<julia>("julia"),
    kernelRow<valueNoise>("value_noise"),
    kernelRow<raySpheres>("ray_spheres"),
    kernelRow<sphereTrace>("sphere_trace"),
    kernelRow<collatz>("collatz"),
    kernelRow<monteCarloPi>("monte_carlo_pi"),
    kernelRow<blackScholes>("black_scholes"),
    kernelRow<binomialOptions>("binomial_options"),
};

}  // namespace

std::span<const KernelRow> generatedKernels() { return kRows; }

}  // namespace bench
