// SPDX-License-Identifier: Apache-2.0

// Which code of a workgroup-wide stream is emitted for one subgroup.
#include "jit/analysis/subgroup_regions.h"

#include <gtest/gtest.h>

#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

// A line for each region: where it begins and ends, as labels and numbers of instructions, the
// values that are used outside, and in parentheses the variables that are its own, `fresh` ones
// with a star. `code` follows the label %start, whose instructions are counted from 0, and which
// is all that leads to it; regions that end before are left out.
std::string regionsOf(const std::string& code, const std::string& variables = "") {
  const std::string whole =
      "OpControlBarrier %u2 %u2 %u0\nOpBranch %start\n%start = OpLabel\n" + code;
  const Analysis wide(whole, kWideStream, variables), narrow(whole, kFourSubgroups, variables);
  const auto& names = wide.module().names;
  std::string text;
  for (const SubgroupRegion& region :
       planRegions(wide.module(), {wide.flow(), *wide}, {narrow.flow(), *narrow})) {
    auto place = [&](uint32_t node, size_t index) {
      const auto& block = wide.module().entry.blocks[wide.flow().nodes()[node].block];
      return names.at(block.label) + ":" + std::to_string(index);
    };
    if (region.last < wide.node("start")) continue;
    text += place(region.first, region.begin) + "-" + place(region.last, region.end);
    for (spirv::Id id : region.results) text += " " + names.at(id);
    for (spirv::Id id : region.variables)
      text += " (" + names.at(id) + (region.fresh.count(id) != 0 ? "*)" : ")");
    text += "\n";
  }
  return text;
}

TEST(SubgroupRegions, EndAtBarriers) {
  EXPECT_EQ(regionsOf(R"(
      %a = OpIAdd %uint %lane %u1
      %b = OpIAdd %uint %group %u1
      %c = OpIAdd %uint %a %b
      %d = OpIAdd %uint %group %u2
      OpControlBarrier %u2 %u2 %u0
      %e = OpIAdd %uint %c %d
      OpReturn)"),
            "start:0-start:3 c\nstart:5-start:6\n")
      << "what all share stands between, and is left out at the end";
}

TEST(SubgroupRegions, WhatAllShareIsNone) {
  EXPECT_EQ(regionsOf(R"(
      %a = OpIAdd %uint %group %u1
      %at = OpAccessChain %storage_uint %storage %u0 %a
      OpStore %at %a
      OpReturn)"),
            "");
}

constexpr char kCondition[] = R"(
      %a = OpIAdd %uint %lane %u1
      OpSelectionMerge %after None
      OpBranchConditional %lane_less %then %after
      %then = OpLabel
      BODY
      OpBranch %after
      %after = OpLabel
      %c = OpPhi %uint %u0 %start %u1 %then
      %d = OpIAdd %uint %c %u1
      OpReturn)";

std::string condition(const std::string& body) {
  std::string text = kCondition;
  return text.replace(text.find("BODY"), 4, body);
}

TEST(SubgroupRegions, HoldConstructs) {
  EXPECT_EQ(regionsOf(condition("%b = OpIAdd %uint %a %u1")), "start:0-after:2\n");
}

TEST(SubgroupRegions, AreInsideOfConstructsWithBarriers) {
  EXPECT_EQ(regionsOf(condition("OpControlBarrier %u2 %u2 %u0\n%b = OpIAdd %uint %a %u1")),
            "start:0-start:1 a\nthen:1-then:2\nafter:1-after:2\n")
      << "no valid program has this, but it is compiled";
}

constexpr char kLoop[] = R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %start %next %continue
      OpLoopMerge %after %continue None
      OpBranch %test
      %test = OpLabel
      %more = OpULessThan %bool %i %group
      OpBranchConditional %more %body %after
      %body = OpLabel
      BODY
      OpBranch %continue
      %continue = OpLabel
      %next = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      AFTER
      OpReturn)";

std::string loop(const std::string& body, const std::string& after = "") {
  std::string text = kLoop;
  text.replace(text.find("BODY"), 4, body);
  return text.replace(text.find("AFTER"), 5, after);
}

TEST(SubgroupRegions, HoldLoopsInWhichInvocationsDoSomething) {
  EXPECT_EQ(regionsOf(loop("%a = OpIAdd %uint %lane %i")), "start:0-after:0\n");
  EXPECT_EQ(regionsOf(loop("%a = OpIAdd %uint %group %i")), "");
  EXPECT_EQ(regionsOf(loop("OpControlBarrier %u2 %u2 %u0\n%a = OpIAdd %uint %lane %i")),
            "body:1-body:2\n");
}

// A loop's counter in memory, as compilers write it that do not optimize.
TEST(SubgroupRegions, EndAtStoresToWhatAllShare) {
  constexpr char kVariables[] = "%v = OpVariable %local_uint Function\n";
  const std::string counts = R"(
      %a = OpIAdd %uint %lane %i
      %old = OpLoad %uint %v
      %new = OpIAdd %uint %old %u1
      OpStore %v %new
      %b = OpIAdd %uint %a %new)";
  EXPECT_EQ(regionsOf(loop(counts, "%kept = OpLoad %uint %v"), kVariables),
            "body:0-body:1 a\nbody:4-body:5\n");
  EXPECT_EQ(regionsOf(loop("OpStore %v %i\n" + counts), kVariables), "start:0-after:0 (v*)\n")
      << "nobody else looks at it";
  EXPECT_EQ(
      regionsOf(loop("OpControlBarrier %u2 %u2 %u0\nOpBranch %again\n%again = OpLabel\n" + counts),
                kVariables),
      "again:0-again:1 a\nagain:4-again:5\n");
}

TEST(SubgroupRegions, HaveVariablesOfTheirOwn) {
  constexpr char kVariables[] = "%v = OpVariable %local_uint Function\n";
  EXPECT_EQ(regionsOf("OpStore %v %lane\n%a = OpLoad %uint %v\nOpReturn", kVariables),
            "start:0-start:2 (v*)\n");
  EXPECT_EQ(regionsOf(R"(
      OpStore %v %lane
      OpControlBarrier %u2 %u2 %u0
      %a = OpLoad %uint %v
      OpReturn)",
                      kVariables),
            "start:0-start:1\nstart:2-start:3\n");
}

TEST(SubgroupRegions, EndAtAtomicLoadsThatAllShare) {
  EXPECT_EQ(regionsOf(R"(
      %at = OpAccessChain %storage_uint %storage %u0 %u0
      %a = OpIAdd %uint %lane %u1
      %seen = OpAtomicLoad %uint %at %u1 %u0
      %b = OpIAdd %uint %a %seen
      OpReturn)"),
            "start:1-start:2 a\nstart:3-start:4\n");
}

}  // namespace
}  // namespace jit::simt
