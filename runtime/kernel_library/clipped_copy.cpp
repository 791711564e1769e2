// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/clipped_copy.h"

#include <algorithm>
#include <cstring>

namespace rt {
namespace {

// How many of the `count` components from `offset` on lie below the limit; the rest lies above it,
// as long as none wraps around.
uint64_t countBelow(uint64_t offset, uint64_t count, uint64_t bytes, uint64_t limit) {
  return offset < limit ? std::min(count, (limit - offset) / bytes) : 0;
}

bool isBelow(uint64_t offset, uint64_t bytes, uint64_t limit) {
  return countBelow(offset, 1, bytes, limit) == 1;
}

// Strides are a shader's, so that offsets may wrap around.
bool wraps(uint64_t offset, uint64_t bytes) { return offset + bytes < offset; }

template <typename Byte>
Byte* at(Byte* base, uint64_t offset) {
  return reinterpret_cast<Byte*>(reinterpret_cast<uintptr_t>(base) + offset);
}

}  // namespace

void gatherClipped(const std::byte* source, uint64_t stride, uint64_t limit, std::byte* target,
                   uint64_t lines, uint64_t length, uint64_t bytes) {
  for (uint64_t line = 0; line < lines; ++line, target += length * bytes) {
    const uint64_t start = line * stride;
    if (!wraps(start, length * bytes)) {
      const uint64_t copied = countBelow(start, length, bytes, limit) * bytes;
      std::memcpy(target, at(source, start), copied);
      std::memset(target + copied, 0, length * bytes - copied);
      continue;
    }
    std::memset(target, 0, length * bytes);
    for (uint64_t i = 0; i < length; ++i) {
      const uint64_t offset = start + i * bytes;
      if (isBelow(offset, bytes, limit)) std::memcpy(target + i * bytes, at(source, offset), bytes);
    }
  }
}

void scatterClipped(const std::byte* source, uint64_t source_stride, std::byte* target,
                    uint64_t stride, uint64_t limit, uint64_t rows, uint64_t columns,
                    uint64_t bytes, uint64_t to_columns) {
  for (uint64_t row = 0; row < rows; ++row, source += source_stride) {
    const uint64_t start = row * (to_columns ? bytes : stride);
    if (!to_columns && !wraps(start, columns * bytes)) {
      std::memcpy(at(target, start), source, countBelow(start, columns, bytes, limit) * bytes);
      continue;
    }
    for (uint64_t column = 0; column < columns; ++column) {
      const uint64_t offset = start + column * (to_columns ? stride : bytes);
      if (isBelow(offset, bytes, limit))
        std::memcpy(at(target, offset), source + column * bytes, bytes);
    }
  }
}

}  // namespace rt
