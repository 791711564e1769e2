// SPDX-License-Identifier: Apache-2.0

// Lane shapes of values, from SPIR-V: through phis and loops, where invocations part, and what
// bounds of counters follow from comparisons.
#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

constexpr uint16_t kAll = 31;  // the bits of a subgroup of 32

// for (i = FIRST; i + OFFSET < LIMIT; i += 128), as a loop of the form `while`, with the counter as
// a phi; `inside` is in its body.
std::string loop(const std::string& first, const std::string& condition,
                 const std::string& inside = "", const std::string& step = "%u128") {
  return R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint )" +
         first + R"( %entry %next %continue
      OpLoopMerge %after %continue None
      OpBranch %test
      %test = OpLabel
      )" +
         condition +
         R"(
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      )" +
         inside +
         R"(
      OpBranch %continue
      %continue = OpLabel
      %next = OpIAdd %uint %i )" +
         step + R"(
      OpBranch %header
      %after = OpLabel
      OpReturn)";
}

Analysis analysed(const std::string& code) {
  return Analysis("%index = OpLoad %uint %local_index\n" + code, kFourSubgroups, "",
                  "%u128 = OpConstant %uint 128\n%u2000 = OpConstant %uint 2000\n"
                  "%u2048 = OpConstant %uint 2048\n%u64 = OpConstant %uint 64\n");
}

TEST(Shapes, CountersOfLoopsKeepTheirs) {
  const Analysis a = analysed(loop("%index", "%goes_on = OpULessThan %bool %i %u2048",
                                   "%row = OpUDiv %uint %i %u64\n%column = OpUMod %uint %i %u64"));
  const LaneShape counter = a->shape(a.id("i"));
  EXPECT_EQ(counter.weights[4], 16u);
  EXPECT_EQ(counter.known, 5);
  EXPECT_TRUE(counter.isLinear());
  EXPECT_EQ(counter.most, 2048u - 1 + 128);
  EXPECT_EQ(a.of("row"), kSubgroup);
  EXPECT_EQ(a.of("goes_on"), kSubgroup);
  EXPECT_EQ(a->shape(a.id("column")).weights[4], 16u);
}

TEST(Shapes, ConditionsThatDivideASubgroupDoNot) {
  const Analysis a = analysed(loop("%index", "%goes_on = OpULessThan %bool %i %u2000"));
  EXPECT_EQ(a.of("goes_on"), kVarying);
  // The counter of those who are still in the loop is even so.
  EXPECT_TRUE(a->shape(a.id("i")).isLinear());
}

TEST(Shapes, BoundsComeFromSignedComparisonsToo) {
  for (const char* condition : {
           "%goes_on = OpSLessThan %bool %i %u2048",
           "%goes_on = OpSGreaterThan %bool %u2048 %i",
           "%no = OpSGreaterThanEqual %bool %i %u2048\n%goes_on = OpLogicalNot %bool %no",
           "%one = OpSLessThan %bool %i %u2048\n%goes_on = OpLogicalAnd %bool %one %true",
       }) {
    SCOPED_TRACE(condition);
    const Analysis a = analysed(loop("%index", condition, "%row = OpSDiv %uint %i %u64"));
    EXPECT_EQ(a.of("row"), kSubgroup);
  }
}

TEST(Shapes, BoundsComeFromMultiplesOfTheCounter) {
  const Analysis a = analysed(loop("%u0",
                                   "%scaled = OpIMul %uint %i %u128\n"
                                   "%e = OpIAdd %uint %scaled %index\n"
                                   "%goes_on = OpSLessThan %bool %e %u2048",
                                   "%row = OpSDiv %uint %e %u64", "%u1"));
  EXPECT_EQ(a->shape(a.id("i")).most, 16u);
  EXPECT_EQ(a.of("row"), kSubgroup);
}

TEST(Shapes, WhatMayWrapAroundHasNoBound) {
  // From any number on: it may have passed the largest one.
  for (const char* first : {"%product", "%group", "%index"}) {
    const bool bounded = first[1] != 'p';
    SCOPED_TRACE(first);
    const Analysis a = analysed(
        "%product = OpIMul %uint %group %group\n" +
        loop(first, "%goes_on = OpSLessThan %bool %i %u2048", "%row = OpSDiv %uint %i %u64"));
    EXPECT_EQ(a->shape(a.id("i")).isNonNegative(), bounded);
  }
  // A comparison on a way that need not be taken says nothing.
  const Analysis b = analysed(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %index %entry %next %continue
      OpLoopMerge %after %continue None
      OpBranch %test
      %test = OpLabel
      %small = OpULessThan %bool %i %u2048
      OpSelectionMerge %both None
      OpBranchConditional %small %both %large
      %large = OpLabel
      OpBranch %both
      %both = OpLabel
      OpBranchConditional %group_less %continue %after
      %continue = OpLabel
      %next = OpIAdd %uint %i %u128
      OpBranch %header
      %after = OpLabel
      OpReturn)");
  EXPECT_FALSE(b->shape(b.id("i")).isNonNegative());
}

TEST(Shapes, PhisOfInvocationsThatMeetAreAnything) {
  const Analysis a = analysed(R"(
      %next = OpIAdd %uint %index %u1
      OpSelectionMerge %merge None
      OpBranchConditional %lane_less %then %merge
      %then = OpLabel
      OpBranch %merge
      %merge = OpLabel
      %both = OpPhi %uint %index %entry %next %then
      %one = OpPhi %uint %index %entry %index %then
      OpReturn)");
  EXPECT_EQ(a->shape(a.id("both")).any, kAll);
  EXPECT_TRUE(a->shape(a.id("one")).isLinear());
}

TEST(Shapes, PhisOfInvocationsThatStayTogetherJoinBitByBit) {
  const Analysis a = analysed(R"(
      %row = OpUDiv %uint %index %u4
      %column = OpUMod %uint %index %u4
      %apart = OpIMul %uint %row %u64
      %other = OpIAdd %uint %apart %column
      %twice = OpIMul %uint %index %u2
      OpSelectionMerge %merge None
      OpBranchConditional %group_less %then %merge
      %then = OpLabel
      OpBranch %merge
      %merge = OpLabel
      %both = OpPhi %uint %index %entry %other %then
      %none = OpPhi %uint %index %entry %twice %then
      OpReturn)");
  EXPECT_EQ(a->shape(a.id("both")).runtime, kAll & ~3);
  EXPECT_EQ(a->shape(a.id("both")).weights[1], 2u);
  EXPECT_EQ(a->shape(a.id("both")).any, 0);
  // Without runs of lanes there is nothing to keep.
  EXPECT_EQ(a->shape(a.id("none")).any, kAll);
}

// What one invocation has when it leaves a loop says nothing of another, later one.
TEST(Shapes, ValuesThatLeaveALoopOneAfterTheOtherAreAnything) {
  const Analysis a = analysed(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %next %continue
      %goes_on = OpULessThan %bool %i %index
      OpLoopMerge %after %continue None
      OpBranchConditional %goes_on %continue %after
      %continue = OpLabel
      %next = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      %last = OpPhi %uint %i %header
      %same = OpPhi %uint %u4 %header
      %also = OpIAdd %uint %i %u1
      OpReturn)");
  EXPECT_EQ(a.of("i"), kWorkgroup);
  EXPECT_EQ(a.of("last"), kVarying);
  EXPECT_EQ(a->shape(a.id("last")).any, kAll);
  EXPECT_EQ(a.of("also"), kVarying);
  EXPECT_EQ(a.of("same"), kWorkgroup);
}

TEST(Shapes, LoadsChangeWithWhatTheirAddressChangesWith) {
  const Analysis a = analysed(R"(
      %row = OpUDiv %uint %index %u4
      %at = OpAccessChain %storage_uint %storage %u0 %row
      %from = OpLoad %uint %at
      OpReturn)");
  EXPECT_EQ(a->shape(a.id("from")).any, kAll & ~3);
}

TEST(Shapes, RowsOfAWorkgroupAreRuns) {
  const Analysis a(R"(
      %id = OpLoad %uvec3 %global_id
      %x = OpCompositeExtract %uint %id 0
      %y = OpCompositeExtract %uint %id 1
      OpReturn)",
                   WorkgroupShape{{8, 8, 1}, 32});
  EXPECT_EQ(a->shape(a.id("x")).varying(), 7);
  EXPECT_EQ(a->shape(a.id("y")).varying(), 24);
  EXPECT_EQ(a->shape(a.id("y")).weights[4], 2u);
  const Analysis odd("%id = OpLoad %uvec3 %global_id\nOpReturn", WorkgroupShape{{24, 4, 1}, 32});
  EXPECT_EQ(odd->shape(odd.id("id"), 0).any, 24);
  EXPECT_EQ(odd->shape(odd.id("id"), 0).weights[2], 4u);
}

// Signed quotients and remainders of an invocation's number are those of a number without a sign:
// dispatches are not that large.
TEST(Shapes, NumbersOfInvocationsAreNotNegative) {
  const Analysis a(R"(
      %id = OpLoad %uvec3 %global_id
      %x = OpCompositeExtract %uint %id 0
      %first = OpIMul %uint %group %u128
      %lane_number = OpLoad %uint %local_index
      %sum = OpIAdd %uint %first %lane_number
      %row = OpSDiv %uint %x %u16
      %row_of_sum = OpSDiv %uint %sum %u16
      OpReturn)",
                   kFourSubgroups, "",
                   "%u16 = OpConstant %uint 16\n%u128 = OpConstant %uint 128\n");
  for (const char* name : {"x", "sum"}) EXPECT_TRUE(a->shape(a.id(name)).isNonNegative()) << name;
  for (const char* name : {"row", "row_of_sum"}) {
    EXPECT_EQ(a->shape(a.id(name)).varying(), 16) << name;
    EXPECT_EQ(a->shape(a.id(name)).weights[4], 1u) << name;
  }
}

}  // namespace
}  // namespace jit::simt
