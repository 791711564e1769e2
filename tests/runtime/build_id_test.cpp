// SPDX-License-Identifier: Apache-2.0

#include "runtime/build_id.h"

#include <gtest/gtest.h>

namespace rt {
namespace {

TEST(BuildId, IsTheLinkersHash) {
  EXPECT_EQ(buildId().size(), 20u);  // SHA-1, as the build asks for
  EXPECT_EQ(buildId().data(), buildId().data());
}

}  // namespace
}  // namespace rt
