// SPDX-License-Identifier: Apache-2.0

// The structure tree and the order of blocks, for nests of constructs and after inlining.
#include <gmock/gmock.h>

#include "jit/base/error.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

using ::testing::HasSubstr;

// Blocks are named by OpName in the text, and orders are written as names.
struct Built {
  std::unique_ptr<Module> module;
  Structure structure;

  std::string order() const {
    std::string text;
    for (uint32_t index : structure.order)
      text += (text.empty() ? "" : " ") + module->names[module->entry.blocks[index].label];
    return text;
  }
  // Names of the headers of the constructs around a block, innermost first.
  std::string around(std::string_view block) const {
    std::string text;
    uint32_t place = structure.position.at(named(*module, block));
    for (int c = structure.construct_of[place]; c > 0; c = structure.constructs[c].parent)
      text += (text.empty() ? "" : " ") + module->names[structure.constructs[c].header];
    return text;
  }
};

Built build(std::string_view code, std::string_view declarations = "",
            std::string_view capabilities = "") {
  // Gives each label its own name.
  std::string names;
  for (size_t at = code.find(" = OpLabel"); at != std::string_view::npos;
       at = code.find(" = OpLabel", at + 1)) {
    const size_t begin = code.rfind('%', at);
    const std::string name(code.substr(begin + 1, at - begin - 1));
    names += "OpName %" + name + " \"" + name + "\"\n";
  }
  const std::string conditions = std::string(declarations) + R"(
      %true = OpConstantTrue %bool
      %false = OpConstantFalse %bool
      )";
  Built built;
  built.module = readGood(shader(conditions, code, names, capabilities));
  if (!built.module) {
    built.module = std::make_unique<Module>();
    return built;
  }
  llvm::Expected<Structure> structure = buildStructure(built.module->entry);
  if (structure)
    built.structure = std::move(*structure);
  else
    ADD_FAILURE() << llvm::toString(structure.takeError());
  return built;
}

TEST(Structure, IfElse) {
  Built built = build(R"(
      %entry = OpLabel
      OpSelectionMerge %merge None
      OpBranchConditional %true %then %else
      %else = OpLabel
      OpBranch %merge
      %then = OpLabel
      OpBranch %merge
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(built.order(), "entry then else merge");
  EXPECT_EQ(built.around("then"), "entry");
  EXPECT_EQ(built.around("merge"), "");
}

TEST(Structure, LoopWithBreakAndContinue) {
  Built built = build(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %next None
      OpBranch %test
      %test = OpLabel
      OpBranchConditional %true %body %after
      %body = OpLabel
      OpSelectionMerge %rest None
      OpBranchConditional %true %skip %inner
      %skip = OpLabel
      OpBranch %next
      %inner = OpLabel
      OpSelectionMerge %joined None
      OpBranchConditional %false %leave %joined
      %leave = OpLabel
      OpBranch %after
      %joined = OpLabel
      OpBranch %rest
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      OpBranch %header
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(built.order(), "entry header test body skip inner leave joined rest next after");
  EXPECT_EQ(built.around("leave"), "inner body header");
  EXPECT_EQ(built.around("joined"), "body header");
  EXPECT_EQ(built.around("next"), "header");
  EXPECT_EQ(built.around("after"), "");
}

TEST(Structure, MergeBlockWrittenFirstComesLast) {
  // A depth-first search that follows the edges alone would put the loop's exit into the body.
  Built built = build(R"(
      %entry = OpLabel
      OpBranch %outer
      %outer = OpLabel
      OpLoopMerge %end %outer_next None
      OpBranchConditional %true %end %inner
      %inner = OpLabel
      OpLoopMerge %inner_end %inner_next None
      OpBranchConditional %true %inner_end %inner_body
      %inner_body = OpLabel
      OpBranch %inner_next
      %inner_next = OpLabel
      OpBranch %inner
      %inner_end = OpLabel
      OpBranch %outer_next
      %outer_next = OpLabel
      OpBranch %outer
      %end = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(built.order(),
            "entry outer inner.preheader inner inner_body inner_next inner_end outer_next end");
  EXPECT_EQ(built.around("inner_next"), "inner outer");
}

TEST(Structure, SwitchWithFallthroughAndReturn) {
  Built built = build(R"(
      %entry = OpLabel
      OpSelectionMerge %merge None
      OpSwitch %u3 %default 0 %zero 1 %one 2 %two
      %zero = OpLabel
      OpBranch %one
      %one = OpLabel
      OpBranch %merge
      %two = OpLabel
      OpReturn
      %default = OpLabel
      OpBranch %merge
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(built.around("one"), "entry");
  EXPECT_EQ(built.around("two"), "entry");
  const auto& position = built.structure.position;
  EXPECT_LT(position.at(named(*built.module, "zero")), position.at(named(*built.module, "one")));
  EXPECT_EQ(position.at(named(*built.module, "merge")), 5u);
}

TEST(Structure, LiteralsOfASwitchHaveTheSelectorsWidth) {
  for (const char* width : {"16", "64"}) {
    Built built =
        build(R"(
      %entry = OpLabel
      OpSelectionMerge %merge None
      OpSwitch %selector %merge 1 %one 2 %two
      %one = OpLabel
      OpBranch %merge
      %two = OpLabel
      OpBranch %merge
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)",
              std::string("%wide = OpTypeInt ") + width + " 0\n%selector = OpConstant %wide 2",
              std::string("OpCapability Int") + width + "\n");
    EXPECT_EQ(built.order(), "entry one two merge") << width;
    EXPECT_EQ(built.module->entry.blocks[0].successors().size(), 3u) << width;
  }
}

TEST(Structure, SingleBlockLoopAndUnreachableBlocks) {
  Built built = build(R"(
      %entry = OpLabel
      OpBranch %loop
      %loop = OpLabel
      OpLoopMerge %after %loop None
      OpBranchConditional %true %loop %after
      %after = OpLabel
      OpBranch %forever
      %forever = OpLabel
      OpLoopMerge %never %again None
      OpBranch %body
      %body = OpLabel
      OpSelectionMerge %dead None
      OpBranchConditional %true %a %b
      %a = OpLabel
      OpReturn
      %b = OpLabel
      OpReturn
      %dead = OpLabel
      OpUnreachable
      %again = OpLabel
      OpBranch %forever
      %never = OpLabel
      OpUnreachable
      OpFunctionEnd)");
  EXPECT_EQ(built.order(), "entry loop after forever body a b");
  EXPECT_EQ(built.around("loop"), "loop");
  EXPECT_EQ(built.around("b"), "body forever");
}

TEST(Structure, SwitchInLoopWithContinueInside) {
  Built built = build(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %next None
      OpBranch %choose
      %choose = OpLabel
      OpSelectionMerge %chosen None
      OpSwitch %u1 %chosen 0 %zero 1 %one
      %zero = OpLabel
      OpBranch %next
      %one = OpLabel
      OpBranch %after
      %chosen = OpLabel
      OpBranch %next
      %next = OpLabel
      OpBranchConditional %true %header %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(built.order(), "entry header choose zero one chosen next after");
  EXPECT_EQ(built.around("zero"), "choose header");
}

TEST(Structure, DescribesTheTree) {
  Built built = build(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %next None
      OpBranchConditional %true %next %after
      %next = OpLabel
      OpBranch %header
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  const std::string text = describeStructure(*built.module, built.structure);
  EXPECT_THAT(text, HasSubstr("'header': loop, merge"));
  EXPECT_THAT(text, HasSubstr("\n  %" + std::to_string(named(*built.module, "next"))));
}

// Unstructured functions do not pass the validator, so these are made by hand.
class Handmade {
 public:
  void block(Id label, std::vector<uint32_t> targets, MergeKind kind = MergeKind::None,
             Id merge = 0, Id next = 0) {
    Block block;
    block.label = label;
    block.merge_kind = kind;
    block.merge_block = merge;
    block.continue_block = next;
    block.terminator.op = targets.empty()       ? spv::Op::OpReturn
                          : targets.size() == 1 ? spv::Op::OpBranch
                                                : spv::Op::OpBranchConditional;
    if (targets.size() == 2) targets.insert(targets.begin(), 100);
    words_.push_back(std::move(targets));
    block.terminator.operands = words_.back();
    function_.blocks.push_back(std::move(block));
  }
  std::string messageOf() const {
    llvm::Expected<Structure> structure = buildStructure(function_);
    if (structure) return "";
    return llvm::toString(structure.takeError());
  }
  const Function& function() const { return function_; }

 private:
  Function function_;
  std::vector<std::vector<uint32_t>> words_;
};

TEST(Structure, RefusesAnEdgeIntoAConstruct) {
  Handmade h;
  h.block(1, {2, 6}, MergeKind::Selection, 7);
  h.block(2, {3, 4}, MergeKind::Selection, 5);
  h.block(3, {5});
  h.block(4, {5});
  h.block(5, {7});
  h.block(6, {3});  // into the inner one
  h.block(7, {});
  EXPECT_THAT(h.messageOf(), HasSubstr("not structured"));
}

TEST(Structure, RefusesAWayOutThatIsNoMerge) {
  Handmade h;
  h.block(1, {2, 3}, MergeKind::Selection, 4);
  h.block(2, {4});
  h.block(3, {5});  // past the merge block
  h.block(4, {5});
  h.block(5, {});
  EXPECT_THAT(h.messageOf(), HasSubstr("not structured"));
}

TEST(Structure, RefusesALoopWithoutMerge) {
  Handmade h;
  h.block(1, {2});
  h.block(2, {3});
  h.block(3, {2, 4});
  h.block(4, {});
  EXPECT_THAT(h.messageOf(), HasSubstr("%3 branches to %2"));
}

TEST(Structure, RefusesASharedMergeBlock) {
  Handmade h;
  h.block(1, {2, 3}, MergeKind::Selection, 4);
  h.block(2, {3, 4}, MergeKind::Selection, 4);
  h.block(3, {4});
  h.block(4, {});
  EXPECT_THAT(h.messageOf(), HasSubstr("merge block of both"));
}

TEST(Structure, DeepNests) {
  // 10000 selections inside each other: headers 1..n, merges n+1..2n.
  constexpr uint32_t kDepth = 10000;
  Handmade h;
  for (uint32_t i = 1; i <= kDepth; ++i) {
    const uint32_t inner = i == kDepth ? 2 * kDepth + 1 : i + 1;
    h.block(i, {inner, kDepth + i}, MergeKind::Selection, kDepth + i);
  }
  h.block(2 * kDepth + 1, {2 * kDepth});
  for (uint32_t i = kDepth; i >= 1; --i)
    h.block(kDepth + i, i == 1 ? std::vector<uint32_t>{} : std::vector<uint32_t>{kDepth + i - 1});
  llvm::Expected<Structure> structure = buildStructure(h.function());
  ASSERT_TRUE(static_cast<bool>(structure)) << llvm::toString(structure.takeError());
  EXPECT_EQ(structure->order.size(), 2 * kDepth + 1);
  EXPECT_EQ(structure->order.back(), 2 * kDepth);
}

}  // namespace
}  // namespace jit::spirv
