// SPDX-License-Identifier: Apache-2.0

// Levels of what variables hold, from SPIR-V.
#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

constexpr char kVariable[] = "%v = OpVariable %local_uint Function %u4\n";

TEST(Uniformity, VariablesHoldWhatIsStored) {
  auto level = [](const std::string& value) {
    return Analysis("OpStore %v %" + value + "\nOpReturn", kFourSubgroups, kVariable).variable("v");
  };
  EXPECT_EQ(level("group"), kWorkgroup);
  EXPECT_EQ(level("sub"), kSubgroup);
  EXPECT_EQ(level("lane"), kVarying);
}

// A store of a uniform value under `condition`; `behind` is what follows at the merge.
Analysis storeUnder(const std::string& condition, const std::string& behind = "") {
  return Analysis(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %)" +
                      condition + R"( %then %merge
      %then = OpLabel
      OpStore %v %group
      %inside = OpLoad %uint %v
      OpBranch %merge
      %merge = OpLabel
      )" + behind + R"(
      OpReturn)",
                  kFourSubgroups, kVariable);
}

TEST(Uniformity, StoresUnderOneMaskAreSharedByThoseWhoWereThere) {
  Analysis a = storeUnder("lane_less");
  EXPECT_EQ(a.variable("v"), kWorkgroup);
  EXPECT_EQ(a.of("inside"), kWorkgroup);
}

TEST(Uniformity, StoresUnderOneMaskAreNotSharedByOthers) {
  const std::string load = "%behind = OpLoad %uint %v\n";
  EXPECT_EQ(storeUnder("lane_less", load).of("behind"), kVarying);
  EXPECT_EQ(storeUnder("sub_less", load).of("behind"), kSubgroup);
  EXPECT_EQ(storeUnder("group_less", load).of("behind"), kWorkgroup);
}

TEST(Uniformity, StoresUnderSeveralMasksVary) {
  EXPECT_EQ(storeUnder("lane_less", "OpStore %v %u1\n").variable("v"), kVarying);
  EXPECT_EQ(storeUnder("sub_less", "OpStore %v %u1\n").variable("v"), kSubgroup);
  EXPECT_EQ(storeUnder("group_less", "OpStore %v %u1\n").variable("v"), kWorkgroup);
}

// In a uniform loop, with others under the mask each time around.
Analysis storeInLoop(const std::string& first, const std::string& second) {
  return Analysis(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %u4
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %mine = OpUGreaterThan %bool %lane %i
      OpSelectionMerge %rest None
      OpBranchConditional %mine %then %rest
      %then = OpLabel
      )" + first + "\n" +
                      second + R"(
      OpBranch %rest
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      OpReturn)",
                  kFourSubgroups, kVariable);
}

TEST(Uniformity, WhatIsLeftFromTheTimeBeforeVaries) {
  EXPECT_EQ(storeInLoop("%loaded = OpLoad %uint %v", "OpStore %v %i").of("loaded"), kVarying);
  EXPECT_EQ(storeInLoop("OpStore %v %i", "%loaded = OpLoad %uint %v").of("loaded"), kWorkgroup);
}

TEST(Uniformity, PartOfAVariableDoesNotCoverTheRest) {
  Analysis a(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %u4
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %mine = OpUGreaterThan %bool %lane %i
      OpSelectionMerge %rest None
      OpBranchConditional %mine %then %rest
      %then = OpLabel
      %x = OpAccessChain %local_uint %pair %u0
      OpStore %x %i
      %loaded = OpLoad %uvec2 %pair
      OpBranch %rest
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      OpReturn)",
             kFourSubgroups, "%pair = OpVariable %local_uvec2 Function\n");
  EXPECT_EQ(a.of("loaded"), kVarying);
}

TEST(Uniformity, PlacesInVariablesMatter) {
  Analysis a(R"(
      %at = OpAccessChain %local_uint %pair %lane
      OpStore %at %u1
      %whole = OpLoad %uvec2 %pair
      OpReturn)",
             kFourSubgroups, "%pair = OpVariable %local_uvec2 Function\n");
  EXPECT_EQ(a.variable("pair"), kVarying);
  EXPECT_EQ(a.of("whole", 1), kVarying);
  EXPECT_EQ(a->root(a.id("at")), a.id("pair"));
  EXPECT_EQ(a->root(a.id("lane")), 0u);
}

}  // namespace
}  // namespace jit::simt
