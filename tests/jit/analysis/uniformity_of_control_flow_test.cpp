// SPDX-License-Identifier: Apache-2.0

// Levels of values that control flow puts together.
#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

// An if on `condition` with a phi of two constants, and one of equal operands, at its merge.
Analysis phiAfterIf(const std::string& condition) {
  return Analysis(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %)" +
                  condition + R"( %then %merge
      %then = OpLabel
      OpBranch %merge
      %merge = OpLabel
      %phi = OpPhi %uint %u1 %entry %u2 %then
      %same = OpPhi %uint %group %entry %group %then
      OpReturn)");
}

TEST(Uniformity, PhisAtMergesVaryWithTheBranch) {
  EXPECT_EQ(phiAfterIf("group_less").of("phi"), kWorkgroup);
  EXPECT_EQ(phiAfterIf("sub_less").of("phi"), kSubgroup);
  EXPECT_EQ(phiAfterIf("lane_less").of("phi"), kVarying);
  EXPECT_EQ(phiAfterIf("lane_less").of("same"), kWorkgroup);
}

TEST(Uniformity, BranchesVary) {
  EXPECT_FALSE(phiAfterIf("group_less")->branchVaries(0));
  EXPECT_FALSE(phiAfterIf("sub_less")->branchVaries(0));
  EXPECT_TRUE(phiAfterIf("lane_less")->branchVaries(0));
}

TEST(Uniformity, BranchToOnePlaceDoesNotVary) {
  Analysis a(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %lane_less %merge %merge
      %merge = OpLabel
      OpReturn)");
  EXPECT_FALSE(a->branchVaries(0));
}

// A loop that runs while %i is less than `bound`.
Analysis loopTo(const std::string& bound) {
  return Analysis(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %)" +
                  bound + R"(
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %twice = OpIAdd %uint %i %i
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      %used = OpIAdd %uint %i %u1
      OpReturn)");
}

TEST(Uniformity, ValuesLeaveLoopsAsUniformlyAsInvocationsDo) {
  Analysis uniform = loopTo("group");
  EXPECT_EQ(uniform.of("twice"), kWorkgroup);
  EXPECT_EQ(uniform.of("used"), kWorkgroup);
  EXPECT_FALSE(uniform->escapesLoop(uniform.id("i")));

  Analysis subgroup = loopTo("sub");
  EXPECT_EQ(subgroup.of("twice"), kWorkgroup);
  EXPECT_EQ(subgroup.of("used"), kSubgroup);
  EXPECT_FALSE(subgroup->escapesLoop(subgroup.id("i")));

  Analysis varying = loopTo("lane");
  EXPECT_EQ(varying.of("twice"), kWorkgroup);
  EXPECT_EQ(varying.at("i", "body"), kWorkgroup);
  EXPECT_EQ(varying.at("i", "after"), kVarying);
  EXPECT_EQ(varying.of("used"), kVarying);
  EXPECT_TRUE(varying->escapesLoop(varying.id("i")));
  EXPECT_FALSE(varying->escapesLoop(varying.id("twice")));
  EXPECT_TRUE(varying.flow().nodes()[varying.node("header")].dynamic_header);
}

TEST(Uniformity, UniformValuesOnDivergentPathsStayUniform) {
  Analysis a(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %lane_less %then %merge
      %then = OpLabel
      %inside = OpIAdd %uint %group %u1
      OpBranch %merge
      %merge = OpLabel
      OpReturn)");
  EXPECT_EQ(a.of("inside"), kWorkgroup);
}

// `for (i = 0; i < n; ) if (fast) i += 3; else { if (lane) break; i += 1; }`: those who are still
// in the loop came the same way, though others left on one of the two.
TEST(Uniformity, CountersOfALoopThatSomeLeaveOnOneOfItsPaths) {
  auto code = [](const std::string& fast) {
    return R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %next_i %next
      %less = OpULessThan %bool %i %group
      OpLoopMerge %after %next None
      OpBranchConditional %less %body %after
      %body = OpLabel
      OpSelectionMerge %join None
      OpBranchConditional )" +
           fast + R"( %quick %slow
      %quick = OpLabel
      %quick_i = OpIAdd %uint %i %u3
      OpBranch %join
      %slow = OpLabel
      OpSelectionMerge %rest None
      OpBranchConditional %lane_less %stop %rest
      %stop = OpLabel
      OpBranch %after
      %rest = OpLabel
      %slow_i = OpIAdd %uint %i %u1
      OpBranch %join
      %join = OpLabel
      %next_i = OpPhi %uint %quick_i %quick %slow_i %rest
      OpBranch %next
      %next = OpLabel
      OpBranch %header
      %after = OpLabel
      %out = OpPhi %uint %i %header %u2 %stop
      OpReturn)";
  };
  Analysis a(code("%group_less"));
  EXPECT_EQ(a.of("i"), kWorkgroup);
  EXPECT_EQ(a.of("next_i"), kWorkgroup);
  EXPECT_EQ(a.at("i", "after"), kVarying);
  EXPECT_EQ(a.of("out"), kVarying);
  Analysis wide(code("%sub_less"), kWideStream);
  EXPECT_EQ(wide.of("i"), kVarying);
  Analysis subgroups(code("%sub_less"));
  EXPECT_EQ(subgroups.of("i"), kSubgroup);
  EXPECT_EQ(subgroups.of("next_i"), kSubgroup);
  Analysis divergent(code("%lane_less"));
  EXPECT_EQ(divergent.of("i"), kVarying);
  EXPECT_EQ(divergent.of("next_i"), kVarying);
}

}  // namespace
}  // namespace jit::simt
