// SPDX-License-Identifier: Apache-2.0

#include "runtime/copy.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace rt {

namespace {

// Bytes: what one thread does at a time, and what is worth waking others for.
constexpr uint64_t kPortion = uint64_t{512} << 10;
constexpr uint64_t kSmallestShared = uint64_t{2} << 20;

// Calls `body(offset, bytes)` for all portions of [0, bytes).
template <typename Body>
void forEachPortion(uint64_t bytes, WorkerPool& workers, Body body) {
  if (bytes == 0) return;  // the addresses may be null
  if (bytes < kSmallestShared) {
    body(0, bytes);
    return;
  }
  std::atomic<uint64_t> next = 0;
  workers.run([&](Worker& worker) {
    while (!worker.mustLeave()) {
      uint64_t offset = next.fetch_add(kPortion, std::memory_order_relaxed);
      if (offset >= bytes) return;
      body(offset, std::min(kPortion, bytes - offset));
    }
  });
}

}  // namespace

void copyBytes(std::byte* destination, const std::byte* source, uint64_t bytes,
               WorkerPool& workers) {
  forEachPortion(bytes, workers, [=](uint64_t offset, uint64_t count) {
    std::memmove(destination + offset, source + offset, count);
  });
}

void fillBytes(std::byte* destination, uint64_t bytes, uint32_t value, WorkerPool& workers) {
  const bool one_byte = value == (value & 0xff) * 0x01010101u;
  forEachPortion(bytes, workers, [=](uint64_t offset, uint64_t count) {
    if (one_byte) {
      std::memset(destination + offset, int(value & 0xff), count);
    } else {
      std::fill_n(reinterpret_cast<uint32_t*>(destination + offset), count / 4, value);
    }
  });
}

}  // namespace rt
