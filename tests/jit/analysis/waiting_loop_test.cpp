// SPDX-License-Identifier: Apache-2.0

// Which loops may do nothing but wait.
#include "jit/analysis/waiting_loop.h"

#include <gtest/gtest.h>

#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

// for (i = 0; i < 4; ++i) { body; if (%stop) break; }, where `body` makes %stop. %flag points to a
// number in a buffer, %sum is 0 and then %next_sum, which `step` makes; %own is a variable of the
// invocation.
std::optional<WaitingLoop> loopOf(const std::string& body,
                                  const std::string& step = "%next_sum = OpCopyObject %uint %sum") {
  static std::unique_ptr<Analysis> analysis;
  analysis = std::make_unique<Analysis>(R"(
      %flag = OpAccessChain %storage_uint %storage %u0 %u0
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %again
      %sum = OpPhi %uint %u0 %entry %next_sum %again
      OpLoopMerge %after %again None
      OpBranch %test
      %test = OpLabel
      %goes_on = OpULessThan %bool %i %u4
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      )" + body + R"(
      OpSelectionMerge %end None
      OpBranchConditional %stop %out %end
      %out = OpLabel
      OpBranch %after
      %end = OpLabel
      OpBranch %again
      %again = OpLabel
      )" + step + R"(
      %copy = OpCopyObject %uint %i
      %more = OpIAdd %uint %copy %u1
      OpBranch %header
      %after = OpLabel
      OpReturn)",
                                        kFourSubgroups, "%own = OpVariable %local_uint Function\n",
                                        "%release = OpConstant %uint 72\n");
  return waitingLoop(analysis->module(), analysis->flow(), **analysis, analysis->node("header"));
}

constexpr char kPoll[] = R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %stop = OpINotEqual %bool %seen %u0)";

TEST(WaitingLoop, ReadsUntilSomethingHasChanged) {
  const auto loop = loopOf(kPoll);
  ASSERT_TRUE(loop);
  ASSERT_EQ(loop->reads.size(), 1u);
  EXPECT_EQ(loop->reads[0]->op, spv::Op::OpAtomicLoad);
  EXPECT_EQ(loop->first, loop->reads[0]);
  EXPECT_EQ(loop->state.size(), 1u) << "the sum; the counter is none";
  EXPECT_NE(loop->variable, 0u);
  EXPECT_FALSE(loop->is_workgroups);
  EXPECT_FALSE(loop->is_written_beside);
}

TEST(WaitingLoop, AnAtomicOperationWhoseResultDecides) {
  EXPECT_TRUE(loopOf(R"(
      %seen = OpAtomicExchange %uint %flag %u1 %u0 %u1
      %stop = OpINotEqual %bool %seen %u0)"));
}

TEST(WaitingLoop, WhatChangesMemoryIsNone) {
  EXPECT_FALSE(loopOf(std::string("OpStore %flag %u1") + kPoll));
  EXPECT_FALSE(loopOf(std::string("%old = OpAtomicIAdd %uint %flag %u1 %u0 %u1") + kPoll))
      << "nobody looks at what it gives, so nobody sees that it does something";
  EXPECT_FALSE(loopOf(std::string("OpControlBarrier %u2 %u2 %u0") + kPoll));
  EXPECT_TRUE(loopOf(std::string("OpControlBarrier %u3 %u3 %u0") + kPoll)) << "of the subgroup";
}

// What is changed where something has come ends the wait, for this time.
TEST(WaitingLoop, WhatChangesMemoryInSomeRounds) {
  auto changes = [](const char* out) {
    return loopOf(std::string(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %has_come = OpINotEqual %bool %seen %u0
      OpSelectionMerge %both None
      OpBranchConditional %has_come %changes %both
      %changes = OpLabel
      OpStore %flag %u0
      )") + out + R"(
      %both = OpLabel
      %stop = OpIEqual %bool %seen %u4)");
  };
  const auto loop = changes("OpBranch %both");
  ASSERT_TRUE(loop);
  ASSERT_EQ(loop->writes.size(), 1u);
  EXPECT_EQ(loop->writes[0]->op, spv::Op::OpStore);
  const auto ends = changes("OpBranch %after");
  ASSERT_TRUE(ends);
  EXPECT_TRUE(ends->writes.empty()) << "no round has it";
}

// Goes on to another place when there is something at this one.
TEST(WaitingLoop, OnePlaceAfterTheOther) {
  const auto loop = loopOf(R"(
      %at = OpAccessChain %storage_uint %storage %u0 %sum
      %seen = OpAtomicLoad %uint %at %u1 %u0
      %has_come = OpINotEqual %bool %seen %u0
      %next_place = OpIAdd %uint %sum %u1
      %stop = OpUGreaterThan %bool %sum %u4)",
                           "%next_sum = OpSelect %uint %has_come %next_place %sum");
  ASSERT_TRUE(loop);
  ASSERT_EQ(loop->state.size(), 1u) << "the place, which is no counter";
}

TEST(WaitingLoop, WhatLooksElsewhereInEachRoundIsNone) {
  EXPECT_FALSE(loopOf(R"(
      %at = OpAccessChain %storage_uint %storage %u0 %i
      %seen = OpAtomicLoad %uint %at %u1 %u0
      %stop = OpINotEqual %bool %seen %u0)"));
}

TEST(WaitingLoop, WhatComparesACounterWithMemoryIsNone) {
  EXPECT_FALSE(loopOf(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %stop = OpULessThan %bool %seen %i)"));
}

TEST(WaitingLoop, ACounterMayEndItToo) {
  EXPECT_TRUE(loopOf(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %changed = OpINotEqual %bool %seen %u0
      %enough = OpIEqual %bool %i %u3
      %stop = OpLogicalOr %bool %changed %enough)"));
}

TEST(WaitingLoop, WhatNeverDependsOnMemoryIsNone) {
  EXPECT_FALSE(loopOf(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %stop = OpIEqual %bool %i %u3)"));
}

TEST(WaitingLoop, PlainLoadsAreNotLookedForAnew) {
  EXPECT_FALSE(loopOf(R"(
      %seen = OpLoad %uint %flag
      %stop = OpINotEqual %bool %seen %u0)"));
  EXPECT_TRUE(loopOf(R"(
      %seen = OpLoad %uint %flag Volatile
      %stop = OpINotEqual %bool %seen %u0)"));
  EXPECT_TRUE(loopOf(R"(
      OpMemoryBarrier %u1 %release
      %seen = OpLoad %uint %flag
      %stop = OpINotEqual %bool %seen %u0)"));
}

// The counter of tries goes on where the first reason to end does not hold.
TEST(WaitingLoop, WhatGoesOnInAChoiceIsACounter) {
  const std::string poll = R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %changed = OpINotEqual %bool %seen %u0
      %stepped = OpIAdd %uint %sum %u1
      %enough = OpUGreaterThan %bool %sum %u4
      %stop = OpLogicalOr %bool %changed %enough)";
  for (const char* step : {
           "%next_sum = OpSelect %uint %changed %sum %stepped",
           "%next_sum = OpSelect %uint %changed %u0 %stepped",
           "%next_sum = OpCopyObject %uint %i",
           "%next_sum = OpISub %uint %sum %group",
       }) {
    const auto loop = loopOf(poll, step);
    ASSERT_TRUE(loop) << step;
    EXPECT_TRUE(loop->state.empty()) << step;
  }
  for (const char* step : {
           "%next_sum = OpSelect %uint %changed %u1 %sum",
           "%next_sum = OpIMul %uint %sum %u3",
           "%next_sum = OpIAdd %uint %sum %seen",
           "%next_sum = OpIAdd %uint %sum %stepped",
           "%next_sum = OpISub %uint %u4 %sum",
       }) {
    const auto loop = loopOf(poll, step);
    ASSERT_TRUE(loop) << step;
    EXPECT_EQ(loop->state.size(), 1u) << step;
  }
}

// Looks at memory only to be told that somebody else has found it.
TEST(WaitingLoop, ASearchIsNone) {
  auto search = [](const char* hit, const char* step = "%next_sum = OpCopyObject %uint %sum") {
    return loopOf(std::string(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %changed = OpINotEqual %bool %seen %u0
      %triple = OpIMul %uint %i %u3
      )") + hit + R"(
      %stop = OpLogicalOr %bool %changed %hit)",
                  step);
  };
  EXPECT_TRUE(search("%hit = OpIEqual %bool %triple %group"));
  EXPECT_TRUE(search("%rest = OpUMod %uint %i %u4\n%hit = OpIEqual %bool %rest %u3"))
      << "of the first rounds";
  EXPECT_FALSE(search("%rest = OpUMod %uint %u4 %i\n%hit = OpIEqual %bool %rest %u3"));
  EXPECT_FALSE(search("%rest = OpUMod %uint %i %group\n%hit = OpIEqual %bool %rest %u3"));
  EXPECT_FALSE(search("%square = OpIMul %uint %triple %i\n%hit = OpIEqual %bool %square %group"));
  EXPECT_FALSE(search(R"(
      %at = OpAccessChain %constant_uint %constants %u0 %i
      %found = OpLoad %uint %at
      %hit = OpIEqual %bool %found %u3)"));
  EXPECT_FALSE(search(R"(
      %square = OpIMul %uint %i %i
      %is_it = OpIEqual %bool %square %group
      %hit = OpIEqual %bool %i %u4)",
                      "%next_sum = OpSelect %uint %is_it %i %sum"))
      << "what it finds is kept";
}

TEST(WaitingLoop, WhatNobodyChangesIsNotRead) {
  const auto loop = loopOf(R"(
      %number = OpLoad %uint %subgroup_id
      %word = OpAccessChain %constant_uint %constants %u0 %number
      %index = OpLoad %uint %word
      %place = OpLoad %uint %own
      %both = OpIAdd %uint %index %place
      %at = OpAccessChain %storage_uint %storage %u0 %both
      %plain = OpLoad %uint %flag
      %seen = OpAtomicLoad %uint %at %u1 %u0
      %sums = OpIAdd %uint %seen %plain
      %stop = OpINotEqual %bool %sums %u0)");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->reads.size(), 2u) << "of the buffer";
  EXPECT_EQ(loop->first->op, spv::Op::OpAtomicLoad);
}

TEST(WaitingLoop, VariablesOfTheInvocation) {
  const std::string flag = R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      OpStore %own %seen
      %again_seen = OpLoad %uint %own
      %stop = OpINotEqual %bool %again_seen %u0)";
  const auto loop = loopOf(flag);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->reads.size(), 2u);
  EXPECT_EQ(loop->first->op, spv::Op::OpAtomicLoad);
  EXPECT_FALSE(loopOf(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      OpStore %own %i
      %tries = OpLoad %uint %own
      %stop = OpUGreaterThan %bool %tries %u4)"))
      << "memory of others decides nothing";
}

// Whether `look`, which makes %wrong of %k, is 0 for each %k below 4.
std::optional<WaitingLoop> loopOfAll(const std::string& look) {
  return loopOf(R"(
      OpBranch %inner
      %inner = OpLabel
      %k = OpPhi %uint %u0 %body %next_k %inner_again
      %all = OpPhi %bool %true %body %still_all %inner_again
      OpLoopMerge %inner_after %inner_again None
      OpBranch %inner_test
      %inner_test = OpLabel
      %inner_goes_on = OpULessThan %bool %k %u4
      OpBranchConditional %inner_goes_on %inner_again %inner_after
      %inner_again = OpLabel
      )" + look +
                R"(
      %is_one = OpINotEqual %bool %wrong %u0
      %still_all = OpLogicalAnd %bool %all %is_one
      %next_k = OpIAdd %uint %k %u1
      OpBranch %inner
      %inner_after = OpLabel
      %stop = OpCopyObject %bool %all)");
}

TEST(WaitingLoop, ReadsInTheTurnsOfAnInnerLoop) {
  const auto loop = loopOfAll(R"(
      %at = OpAccessChain %storage_uint %storage %u0 %k
      %wrong = OpAtomicLoad %uint %at %u1 %u0)");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->reads.size(), 1u);
  EXPECT_EQ(loop->state.size(), 1u);
  EXPECT_FALSE(loopOfAll(R"(
      %sum_of_both = OpIAdd %uint %k %i
      %at = OpAccessChain %storage_uint %storage %u0 %sum_of_both
      %wrong = OpAtomicLoad %uint %at %u1 %u0)"))
      << "elsewhere in each round";
  EXPECT_FALSE(loopOfAll(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %sum_of_both = OpIAdd %uint %k %i
      %is_it = OpIEqual %bool %sum_of_both %group
      %wrong = OpSelect %uint %is_it %u1 %seen)"))
      << "turns of both loops are compared";
}

// How long it takes between two looks is no reason to end.
TEST(WaitingLoop, AnInnerLoopThatTakesTimeOnly) {
  auto delay = [](const char* stop) {
    return loopOf(std::string(R"(
      %seen = OpAtomicLoad %uint %flag %u1 %u0
      %changed = OpINotEqual %bool %seen %u0
      OpBranch %inner
      %inner = OpLabel
      %k = OpPhi %uint %u0 %body %next_k %inner_again
      OpLoopMerge %inner_after %inner_again None
      OpBranch %inner_test
      %inner_test = OpLabel
      %inner_goes_on = OpULessThan %bool %k %i
      OpBranchConditional %inner_goes_on %inner_again %inner_after
      %inner_again = OpLabel
      OpMemoryBarrier %u1 %release
      %next_k = OpIAdd %uint %k %u1
      OpBranch %inner
      %inner_after = OpLabel
      )") + stop);
  };
  EXPECT_TRUE(delay("%stop = OpCopyObject %bool %changed"));
  EXPECT_FALSE(delay(R"(
      %is_two = OpIEqual %bool %k %u2
      %stop = OpLogicalOr %bool %changed %is_two)"))
      << "what comes of it is used";
}

}  // namespace
}  // namespace jit::simt
