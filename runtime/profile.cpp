// SPDX-License-Identifier: Apache-2.0

#include "runtime/profile.h"

namespace rt {

namespace {

// Numbers threads as they come.
size_t lineOfThread(size_t lines) {
  static std::atomic<size_t> threads = 0;
  thread_local const size_t number = threads.fetch_add(1, std::memory_order_relaxed);
  return number % lines;
}

}  // namespace

void ProductCounts::add(ProductKind kind, uint64_t multiply_adds) {
  lines_[lineOfThread(lines_.size())].counts[static_cast<size_t>(kind)].fetch_add(
      multiply_adds, std::memory_order_relaxed);
}

uint64_t ProductCounts::sum(ProductKind kind) const {
  uint64_t sum = 0;
  for (const Line& line : lines_)
    sum += line.counts[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  return sum;
}

}  // namespace rt
