// Order of emission, arrivals and masks for the forms of structured control flow, each with the
// branches named in `varying` sending invocations to different places.
#include "jit/simt/linearization.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::simt {
namespace {

// Nodes are named by the labels of the text; the latch of a loop is "<header>'".
class Flow {
 public:
  Flow(const std::string& functions, std::set<std::string> varying) {
    module_ = spirv::readGood(
        spirv::shader("%true = OpConstantTrue %bool\n", functions, labelNames(functions)));
    if (!module_) throw std::runtime_error("no module");
    auto structure = spirv::buildStructure(module_->entry);
    if (!structure) throw std::runtime_error(llvm::toString(structure.takeError()));
    linearization_ = std::make_unique<Linearization>(module_->entry, *structure);
    linearization_->solve([&](uint32_t node) {
      const Node& n = linearization_->nodes()[node];
      return !n.latch && n.successors.size() > 1 && varying.contains(name(node));
    });
  }

  const Linearization& operator*() const { return *linearization_; }

  std::string name(uint32_t node) const {
    if (node == kNoNode) return "end";
    const Node& n = linearization_->nodes()[node];
    return module_->names[module_->entry.blocks[n.block].label] + (n.latch ? "'" : "");
  }
  uint32_t place(const std::string& wanted) const {
    for (uint32_t n = 0; n < linearization_->nodes().size(); ++n)
      if (name(n) == wanted) return n;
    ADD_FAILURE() << "no node " << wanted;
    return 0;
  }
  const Node& node(const std::string& wanted) const {
    return linearization_->nodes()[place(wanted)];
  }

  std::string order() const {
    std::string text;
    for (uint32_t n = 0; n < linearization_->nodes().size(); ++n)
      text += (n == 0 ? "" : " ") + name(n);
    return text;
  }
  // "Arrival class", and for those that may find nobody where the stream then goes on.
  std::string at(const std::string& wanted) const {
    static constexpr const char* kArrivals[] = {"Direct", "Rejoin", "Accumulate"};
    const Node& n = node(wanted);
    return std::string(kArrivals[static_cast<int>(n.arrival)]) + " " + name(n.mask_class) +
           (n.check ? ", else " + name(n.skip) : "") + (n.dynamic_header ? ", dynamic" : "");
  }
  std::string next(const std::string& wanted) const { return name(node(wanted).next); }

 private:
  static std::string labelNames(const std::string& code) {
    std::string names;
    for (size_t end = code.find(" = OpLabel"); end != std::string::npos;
         end = code.find(" = OpLabel", end + 1)) {
      const size_t begin = code.rfind('%', end);
      const std::string label = code.substr(begin + 1, end - begin - 1);
      names += "OpName %" + label + " \"" + label + "\"\n";
    }
    return names;
  }

  std::unique_ptr<spirv::Module> module_;
  std::unique_ptr<Linearization> linearization_;
};

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
  Flow flow(kIfElse, {});
  EXPECT_EQ(flow.order(), "entry then else merge");
  for (const char* node : {"entry", "then", "else", "merge"})
    EXPECT_EQ(flow.at(node), "Direct entry") << node;
}

TEST(Linearization, DivergentIfRunsBothSidesAndRejoins) {
  Flow flow(kIfElse, {"entry"});
  EXPECT_EQ(flow.at("entry"), "Direct entry");
  EXPECT_EQ(flow.next("entry"), "then");
  EXPECT_EQ(flow.at("then"), "Accumulate then, else else");
  EXPECT_EQ(flow.next("then"), "else");
  EXPECT_EQ(flow.at("else"), "Accumulate else, else merge");
  EXPECT_EQ(flow.next("else"), "merge");
  EXPECT_EQ(flow.at("merge"), "Rejoin entry");
}

TEST(Linearization, ReturnInOneSideLeavesFewerAfterwards) {
  Flow flow(R"(
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
  Flow flow(R"(
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
  Flow flow(R"(
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
  Flow flow(kSwitch, {});
  for (const char* node : {"one", "two", "other", "merge"})
    EXPECT_EQ(flow.at(node), "Direct entry") << node;
}

TEST(Linearization, FallthroughCollectsThoseFromAboveAndThoseWhoStartThere) {
  Flow flow(kSwitch, {"entry"});
  ASSERT_LT(flow.place("one"), flow.place("two"));
  EXPECT_EQ(flow.node("one").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.node("two").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.node("two").mask_class, flow.place("two"));
  EXPECT_TRUE(flow.node("two").check);
  EXPECT_EQ(flow.node("other").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.at("merge"), "Rejoin entry");
}

// A loop that tests in its header, with a body that may leave it or go on early.
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
  Flow flow(kLoop, {});
  EXPECT_EQ(flow.order(), "entry header body stop rest skip tail next header' after");
  for (uint32_t n = 0; n < (*flow).nodes().size(); ++n)
    EXPECT_EQ(flow.at(flow.name(n)), "Direct entry") << flow.name(n);
}

TEST(Linearization, DivergentTripCountMakesTheHeaderDynamic) {
  Flow flow(kLoop, {"header"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("body"), "Accumulate body, else after");
  EXPECT_EQ(flow.at("header'"), "Direct body");
  // Everybody who came to the loop is together again behind it.
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

TEST(Linearization, DivergentBreakMakesTheHeaderDynamic) {
  Flow flow(kLoop, {"body"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  EXPECT_EQ(flow.at("body"), "Direct header");
  EXPECT_EQ(flow.node("stop").arrival, Arrival::Accumulate);
  EXPECT_EQ(flow.at("rest"), "Accumulate rest, else after");
  EXPECT_EQ(flow.at("after"), "Rejoin entry");
}

TEST(Linearization, DivergentContinueRejoinsAtTheContinueTarget) {
  Flow flow(kLoop, {"rest"});
  EXPECT_FALSE(flow.node("header").dynamic_header);
  EXPECT_EQ(flow.at("skip"), "Accumulate skip, else tail");
  EXPECT_EQ(flow.at("tail"), "Accumulate tail, else next");
  EXPECT_EQ(flow.at("next"), "Rejoin entry");
  EXPECT_EQ(flow.at("after"), "Direct entry");
}

TEST(Linearization, ContinueCollectsWhenOthersBroke) {
  Flow flow(kLoop, {"body", "rest"});
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
  Flow flow(kReturnInLoop, {"body"});
  EXPECT_EQ(flow.at("header"), "Direct header, dynamic");
  // When the last have returned, nobody goes around for ever.
  EXPECT_TRUE(flow.node("rest").check);
  EXPECT_EQ(flow.at("next"), "Direct rest");
  // Those who are left leave together.
  EXPECT_EQ(flow.at("after"), "Direct rest");
}

TEST(Linearization, UniformReturnInALoop) {
  Flow flow(kReturnInLoop, {});
  EXPECT_EQ(flow.at("leave"), "Direct entry");
  EXPECT_EQ(flow.at("after"), "Direct entry");
  EXPECT_FALSE(flow.node("header").dynamic_header);
}

TEST(Linearization, UniformBreakPastWaitingInvocationsIsDeferred) {
  // In "outer" some wait at "else" while the others leave the loop together: a real branch to
  // "after" would forget those who wait.
  Flow flow(R"(
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
  Flow flow(R"(
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
  Flow flow(R"(
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

TEST(Linearization, ReturnsOfAnInlinedCallWaitBehindIt) {
  Flow flow(R"(
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

TEST(Linearization, Dominators) {
  Flow flow(kLoop, {});
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

}  // namespace
}  // namespace jit::simt
