// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/memory_map.h"

#include <gtest/gtest.h>

namespace rt {
namespace {

constexpr uint64_t kBase = 0x10'0000;

class MemoryMapTest : public testing::Test {
 protected:
  void addAllocation(uint64_t object, uint64_t offset, uint64_t bytes) {
    map.addAllocation(rangeOf(object, offset, bytes));
  }
  void addBuffer(uint64_t object, uint64_t offset, uint64_t bytes) {
    map.addBuffer(rangeOf(object, offset, bytes));
  }
  // The object of what is found; 0: nothing is.
  uint64_t buffer(uint64_t offset, uint64_t bytes) const {
    return objectOf(map.bufferAt(kBase + offset, bytes));
  }
  uint64_t allocation(uint64_t offset, uint64_t bytes) const {
    return objectOf(map.allocationAt(kBase + offset, bytes));
  }
  std::string near(uint64_t offset) const { return map.describeNeighbourhood(kBase + offset); }

  MemoryMap map;

 private:
  static MemoryMap::Range rangeOf(uint64_t object, uint64_t offset, uint64_t bytes) {
    return {.object = object, .begin = kBase + offset, .end = kBase + offset + bytes};
  }
  static uint64_t objectOf(const std::optional<MemoryMap::Range>& range) {
    return range ? range->object : 0;
  }
};

TEST_F(MemoryMapTest, ABufferHoldsAllOfTheBytes) {
  addBuffer(1, 100, 50);
  EXPECT_EQ(buffer(100, 50), 1u);
  EXPECT_EQ(buffer(149, 1), 1u);
  EXPECT_EQ(buffer(99, 1), 0u);
  EXPECT_EQ(buffer(99, 10), 0u);
  EXPECT_EQ(buffer(149, 2), 0u);
  EXPECT_EQ(buffer(150, 1), 0u);
  EXPECT_EQ(buffer(100, ~uint64_t{0}), 0u);
  EXPECT_FALSE(map.bufferAt(~uint64_t{0}, 1));
  EXPECT_FALSE(map.bufferAt(0, 1));
}

TEST_F(MemoryMapTest, TheSmallestBufferWins) {
  addBuffer(1, 0, 1000);
  addBuffer(2, 0, 100);
  addBuffer(3, 40, 20);
  EXPECT_EQ(buffer(0, 4), 2u);
  EXPECT_EQ(buffer(40, 20), 3u);
  EXPECT_EQ(buffer(40, 21), 2u);
  EXPECT_EQ(buffer(60, 4), 2u);
  EXPECT_EQ(buffer(60, 400), 1u);
  // The last to begin before it is not the one that reaches it.
  EXPECT_EQ(buffer(999, 1), 1u);
  map.remove(3);
  EXPECT_EQ(buffer(40, 20), 2u);
  map.remove(2);
  EXPECT_EQ(buffer(0, 4), 1u);
}

TEST_F(MemoryMapTest, BuffersMayOverlap) {
  addBuffer(1, 0, 100);
  addBuffer(2, 50, 100);
  EXPECT_EQ(buffer(40, 20), 1u);
  EXPECT_EQ(buffer(90, 20), 2u);
  EXPECT_EQ(buffer(40, 80), 0u);  // in neither wholly
}

TEST_F(MemoryMapTest, EqualBuffersGoOneByOne) {
  addBuffer(1, 0, 100);
  addBuffer(2, 0, 100);
  map.remove(1);
  EXPECT_EQ(buffer(0, 100), 2u);
  map.remove(2);
  EXPECT_EQ(buffer(0, 100), 0u);
}

TEST_F(MemoryMapTest, AnAllocationTakesItsBuffersWithIt) {
  addAllocation(1, 0, 0x1000);
  addAllocation(2, 0x1000, 0x1000);  // right behind it
  addBuffer(11, 0, 0x800);
  addBuffer(12, 0x800, 0x800);
  addBuffer(21, 0x1000, 0x800);
  map.remove(1);
  EXPECT_EQ(allocation(0, 1), 0u);
  EXPECT_EQ(allocation(0x1000, 0x1000), 2u);
  EXPECT_EQ(buffer(0, 1), 0u);
  EXPECT_EQ(buffer(0xfff, 1), 0u);
  EXPECT_EQ(buffer(0x1000, 0x800), 21u);
  map.remove(11);  // as its handle is destroyed later
  EXPECT_EQ(buffer(0x1000, 0x800), 21u);
}

// Of host memory that was imported twice one import may go.
TEST_F(MemoryMapTest, BuffersOfASharedPlaceStayWhileItIsThere) {
  addAllocation(1, 0, 0x1000);
  addAllocation(2, 0, 0x1000);
  addBuffer(11, 0, 0x100);
  map.remove(2);
  EXPECT_EQ(allocation(0, 0x1000), 1u);
  EXPECT_EQ(buffer(0, 0x100), 11u);
  map.remove(1);
  EXPECT_EQ(buffer(0, 0x100), 0u);
}

TEST_F(MemoryMapTest, WhatWasNeverAddedIsNotRemoved) {
  addBuffer(1, 0, 100);
  map.remove(7);
  EXPECT_EQ(buffer(0, 100), 1u);
}

TEST_F(MemoryMapTest, ObjectsHaveNamesOrNumbers) {
  addBuffer(0x2a, 0, 100);
  EXPECT_EQ(map.describe("buffer", 0x2a), "buffer 0x2a");
  map.rename(0x2a, "weights");
  EXPECT_EQ(map.describe("buffer", 0x2a), "buffer 'weights'");
  map.rename(0x2a, "bias");
  EXPECT_EQ(map.describe("buffer", 0x2a), "buffer 'bias'");
  map.rename(0x2a, "");
  EXPECT_EQ(map.describe("buffer", 0x2a), "buffer 0x2a");
  map.rename(0x2a, "weights");
  map.remove(0x2a);
  addBuffer(0x2a, 0, 100);  // a handle that is used again
  EXPECT_EQ(map.describe("buffer", 0x2a), "buffer 0x2a");
}

TEST_F(MemoryMapTest, TheNeighbourhoodOfAnAddress) {
  addAllocation(1, 0, 0x10000);
  addBuffer(2, 0x4000, 0x100);
  map.rename(2, "weights");
  EXPECT_EQ(near(0x4100), "0 bytes past the end of buffer 'weights' of 256 bytes");
  EXPECT_EQ(near(0x4108), "8 bytes past the end of buffer 'weights' of 256 bytes");
  EXPECT_EQ(near(0x3ff0), "16 bytes before buffer 'weights'");
  EXPECT_EQ(near(0xf000), "no buffer is near it");
  EXPECT_EQ(map.describeNeighbourhood(0), "a null address, or one counted from it");
  EXPECT_EQ(map.describeNeighbourhood(4095), "a null address, or one counted from it");
  EXPECT_EQ(map.describeNeighbourhood(~uint64_t{0}), "no buffer is near it");
}

TEST_F(MemoryMapTest, TheNeighbourIsTheBufferThatEndsNearest) {
  addBuffer(2, 0, 1000);
  addBuffer(3, 100, 50);  // inside of it
  EXPECT_EQ(near(1004), "4 bytes past the end of buffer 0x2 of 1000 bytes");
}

TEST_F(MemoryMapTest, BuffersThatAreGoneAreRemembered) {
  addAllocation(1, 0, 0x10000);
  addBuffer(2, 0, 0x100);
  addBuffer(3, 0x4000, 0x100);
  map.rename(2, "weights");
  map.rename(3, "bias");
  map.remove(2);
  EXPECT_EQ(near(0x10),
            "that was 16 bytes into buffer 'weights', which has been destroyed or has lost its "
            "memory");
  map.remove(1);
  EXPECT_EQ(near(0x4020),
            "that was 32 bytes into buffer 'bias', which has been destroyed or has lost its "
            "memory");
}

// The last to be there is named; what has gone long ago is forgotten.
TEST_F(MemoryMapTest, NotEveryBufferIsRememberedForEver) {
  addBuffer(1, 0, 0x100);
  map.remove(1);
  addBuffer(2, 0, 0x80);
  map.remove(2);
  EXPECT_NE(near(0).find("buffer 0x2,"), std::string::npos) << near(0);
  for (uint64_t i = 0; i < 1000; ++i) {
    addBuffer(100 + i, 0x100000 + i * 0x100, 0x100);
    map.remove(100 + i);
  }
  EXPECT_EQ(near(0), "no buffer is near it");
}

}  // namespace
}  // namespace rt
