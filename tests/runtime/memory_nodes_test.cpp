// SPDX-License-Identifier: Apache-2.0

#include "runtime/memory_nodes.h"

#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/pages.h"

namespace rt {
namespace {

class MemoryNodesTest : public testing::Test {
 protected:
  static constexpr size_t kBytes = 2 * kHugePageBytes;

  void SetUp() override {
    if (nodes_.count() == 0) GTEST_SKIP() << "the system does not tell its memory nodes";
    ASSERT_NE(memory_, nullptr);
  }
  void TearDown() override { freePages(memory_, kBytes); }

  int policy() const {
    int policy = -1;
    syscall(SYS_get_mempolicy, &policy, nullptr, 0, memory_, MPOL_F_ADDR);
    return policy;
  }

  const MemoryNodes nodes_ = MemoryNodes::allowed();
  std::byte* const memory_ = allocatePages(kBytes);
};

TEST_F(MemoryNodesTest, PagesComeFromAllInTurn) {
  EXPECT_EQ(policy(), MPOL_DEFAULT);
  nodes_.interleave(memory_, kBytes);
  if (policy() == MPOL_DEFAULT) GTEST_SKIP() << "the system refuses policies for memory";
  EXPECT_EQ(policy(), MPOL_INTERLEAVE);
  memory_[kHugePageBytes] = std::byte{1};
  EXPECT_EQ(memory_[0], std::byte{0});
}

TEST_F(MemoryNodesTest, OnlyWhereThereAreSeveral) {
  spreadOverNodes(memory_, kBytes);
  if (nodes_.count() == 1) {
    EXPECT_EQ(policy(), MPOL_DEFAULT);
  }
}

}  // namespace
}  // namespace rt
