#include "runtime/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "runtime/host.h"
#include "runtime/pages.h"

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
    EXPECT_EQ(addressOf(*allocation) % kPageBytes, 0u);
    if (bytes >= 2 << 20) {
      EXPECT_EQ(addressOf(*allocation) % (2 << 20), 0u);
    }
    std::byte* begin = allocation->address();
    EXPECT_TRUE(std::all_of(begin, begin + bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::fill_n(begin, bytes, std::byte{0xff});
  }
  EXPECT_EQ(heap->usedBytes(), 0u);
}

// What a shader stores past the end of a small buffer, up to the end of its page, hits nobody.
TEST(Heap, AllocationsHaveTheirLastPageToThemselves) {
  auto heap = Heap::create(1 << 20);
  std::vector<Allocation> allocations;
  for (uint64_t bytes : {1, 64, 512, 512, 4000, 5000}) {
    allocations.push_back(std::move(*heap->allocate(bytes)));
  }
  for (Allocation& allocation : allocations) {
    size_t whole = roundToPages(allocation.bytes());
    std::byte* begin = allocation.address();
    for (Allocation& other : allocations) {
      bool apart = other.address() + other.bytes() <= begin || other.address() >= begin + whole;
      EXPECT_TRUE(apart || &other == &allocation);
    }
    std::fill_n(begin, whole, std::byte{0xff});
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
