// SPDX-License-Identifier: Apache-2.0

// Order of emission, arrivals and masks for the forms of structured control flow, each with the
// branches named in `varying` sending invocations to different places.
#include "jit/analysis/linearization.h"

#include <gtest/gtest.h>

#include "tests/jit/analysis/linearized_flow.h"

namespace jit::simt {
namespace {

constexpr char kIfElse[] = R"(
    %entry = OpLabel
    OpSelectionMerge %merge None
    OpBranchConditional %true %then %else
    %then = OpLabel
    OpBranch %merge
    %else = OpLabel
    OpBranch %merge
    %merge = OpLabel
    OpReturn
    OpFunctionEnd)";

TEST(Linearization, UniformIfBranches) {
  LinearizedFlow flow(kIfElse, {});
  EXPECT_EQ(flow.order(), "entry then else merge");
  for (const char* node : {"entry", "then", "else", "merge"})
    EXPECT_EQ(flow.at(node), "Direct entry") << node;
}

TEST(Linearization, DivergentIfRunsBothSidesAndRejoins) {
  LinearizedFlow flow(kIfElse, {"entry"});
  EXPECT_EQ(flow.at("entry"), "Direct entry");
  EXPECT_EQ(flow.next("entry"), "then");
  EXPECT_EQ(flow.at("then"), "Accumulate then, else else");
  EXPECT_EQ(flow.next("then"), "else");
  EXPECT_EQ(flow.at("else"), "Accumulate else, else merge");
  EXPECT_EQ(flow.next("else"), "merge");
  EXPECT_EQ(flow.at("merge"), "Rejoin entry");
}

TEST(Linearization, ReturnInOneSideLeavesFewerAfterwards) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpSelectionMerge %merge None
      OpBranchConditional %true %leave %merge
      %leave = OpLabel
      OpReturn
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"entry"});
  EXPECT_EQ(flow.at("leave"), "Accumulate leave, else merge");
  EXPECT_EQ(flow.next("leave"), "merge");
  // All may have returned: then nobody runs what follows.
  EXPECT_EQ(flow.at("merge"), "Accumulate merge, else end");
}

TEST(Linearization, UniformIfInsideDivergentOne) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpSelectionMerge %merge None
      OpBranchConditional %true %outer %merge
      %outer = OpLabel
      OpSelectionMerge %joined None
      OpBranchConditional %true %inner %joined
      %inner = OpLabel
      OpBranch %joined
      %joined = OpLabel
      OpBranch %merge
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"entry"});
  EXPECT_EQ(flow.at("outer"), "Accumulate outer, else merge");
  EXPECT_EQ(flow.at("inner"), "Direct outer");
  EXPECT_EQ(flow.at("joined"), "Direct outer");
  EXPECT_EQ(flow.at("merge"), "Rejoin entry");
}

TEST(Linearization, DivergentIfInsideDivergentOneRejoinsTwice) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpSelectionMerge %merge None
      OpBranchConditional %true %outer %merge
      %outer = OpLabel
      OpSelectionMerge %joined None
      OpBranchConditional %true %inner %joined
      %inner = OpLabel
      OpBranch %joined
      %joined = OpLabel
      OpBranch %merge
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"entry", "outer"});
  EXPECT_EQ(flow.at("inner"), "Accumulate inner, else joined");
  EXPECT_EQ(flow.at("joined"), "Rejoin outer");
  EXPECT_EQ(flow.at("merge"), "Rejoin entry");
}

constexpr char kSwitch[] = R"(
    %entry = OpLabel
    OpSelectionMerge %merge None
    OpSwitch %u2 %other 1 %one 3 %one 2 %two
    %one = OpLabel
    OpBranch %two
    %two = OpLabel
    OpBranch %merge
    %other = OpLabel
    OpBranch %merge
    %merge = OpLabel
    OpReturn
    OpFunctionEnd)";

TEST(Linearization, UniformSwitchBranches) {
  LinearizedFlow flow(kSwitch, {});
  for (const char* node : {"one", "two", "other", "merge"})
    EXPECT_EQ(flow.at(node), "Direct entry") << node;
}

TEST(Linearization, FallthroughCollectsThoseFromAboveAndThoseWhoStartThere) {
  LinearizedFlow flow(kSwitch, {"entry"});
  ASSERT_LT(flow.place("one"), flow.place("two"));
  EXPECT_EQ(flow.node("one").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.node("two").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.node("two").mask_class, flow.place("two"));
  EXPECT_TRUE(flow.node("two").check);
  EXPECT_EQ(flow.node("other").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.at("merge"), "Rejoin entry");
}

// A loop that tests in its header, with a body that may leave it or go on early.
TEST(Linearization, ReturnsOfAnInlinedCallWaitBehindIt) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      %call = OpFunctionCall %void %inner
      OpReturn
      OpFunctionEnd
      %inner = OpFunction %void None %main_type
      %first = OpLabel
      OpSelectionMerge %rest None
      OpBranchConditional %true %early %rest
      %early = OpLabel
      OpReturn
      %rest = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"first"});
  const auto& nodes = (*flow).nodes();
  // The last node is what follows the call in the caller.
  EXPECT_EQ(nodes.back().arrival, Arrival::Rejoin);
  EXPECT_EQ(nodes.back().mask_class, 0u);
  EXPECT_TRUE(nodes.back().successors.empty());
}

// Where invocations are put together: where they may have been divided, and nowhere else.
TEST(Linearization, PathsMeetBehindWhatDividesInvocations) {
  constexpr char kNested[] = R"(
    %entry = OpLabel
    OpSelectionMerge %after None
    OpBranchConditional %true %then %else
    %then = OpLabel
    OpSelectionMerge %both None
    OpBranchConditional %true %left %right
    %left = OpLabel
    OpBranch %both
    %right = OpLabel
    OpBranch %both
    %both = OpLabel
    OpBranch %after
    %else = OpLabel
    OpSelectionMerge %end None
    OpBranchConditional %true %leave %end
    %leave = OpLabel
    OpReturn
    %end = OpLabel
    OpBranch %after
    %after = OpLabel
    OpReturn
    OpFunctionEnd)";
  auto gathering = [&](std::set<std::string> varying) {
    return LinearizedFlow(kNested, std::move(varying)).gathering();
  };
  EXPECT_EQ(gathering({}), "");
  EXPECT_EQ(gathering({"entry"}), "after");
  EXPECT_EQ(gathering({"then"}), "both");
  EXPECT_EQ(gathering({"entry", "then"}), "both after");
  // Some are gone for good; those who come behind it all came by one way.
  EXPECT_EQ(gathering({"else"}), "");
}

}  // namespace
}  // namespace jit::simt
