// SPDX-License-Identifier: Apache-2.0

// Which memory is undefined, and what becomes of it.
#include "runtime/check/shadow_memory.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/pages.h"

namespace rt {
namespace {

constexpr uint64_t kBytes = 2 * kPageBytes;

class ShadowMemoryTest : public testing::Test {
 protected:
  ShadowMemoryTest() : pages_(allocatePages(kBytes)) {}
  ~ShadowMemoryTest() override { freePages(pages_, kBytes); }

  uint64_t begin() const { return reinterpret_cast<uintptr_t>(pages_); }
  // As a kernel does it.
  void storeShadow(uint64_t offset, uint8_t bits) const {
    std::memset(reinterpret_cast<void*>(begin() + offset - kShadowDistance), bits, 1);
  }

  std::byte* const pages_;
  ShadowMemory shadow_;
};

TEST_F(ShadowMemoryTest, NewMemoryIsUndefined) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, false));
  EXPECT_TRUE(shadow_.isUndefined(begin()));
  shadow_.settle();
  EXPECT_TRUE(shadow_.isUndefined(begin()));
  EXPECT_TRUE(shadow_.isUndefined(begin() + kBytes - 1));
  EXPECT_FALSE(shadow_.isUndefined(begin() + kBytes));
}

TEST_F(ShadowMemoryTest, MemoryOfOthersIsDefined) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, true));
  shadow_.settle();
  EXPECT_FALSE(shadow_.isUndefined(begin()));
}

TEST_F(ShadowMemoryTest, WhatIsMappedIsDefined) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, false));
  shadow_.define(begin(), kBytes);
  shadow_.settle();
  EXPECT_FALSE(shadow_.isUndefined(begin()));
}

TEST_F(ShadowMemoryTest, WritesAreDefinedToTheByte) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, false));
  shadow_.define(begin() + 4, 3);
  EXPECT_TRUE(shadow_.isUndefined(begin() + 3));
  EXPECT_FALSE(shadow_.isUndefined(begin() + 4));
  EXPECT_FALSE(shadow_.isUndefined(begin() + 6));
  EXPECT_TRUE(shadow_.isUndefined(begin() + 7));
}

TEST_F(ShadowMemoryTest, CopiesCopy) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, false));
  shadow_.define(begin(), 8);
  shadow_.copy(begin() + 100, begin() + 4, 8);
  EXPECT_FALSE(shadow_.isUndefined(begin() + 103));
  EXPECT_TRUE(shadow_.isUndefined(begin() + 104));
  // From what is nobody's, which somebody has written.
  shadow_.copy(begin() + 200, begin() + kBytes + 64, 8);
  EXPECT_FALSE(shadow_.isUndefined(begin() + 200));
}

TEST_F(ShadowMemoryTest, KernelsStoreBesideTheMemory) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, true));
  shadow_.settle();
  storeShadow(17, 0x80);
  EXPECT_TRUE(shadow_.isUndefined(begin() + 17));
  shadow_.settle();
  EXPECT_TRUE(shadow_.isUndefined(begin() + 17));
}

TEST_F(ShadowMemoryTest, MemoryWithTwoNamesKeepsItsShadow) {
  ASSERT_TRUE(shadow_.add(begin(), kBytes, true));
  ASSERT_TRUE(shadow_.add(begin() + kPageBytes, kPageBytes, true));
  shadow_.remove(begin(), kBytes);
  storeShadow(kPageBytes, 1);
  EXPECT_TRUE(shadow_.isUndefined(begin() + kPageBytes));
  EXPECT_FALSE(shadow_.isUndefined(begin()));
  shadow_.remove(begin() + kPageBytes, kPageBytes);
  ASSERT_TRUE(shadow_.add(begin(), kBytes, true));
  EXPECT_FALSE(shadow_.isUndefined(begin() + kPageBytes));
}

TEST_F(ShadowMemoryTest, ThereMayBeNoRoom) {
  // The shadow would lie where something is already.
  ShadowMemory other;
  ASSERT_TRUE(other.add(begin(), kBytes, true));
  EXPECT_FALSE(shadow_.add(begin(), kBytes, true));
  EXPECT_FALSE(shadow_.isUndefined(begin()));
}

}  // namespace
}  // namespace rt
