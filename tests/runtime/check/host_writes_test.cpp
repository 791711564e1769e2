// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/host_writes.h"

#include <gtest/gtest.h>

namespace rt {
namespace {

TEST(HostWrites, AreFoundToTheByte) {
  HostWrites writes;
  EXPECT_FALSE(writes.find(0, 1000));
  writes.set({{100, 104}, {200, 201}});
  EXPECT_EQ(writes.count, 2u);
  EXPECT_FALSE(writes.find(96, 4));
  EXPECT_EQ(writes.find(96, 5), 100u);
  EXPECT_EQ(writes.find(102, 8), 102u);
  EXPECT_EQ(writes.find(103, 1), 103u);
  EXPECT_FALSE(writes.find(104, 96));
  EXPECT_EQ(writes.find(104, 97), 200u);
  EXPECT_FALSE(writes.find(201, 1000));
  writes.set({});
  EXPECT_EQ(writes.count, 0u);
  EXPECT_FALSE(writes.find(100, 4));
}

}  // namespace
}  // namespace rt
