// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/plane_product.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rt {
namespace {

constexpr uint64_t kPanelColumns = 16;  // of a micro-panel
constexpr uint64_t kPairBytes = 4;      // two bf16
constexpr uint64_t kMicroPanelBytes = kPanelColumns * kPairBytes;

struct Line {
  float column[kPanelColumns];
};

uint32_t groupAt(const std::byte* memory) {
  uint32_t group;
  std::memcpy(&group, memory, sizeof group);
  return group;
}

// The numbers of a K group, which are bf16.
float first(uint32_t group) { return std::bit_cast<float>(group << 16); }
float second(uint32_t group) { return std::bit_cast<float>(group & 0xffff0000); }

float join(float upper, float lower) {
  const bool is_finite = (std::bit_cast<uint32_t>(upper) & 0x7f800000) != 0x7f800000;
  return is_finite ? upper + lower : upper;
}

void addGroup(const PlaneProduct& product, const std::byte* a, const std::byte* b, std::byte* to,
              uint64_t to_stride) {
  Line even, odd;  // of k
  for (uint64_t n = 0; n < kPanelColumns; ++n) {
    const uint32_t upper = groupAt(b + n * kPairBytes);
    const uint32_t lower = groupAt(b + product.b_plane + n * kPairBytes);
    even.column[n] = join(first(upper), first(lower));
    odd.column[n] = join(second(upper), second(lower));
  }
  for (uint64_t row = 0; row < product.rows; ++row) {
    const std::byte* line = a + row * product.a_stride;
    const uint32_t upper = groupAt(line), lower = groupAt(line + product.a_plane);
    const float left = join(first(upper), first(lower));
    const float right = join(second(upper), second(lower));
    Line sum;
    std::memcpy(&sum, to + row * to_stride, sizeof sum);
    for (uint64_t n = 0; n < kPanelColumns; ++n) {
      sum.column[n] += left * even.column[n];
      sum.column[n] += right * odd.column[n];
    }
    std::memcpy(to + row * to_stride, &sum, sizeof sum);
  }
}

void roundToHalves(uint64_t rows, std::byte* sums, uint64_t stride) {
  for (uint64_t row = 0; row < rows; ++row) {
    Line line;
    std::memcpy(&line, sums + row * stride, sizeof line);
    for (float& sum : line.column) sum = float(_Float16(sum));
    std::memcpy(sums + row * stride, &line, sizeof line);
  }
}

}  // namespace

void multiplyPlanes(const PlaneProduct* product, const std::byte* a, const std::byte* b,
                    uint64_t groups, const std::byte* c, uint64_t c_stride, std::byte* to,
                    uint64_t to_stride) {
  const uint64_t row_bytes = product->micro_panels * kMicroPanelBytes;
  for (uint64_t row = 0; row < product->rows; ++row) {
    std::byte* sums = to + row * to_stride;
    if (c == nullptr) {
      std::memset(sums, 0, row_bytes);
    } else if (c + row * c_stride != sums) {
      std::memcpy(sums, c + row * c_stride, row_bytes);
    }
  }
  for (uint64_t start = 0; start < product->micro_panels; start += product->together) {
    const uint64_t width = std::min(product->together, product->micro_panels - start);
    const std::byte* block = b + start * product->groups * kMicroPanelBytes;
    for (uint64_t group = 0; group < groups; ++group) {
      for (uint64_t i = 0; i < width; ++i) {
        std::byte* sums = to + (start + i) * kMicroPanelBytes;
        addGroup(*product, a + group * kPairBytes, block + (group * width + i) * kMicroPanelBytes,
                 sums, to_stride);
        if (product->rounded != 0 && (group + 1) % product->rounded == 0)
          roundToHalves(product->rows, sums, to_stride);
      }
    }
  }
}

}  // namespace rt
