// SPDX-License-Identifier: Apache-2.0

// Order of emission, arrivals and masks in loops; linearization_test.cpp has the other forms.
#include <gtest/gtest.h>

#include "tests/jit/analysis/linearized_flow.h"

namespace jit::simt {
namespace {

constexpr char kLoop[] = R"(
    %entry = OpLabel
    OpBranch %header
    %header = OpLabel
    OpLoopMerge %after %next None
    OpBranchConditional %true %body %after
    %body = OpLabel
    OpSelectionMerge %rest None
    OpBranchConditional %true %stop %rest
    %stop = OpLabel
    OpBranch %after
    %rest = OpLabel
    OpSelectionMerge %tail None
    OpBranchConditional %true %skip %tail
    %skip = OpLabel
    OpBranch %next
    %tail = OpLabel
    OpBranch %next
    %next = OpLabel
    OpBranch %header
    %after = OpLabel
    OpReturn
    OpFunctionEnd)";

TEST(Linearization, UniformLoopBranches) {
  LinearizedFlow flow(kLoop, {});
  EXPECT_EQ(flow.order(), "entry header body stop rest skip tail next header' after");
  for (uint32_t n = 0; n < (*flow).nodes().size(); ++n)
    EXPECT_EQ(flow.at(flow.name(n)), "Direct entry") << flow.name(n);
}

TEST(Linearization, DivergentTripCountMakesTheHeaderDynamic) {
  LinearizedFlow flow(kLoop, {"header"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("body"), "Accumulate body, else after");
  EXPECT_EQ(flow.at("header'"), "Direct body");
  // Everybody who came to the loop is together again behind it.
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

TEST(Linearization, DivergentBreakMakesTheHeaderDynamic) {
  LinearizedFlow flow(kLoop, {"body"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("body"), "Direct header");
  EXPECT_EQ(flow.node("stop").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.at("rest"), "Accumulate rest, else after");
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

TEST(Linearization, DivergentContinueRejoinsAtTheContinueTarget) {
  LinearizedFlow flow(kLoop, {"rest"});
  EXPECT_FALSE(flow.node("header").dynamic_header);
  EXPECT_EQ(flow.at("skip"), "Accumulate skip, else tail");
  EXPECT_EQ(flow.at("tail"), "Accumulate tail, else next");
  EXPECT_EQ(flow.at("next"), "Rejoin entry");
  EXPECT_EQ(flow.at("after"), "Direct entry");
}

TEST(Linearization, ContinueCollectsWhenOthersBroke) {
  LinearizedFlow flow(kLoop, {"body", "rest"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.node("next").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

constexpr char kReturnInLoop[] = R"(
    %entry = OpLabel
    OpBranch %header
    %header = OpLabel
    OpLoopMerge %after %next None
    OpBranch %body
    %body = OpLabel
    OpSelectionMerge %rest None
    OpBranchConditional %true %leave %rest
    %leave = OpLabel
    OpReturn
    %rest = OpLabel
    OpBranch %next
    %next = OpLabel
    OpBranchConditional %true %header %after
    %after = OpLabel
    OpReturn
    OpFunctionEnd)";

TEST(Linearization, DivergentReturnInALoop) {
  LinearizedFlow flow(kReturnInLoop, {"body"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  // When the last have returned, nobody goes around for ever.
  EXPECT_TRUE(flow.node("rest").check);
  EXPECT_EQ(flow.at("next"), "Direct rest");
  // Those who are left leave together.
  EXPECT_EQ(flow.at("after"), "Direct rest");
}

TEST(Linearization, UniformReturnInALoop) {
  LinearizedFlow flow(kReturnInLoop, {});
  EXPECT_EQ(flow.at("leave"), "Direct entry");
  EXPECT_EQ(flow.at("after"), "Direct entry");
  EXPECT_FALSE(flow.node("header").dynamic_header);
}

TEST(Linearization, UniformBreakPastWaitingInvocationsIsDeferred) {
  // In "outer" some wait at "else" while the others leave the loop together: a real branch to
  // "after" would forget those who wait.
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %next None
      OpBranch %outer
      %outer = OpLabel
      OpSelectionMerge %joined None
      OpBranchConditional %true %then %else
      %then = OpLabel
      OpBranch %after
      %else = OpLabel
      OpBranch %joined
      %joined = OpLabel
      OpBranch %next
      %next = OpLabel
      OpBranchConditional %true %header %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"outer"});
  EXPECT_NE(flow.node("after").arrival, Arrival::Direct);
  EXPECT_EQ(flow.next("then"), "else");
  EXPECT_TRUE(flow.node("header").dynamic_header);
}

TEST(Linearization, NestedLoopsKnowTheirLoops) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpBranch %outer
      %outer = OpLabel
      OpLoopMerge %end %outer_next None
      OpBranchConditional %true %inner %end
      %inner = OpLabel
      OpLoopMerge %inner_end %inner_next None
      OpBranchConditional %true %body %inner_end
      %body = OpLabel
      OpBranch %inner_next
      %inner_next = OpLabel
      OpBranch %inner
      %inner_end = OpLabel
      OpBranch %outer_next
      %outer_next = OpLabel
      OpBranch %outer
      %end = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"inner"});
  EXPECT_EQ(flow.name(flow.node("body").loop), "inner");
  EXPECT_EQ(flow.name(flow.node("inner").loop), "inner");
  EXPECT_EQ(flow.name(flow.node("inner").outer_loop), "outer");
  EXPECT_EQ(flow.name(flow.node("inner_end").loop), "outer");
  EXPECT_EQ(flow.node("end").loop, kNoNode);
  EXPECT_EQ(flow.name(flow.node("inner").header_latch), "inner'");
  EXPECT_EQ(flow.name(flow.node("outer").header_latch), "outer'");
  EXPECT_TRUE((*flow).inLoop(flow.place("body"), flow.place("outer")));
  EXPECT_FALSE((*flow).inLoop(flow.place("inner_end"), flow.place("inner")));
  // Only the inner one is left at different times.
  EXPECT_TRUE(flow.node("inner").dynamic_header);
  EXPECT_FALSE(flow.node("outer").dynamic_header);
  EXPECT_EQ((*flow).dynamicLoop(flow.place("body")), flow.place("inner"));
  EXPECT_EQ((*flow).dynamicLoop(flow.place("inner_end")), kNoNode);
  EXPECT_EQ(flow.at("inner_end"), "Rejoin entry");
}

TEST(Linearization, LoopOfOneBlock) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %header None
      OpBranchConditional %true %header %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"header"});
  EXPECT_EQ(flow.order(), "entry header header' after");
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("header'"), "Accumulate header', else after");
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

// A selection whose merge block is the header of a loop; %then is left to the test.
std::string loopAtMerge(const std::string& then) {
  return R"(
    %entry = OpLabel
    OpSelectionMerge %header None
    OpBranchConditional %true %then %header
    %then = OpLabel
    )" + then +
         R"(
    %header = OpLabel
    OpLoopMerge %after %next None
    OpBranchConditional %true %next %after
    %next = OpLabel
    OpBranch %header
    %after = OpLabel
    OpReturn
    OpFunctionEnd)";
}

TEST(Linearization, MergeBlockThatIsALoopsHeader) {
  LinearizedFlow flow(loopAtMerge("OpBranch %header"), {"entry", "header"});
  EXPECT_EQ(flow.order(), "entry then header.preheader header next header' after");
  // Those who are together again come to the loop; the loop's own mask starts with them.
  EXPECT_EQ(flow.at("header.preheader"), "Rejoin entry");
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

TEST(Linearization, MergeBlockThatIsALoopsHeaderWhenOthersReturned) {
  LinearizedFlow flow(loopAtMerge("OpReturn"), {"entry", "header"});
  EXPECT_EQ(flow.at("header.preheader"), "Accumulate header.preheader, else end");
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("after"), "Rejoin header.preheader");
}

TEST(Linearization, UniformSelectionBeforeALoop) {
  LinearizedFlow flow(loopAtMerge("OpBranch %header"), {});
  for (uint32_t n = 0; n < (*flow).nodes().size(); ++n)
    EXPECT_EQ(flow.at(flow.name(n)), "Direct entry") << flow.name(n);
}

TEST(Linearization, DivergentBranchToALoopsHeader) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpSelectionMerge %end None
      OpBranchConditional %true %header %end
      %header = OpLabel
      OpLoopMerge %after %header None
      OpBranchConditional %true %header %after
      %after = OpLabel
      OpBranch %end
      %end = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"entry", "header"});
  EXPECT_EQ(flow.order(), "entry header.preheader header header' after end");
  EXPECT_EQ(flow.at("header.preheader"), "Accumulate header.preheader, else end");
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  // All who went there, not those of the last time around.
  EXPECT_EQ(flow.at("after"), "Rejoin header.preheader");
  EXPECT_EQ(flow.at("end"), "Rejoin entry");
}

TEST(Linearization, ContinueTargetThatIsALoopsHeader) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpBranch %outer
      %outer = OpLabel
      OpLoopMerge %end %inner None
      OpBranchConditional %true %body %end
      %body = OpLabel
      OpSelectionMerge %rest None
      OpBranchConditional %true %skip %rest
      %skip = OpLabel
      OpBranch %inner
      %rest = OpLabel
      OpBranch %inner
      %inner = OpLabel
      OpLoopMerge %again %inner None
      OpBranchConditional %true %inner %again
      %again = OpLabel
      OpBranch %outer
      %end = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"body", "inner"});
  EXPECT_EQ(flow.order(),
            "entry outer body skip rest inner.preheader inner inner' again outer' end");
  EXPECT_EQ(flow.at("inner.preheader"), "Rejoin entry");
  EXPECT_EQ(flow.at("inner"), "Direct inner, dynamic");
  EXPECT_EQ(flow.at("again"), "Rejoin entry");
  EXPECT_FALSE(flow.node("outer").dynamic_header);
}

TEST(Linearization, SwitchOfLoops) {
  LinearizedFlow flow(R"(
      %entry = OpLabel
      OpSelectionMerge %last None
      OpSwitch %u2 %last 1 %one 2 %two
      %one = OpLabel
      OpBranch %two
      %two = OpLabel
      OpLoopMerge %done %two None
      OpBranchConditional %true %two %done
      %done = OpLabel
      OpBranch %last
      %last = OpLabel
      OpLoopMerge %end %last None
      OpBranchConditional %true %last %end
      %end = OpLabel
      OpReturn
      OpFunctionEnd)",
                      {"entry", "two", "last"});
  EXPECT_EQ(flow.order(), "entry one two.preheader two two' done last.preheader last last' end");
  EXPECT_EQ(flow.node("two.preheader").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.at("two"), "Direct two, dynamic");
  EXPECT_EQ(flow.at("done"), "Rejoin two.preheader");
  EXPECT_EQ(flow.at("last.preheader"), "Rejoin entry");
  EXPECT_EQ(flow.at("last"), "Direct last, dynamic");
  EXPECT_EQ(flow.at("end"), "Rejoin entry");
}

TEST(Linearization, Dominators) {
  LinearizedFlow flow(kLoop, {});
  auto dominates = [&](const char* a, const char* b) {
    return (*flow).dominates(flow.place(a), flow.place(b));
  };
  EXPECT_TRUE(dominates("entry", "after"));
  EXPECT_TRUE(dominates("header", "after"));
  EXPECT_FALSE(dominates("body", "after"));
  EXPECT_TRUE(dominates("rest", "next"));
  EXPECT_FALSE(dominates("skip", "next"));
  EXPECT_TRUE(dominates("body", "body"));
}

TEST(Linearization, PathsMeetBehindLoopsThatSomeLeaveEarlier) {
  auto gathering = [](const char* code, std::set<std::string> varying) {
    return LinearizedFlow(code, std::move(varying)).gathering();
  };
  EXPECT_EQ(gathering(kLoop, {}), "");
  EXPECT_EQ(gathering(kLoop, {"header"}), "after");
  EXPECT_EQ(gathering(kLoop, {"body"}), "after");
  EXPECT_EQ(gathering(kLoop, {"rest"}), "next");
  EXPECT_EQ(gathering(kLoop, {"body", "rest"}), "next after");
  // An inner loop with two ways out, and what comes behind it in the outer one.
  constexpr char kTwo[] = R"(
    %entry = OpLabel
    OpBranch %outer
    %outer = OpLabel
    OpLoopMerge %after %again None
    OpBranchConditional %true %inner %after
    %inner = OpLabel
    OpLoopMerge %done %more None
    OpBranchConditional %true %next %done
    %next = OpLabel
    OpBranchConditional %true %more %done
    %more = OpLabel
    OpBranch %inner
    %done = OpLabel
    OpSelectionMerge %rest None
    OpBranchConditional %true %left %right
    %left = OpLabel
    OpBranch %rest
    %right = OpLabel
    OpBranch %rest
    %rest = OpLabel
    OpBranch %again
    %again = OpLabel
    OpBranch %outer
    %after = OpLabel
    OpReturn
    OpFunctionEnd)";
  EXPECT_EQ(gathering(kTwo, {"inner"}), "done");
  EXPECT_EQ(gathering(kTwo, {"next"}), "done");
  EXPECT_EQ(gathering(kTwo, {"next", "done"}), "done rest");
  EXPECT_EQ(gathering(kTwo, {"outer", "next"}), "done after");
}

}  // namespace
}  // namespace jit::simt
