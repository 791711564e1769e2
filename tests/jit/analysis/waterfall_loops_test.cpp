// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/waterfall_loops.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

// A loop up to `bound` and one that goes on up to another number, with `inside` in it.
std::string twoLoops(const std::string& bound, const std::string& inside) {
  return R"(
      OpBranch %first
      %first = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %)" +
         bound + R"(
      OpLoopMerge %between %next None
      OpBranchConditional %goes_on %next %between
      %next = OpLabel
      %more = OpIAdd %uint %i %u2
      OpBranch %first
      %between = OpLabel
      OpBranch %second
      %second = OpLabel
      %k = OpPhi %uint %i %between %more_k %next_k
      %goes_on_k = OpULessThan %bool %k %lane
      OpLoopMerge %after %next_k None
      OpBranchConditional %goes_on_k %next_k %after
      %next_k = OpLabel
      %at = OpAccessChain %storage_uint %storage %u0 %k
      %loaded = OpLoad %uint %at
      )" +
         inside +
         R"(
      %more_k = OpIAdd %uint %k %u1
      OpBranch %second
      %after = OpLabel
      %out = OpPhi %uint %k %second
      OpReturn)";
}

struct Written {
  unsigned loops = 0;
  Uniformity level = kVarying;  // of %k, the index that is read at, and its shape
  LaneShape shape;
  bool is_structured = false;
};

Written waterfallLoops(const std::string& code, const WorkgroupShape& shape = kFourSubgroups) {
  Analysis before(code, shape);
  spirv::Module& module = before.writableModule();
  auto structure = spirv::buildStructure(module.entry);
  if (!structure) throw std::runtime_error(llvm::toString(structure.takeError()));
  Written written{.loops = writeWaterfallLoops(module, *structure, shape)};
  auto changed = spirv::buildStructure(module.entry);
  written.is_structured = static_cast<bool>(changed);
  if (!changed) {
    ADD_FAILURE() << llvm::toString(changed.takeError());
    return written;
  }
  Linearization linearization(module.entry, *changed);
  const UniformityAnalysis after(module, shape, linearization);
  written.level = after.of(before.id("k"));
  written.shape = after.shape(before.id("k"));
  return written;
}

TEST(WaterfallLoops, CountersThatGoOnAreSharedByThoseWhoBeginAlike) {
  const Written written = waterfallLoops(twoLoops("lane", ""));
  EXPECT_EQ(written.loops, 1u);
  EXPECT_TRUE(written.is_structured);
  EXPECT_EQ(written.level, kSubgroup);
}

TEST(WaterfallLoops, LoopsThatAllLeaveTogetherStay) {
  const Written written = waterfallLoops(twoLoops("group", ""));
  EXPECT_EQ(written.loops, 0u);
  EXPECT_EQ(written.level, kWorkgroup);
}

TEST(WaterfallLoops, WhatInvocationsDoTogetherStays) {
  EXPECT_EQ(
      waterfallLoops(twoLoops("lane", "%sum = OpGroupNonUniformIAdd %uint %u3 Reduce %k")).loops,
      0u);
  EXPECT_EQ(waterfallLoops(twoLoops("lane", "%old = OpAtomicIAdd %uint %at %u1 %u0 %u1")).loops,
            0u);
  EXPECT_EQ(waterfallLoops(twoLoops("lane", "OpStore %at %k")).loops, 1u);
}

// A loop from `start` on that invocations leave at different times, and a selection behind it whose
// side reads by what it has left.
std::string selectionBehind(const std::string& start, const std::string& inside) {
  return R"(
      OpBranch %first
      %first = OpLabel
      %i = OpPhi %uint %)" +
         start + R"( %entry %more %next
      %n = OpPhi %uint %u0 %entry %more_n %next
      %goes_on = OpULessThan %bool %n %lane
      OpLoopMerge %between %next None
      OpBranchConditional %goes_on %next %between
      %next = OpLabel
      %more = OpIAdd %uint %i %u2
      %more_n = OpIAdd %uint %n %u1
      OpBranch %first
      %between = OpLabel
      %odd = OpINotEqual %bool %lane %u3
      OpSelectionMerge %after None
      OpBranchConditional %odd %arm %after
      %arm = OpLabel
      %k = OpIAdd %uint %i %u1
      %at = OpAccessChain %storage_uint %storage %u0 %k
      %loaded = OpLoad %uint %at
      )" +
         inside +
         R"(
      OpBranch %after
      %after = OpLabel
      %out = OpPhi %uint %loaded %arm %u0 %between
      OpReturn)";
}

TEST(WaterfallLoops, SelectionsShareWhatLoopsHaveLeft) {
  const Written written = waterfallLoops(selectionBehind("u0", ""));
  EXPECT_EQ(written.loops, 1u);
  EXPECT_TRUE(written.is_structured);
  EXPECT_EQ(written.level, kSubgroup);
}

TEST(WaterfallLoops, CountersThatBeginWithTheLaneAreSharedButForThat) {
  const Written written = waterfallLoops(selectionBehind("lane", ""));
  EXPECT_EQ(written.loops, 1u);
  EXPECT_TRUE(written.is_structured);
  EXPECT_EQ(written.level, kVarying);
  EXPECT_TRUE(written.shape.isLinear());
}

TEST(WaterfallLoops, SelectionsThatInvocationsGoThroughTogetherStay) {
  EXPECT_EQ(
      waterfallLoops(selectionBehind("u0", "%old = OpAtomicIAdd %uint %at %u1 %u0 %u1")).loops, 0u);
  EXPECT_EQ(waterfallLoops(selectionBehind("u0", "OpStore %at %k")).loops, 1u);
}

}  // namespace
}  // namespace jit::simt
