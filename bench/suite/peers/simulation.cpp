// SPDX-License-Identifier: Apache-2.0

// Stencils, particles, graphs.
#include <algorithm>
#include <array>
#include <cmath>

#include "bench/suite/rows.h"

namespace bench {
namespace {

void heat2d(Push push, const float* __restrict before, float* __restrict after) {
  const size_t n = push[0];
  const float rate = push.real(1);
  std::copy_n(before, n, after);
  for (size_t y = 1; y < n - 1; ++y) {
    const float* row = before + y * n;
    after[y * n] = row[0];
    for (size_t x = 1; x < n - 1; ++x)
      after[y * n + x] =
          row[x] + rate * (row[x - n] + row[x + n] + row[x - 1] + row[x + 1] - 4 * row[x]);
    after[y * n + n - 1] = row[n - 1];
  }
  std::copy_n(before + (n - 1) * n, n, after + (n - 1) * n);
}

void stencil3d(Push push, const float* __restrict before, float* __restrict after) {
  const size_t n = push[0];
  const float center = push.real(1), side = push.real(2);
  for (size_t z = 1; z < n - 1; ++z)
    for (size_t y = 1; y < n - 1; ++y)
      for (size_t x = 1; x < n - 1; ++x) {
        const float* here = before + (z * n + y) * n + x;
        after[(z * n + y) * n + x] =
            center * here[0] +
            side * (here[-1] + here[1] + *(here - n) + here[n] + *(here - n * n) + here[n * n]);
      }
}

void gameOfLife(Push push, const uint8_t* __restrict before, uint8_t* __restrict after) {
  const size_t n = push[0];
  for (size_t y = 0; y < n; ++y) {
    const uint8_t* above = before + ((y - 1) & (n - 1)) * n;
    const uint8_t* here = before + y * n;
    const uint8_t* below = before + ((y + 1) & (n - 1)) * n;
    const auto next = [&](size_t left, size_t x, size_t right) {
      const uint8_t alive =
          static_cast<uint8_t>(above[left] + above[x] + above[right] + here[left] + here[right] +
                               below[left] + below[x] + below[right]);
      return static_cast<uint8_t>((alive == 3) | ((alive == 2) & here[x]));
    };
    after[y * n] = next(n - 1, 0, 1);
    for (size_t x = 1; x < n - 1; ++x) after[y * n + x] = next(x - 1, x, x + 1);
    after[y * n + n - 1] = next(n - 2, n - 1, 0);
  }
}

void nbody(Push push, const float* __restrict bodies, float* __restrict accelerations) {
  const size_t n = push[0];
  for (size_t me = 0; me < n; ++me) {
    float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
    for (size_t i = 0; i < n; ++i) {
      const float dx = bodies[4 * i] - bodies[4 * me], dy = bodies[4 * i + 1] - bodies[4 * me + 1];
      const float dz = bodies[4 * i + 2] - bodies[4 * me + 2];
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = bodies[4 * i + 3] * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    accelerations[4 * me] = x;
    accelerations[4 * me + 1] = y;
    accelerations[4 * me + 2] = z;
    accelerations[4 * me + 3] = 0;
  }
}

void particles(Push push, float* __restrict x, float* __restrict y, float* __restrict vx,
               float* __restrict vy) {
  const float dt = push.real(1);
  for (size_t i = 0; i < push[0]; ++i) {
    const float px = x[i] + vx[i] * dt, py = y[i] + vy[i] * dt;
    x[i] = px < 0 ? -px : px > 1 ? 2 - px : px;
    y[i] = py < 0 ? -py : py > 1 ? 2 - py : py;
    vx[i] = ((px < 0) | (px > 1)) ? -vx[i] : vx[i];
    vy[i] = ((py < 0) | (py > 1)) ? -vy[i] : vy[i];
  }
}

// Many points side by side, as their coordinates lie.
void kmeansAssign(Push push, const float* __restrict points, const float* __restrict centers,
                  uint32_t* __restrict nearest) {
  constexpr size_t kSide = 64;
  const size_t n = push[0];
  for (size_t first = 0; first < n; first += kSide) {
    std::array<float, kSide> best;
    std::array<uint32_t, kSide> place = {};
    best.fill(1e30f);
    for (uint32_t c = 0; c < 16; ++c) {
      std::array<float, kSide> distance = {};
      for (size_t d = 0; d < 8; ++d)
        for (size_t k = 0; k < kSide; ++k) {
          const float off = points[d * n + first + k] - centers[c * 8 + d];
          distance[k] += off * off;
        }
      for (size_t k = 0; k < kSide; ++k) {
        place[k] = distance[k] < best[k] ? c : place[k];
        best[k] = std::min(best[k], distance[k]);
      }
    }
    std::ranges::copy(place, nearest + first);
  }
}

void bfsStep(Push push, const uint32_t* starts, const uint32_t* neighbours,
             const uint32_t* frontier, uint32_t* levels) {
  for (size_t vertex = 0; vertex < push[0]; ++vertex) {
    if (frontier[vertex] != 0) continue;
    for (size_t e = starts[vertex]; e < starts[vertex + 1]; ++e)
      if (levels[neighbours[e]] > push[1]) levels[neighbours[e]] = push[1];
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<heat2d>("heat_2d"),          kernelRow<stencil3d>("stencil_3d"),
    kernelRow<gameOfLife>("game_of_life"), kernelRow<nbody>("nbody"),
    kernelRow<particles>("particles"),     kernelRow<kmeansAssign>("kmeans_assign"),
    kernelRow<bfsStep>("bfs_step"),
};

}  // namespace

std::span<const KernelRow> simulationKernels() { return kRows; }

}  // namespace bench
