// SPDX-License-Identifier: Apache-2.0

#include "runtime/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "runtime/host.h"
#include "runtime/pages.h"
#include "tests/support/sanitizer.h"

namespace rt {
namespace {

uintptr_t addressOf(const Allocation& allocation) {
  return reinterpret_cast<uintptr_t>(allocation.address());
}

TEST(Heap, AllocatesZeroedAndAligned) {
  auto heap = Heap::create(64 << 20);
  for (uint64_t bytes : {1, 63, 64, 4095, 4096, 65535, 65536, 2 << 20, (5 << 20) + 7}) {
    auto allocation = heap->allocate(bytes);
    ASSERT_TRUE(allocation);
    EXPECT_EQ(allocation->bytes(), bytes);
    EXPECT_EQ(heap->usedBytes(), bytes);
    EXPECT_EQ(addressOf(*allocation) % kAllocationAlignment, 0u);
    if (bytes >= kPageBytes) {
      EXPECT_EQ(addressOf(*allocation) % kPageBytes, 0u);
    }
    if (bytes >= 2 << 20) {
      EXPECT_EQ(addressOf(*allocation) % (2 << 20), 0u);
    }
    std::byte* begin = allocation->address();
    EXPECT_TRUE(std::all_of(begin, begin + bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::fill_n(begin, bytes, std::byte{0xff});
  }
  EXPECT_EQ(heap->usedBytes(), 0u);
}

// What a shader stores a little past the end of a buffer hits nobody: up to the end of its page, or
// 64 bytes past one that is smaller.
TEST(Heap, AllocationsHaveRoomBehindThem) {
  auto heap = Heap::create(1 << 20);
  std::vector<Allocation> allocations;
  for (uint64_t bytes : {1, 64, 512, 512, 4000, 4000, 4095, 4095, 5000}) {
    allocations.push_back(std::move(*heap->allocate(bytes)));
  }
  for (Allocation& allocation : allocations) {
    size_t whole = allocation.bytes() < kPageBytes ? roundUp(allocation.bytes(), 64) + 64
                                                   : roundToPages(allocation.bytes());
    std::byte* begin = allocation.address();
    for (Allocation& other : allocations) {
      bool apart = other.address() + other.bytes() <= begin || other.address() >= begin + whole;
      EXPECT_TRUE(apart || &other == &allocation);
    }
    std::fill_n(begin, whole, std::byte{0xff});
  }
}

// In random order, also after others have been freed in their place.
TEST(Heap, SmallAllocationsAreZeroedAndApart) {
  auto heap = Heap::create(64 << 20);
  std::mt19937 random(1);
  std::vector<std::pair<Allocation, uint8_t>> kept;
  for (int i = 0; i < 20'000; ++i) {
    if (kept.size() > 500 || (!kept.empty() && random() % 3 == 0)) {
      std::swap(kept.back(), kept[random() % kept.size()]);
      const auto& [allocation, mark] = kept.back();
      for (uint64_t k = 0; k < allocation.bytes(); ++k)
        ASSERT_EQ(allocation.address()[k], std::byte{mark});
      kept.pop_back();
      continue;
    }
    auto allocation = heap->allocate(1 + random() % 5000);
    ASSERT_TRUE(allocation);
    std::byte* begin = allocation->address();
    const uint64_t bytes = allocation->bytes();
    ASSERT_TRUE(std::all_of(begin, begin + bytes, [](std::byte b) { return b == std::byte{0}; }));
    const auto mark = static_cast<uint8_t>(1 + random() % 255);
    std::fill_n(begin, bytes, std::byte{mark});
    kept.emplace_back(std::move(*allocation), mark);
  }
  kept.clear();
  EXPECT_EQ(heap->usedBytes(), 0u);
}

uint64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * kPageBytes;
}

// Beside the bytes that were asked for, which are touched when they are zeroed.
TEST(Heap, SmallAllocationsCostLittle) {
  if (TESSERA_ADDRESS_SANITIZER) GTEST_SKIP() << "the address sanitizer's own costs come on top";
  constexpr uint64_t kCount = 20'000;
  for (uint64_t bytes : {1, 64, 65, 1000, 2048, 4000, 4095}) {
    auto heap = Heap::create(1 << 30);
    std::vector<Allocation> allocations;
    allocations.reserve(kCount);
    const uint64_t before = residentBytes();
    for (uint64_t i = 0; i < kCount; ++i) allocations.push_back(std::move(*heap->allocate(bytes)));
    const uint64_t grown = residentBytes() - std::min(before, residentBytes());
    EXPECT_LE(grown / kCount, bytes + 200) << bytes;
    allocations.clear();
    const uint64_t left = residentBytes() - std::min(before, residentBytes());
    EXPECT_LE(left, 16u << 20) << bytes;
  }
}

TEST(Heap, AllocationsMove) {
  auto heap = Heap::create(1 << 20);
  auto first = heap->allocate(1000);
  Allocation moved = std::move(*first);
  first.reset();
  EXPECT_EQ(heap->usedBytes(), 1000u);
  moved = std::move(*heap->allocate(2000));
  EXPECT_EQ(heap->usedBytes(), 2000u);
}

TEST(Heap, RefusesMoreThanItsBudget) {
  auto heap = Heap::create(1 << 20);
  auto half = heap->allocate(1 << 19);
  ASSERT_TRUE(half);
  EXPECT_FALSE(heap->allocate((1 << 19) + 1));
  EXPECT_FALSE(heap->allocate(UINT64_MAX));
  EXPECT_LE(heap->freeBytes(), uint64_t{1} << 19);
  auto rest = heap->allocate(1 << 19);
  EXPECT_TRUE(rest);
  EXPECT_FALSE(heap->allocate(1));
  half.reset();
  EXPECT_TRUE(heap->allocate(1));
}

TEST(Heap, RefusesMoreThanTheSystemHas) {
  auto heap = Heap::create(UINT64_MAX);
  EXPECT_FALSE(heap->allocate(uint64_t{1} << 62));
  EXPECT_FALSE(heap->allocate(UINT64_MAX - 1));
  EXPECT_FALSE(heap->allocate(usableMemory() + 1));
  EXPECT_EQ(heap->usedBytes(), 0u);
}

TEST(Heap, LivesAsLongAsItsAllocations) {
  auto heap = Heap::create(1 << 20);
  auto allocation = heap->allocate(100);
  heap.reset();
  allocation.reset();
}

TEST(Heap, HeapsOfAProcessCountTogether) {
  auto small = Heap::ofProcess(1 << 20), large = Heap::ofProcess(8 << 20);
  const uint64_t before = small->usedBytes();
  {
    auto allocation = large->allocate(512 << 10);
    ASSERT_TRUE(allocation);
    EXPECT_EQ(small->usedBytes(), before + (512 << 10));
    EXPECT_FALSE(small->allocate(768 << 10));
    // Others may use more than all of a heap.
    auto more = large->allocate(4 << 20);
    ASSERT_TRUE(more);
    EXPECT_EQ(small->freeBytes(), 0u);
    EXPECT_FALSE(small->allocate(1));
  }
  EXPECT_EQ(large->usedBytes(), before);
  EXPECT_TRUE(small->allocate(768 << 10));
}

TEST(Heap, ThreadsShareTheBudget) {
  auto heap = Heap::create(10'000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        auto allocation = heap->allocate(3000);
        EXPECT_LE(heap->usedBytes(), 10'000u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(heap->usedBytes(), 0u);
}

TEST(Heap, DefaultLeavesSomethingToTheApplication) {
  EXPECT_GT(defaultHeapBytes(), usableMemory() / 2);
  EXPECT_LT(defaultHeapBytes(), usableMemory());
}

}  // namespace
}  // namespace rt
