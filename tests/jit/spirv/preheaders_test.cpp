// SPDX-License-Identifier: Apache-2.0

// Blocks before loops' headers: which loops get one, and what becomes of branches and phis.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

std::string namesOf(std::string_view code) {
  std::string names;
  for (size_t end = code.find(" = "); end != std::string_view::npos;
       end = code.find(" = ", end + 1)) {
    const size_t begin = code.rfind('%', end);
    const std::string name(code.substr(begin + 1, end - begin - 1));
    names += "OpName %" + name + " \"" + name + "\"\n";
  }
  return names;
}

class WithPreheaders {
 public:
  explicit WithPreheaders(std::string_view code, std::string_view capabilities = "")
      : WithPreheaders(
            assemble(shader("%true = OpConstantTrue %bool\n", code, namesOf(code), capabilities))) {
  }
  explicit WithPreheaders(const std::vector<uint32_t>& words) {
    ReadResult result = readWords(words);
    if (result.error) throw std::runtime_error(result.error->message);
    module_ = std::move(result.module);
  }

  const Module& operator*() const { return *module_; }
  std::string name(Id id) const {
    auto found = module_->names.find(id);
    return found == module_->names.end() ? "%" : found->second;
  }
  std::string names(const std::vector<Id>& ids) const {
    std::string text;
    for (Id id : ids) text += (text.empty() ? "" : " ") + name(id);
    return text;
  }
  std::string blocks() const {
    std::vector<Id> labels;
    for (const Block& block : module_->entry.blocks) labels.push_back(block.label);
    return names(labels);
  }
  const Block& block(std::string_view wanted) const {
    for (const Block& block : module_->entry.blocks)
      if (name(block.label) == wanted) return block;
    throw std::runtime_error("no block " + std::string(wanted));
  }
  // "value parent" for each operand of the block's only phi.
  std::string phi(std::string_view of) const {
    const Block& b = block(of);
    EXPECT_EQ(b.instructions.at(0).op, spv::Op::OpPhi);
    const auto operands = b.instructions.at(0).operands;
    return names({operands.begin(), operands.end()});
  }

 private:
  std::unique_ptr<Module> module_;
};

TEST(Preheaders, LoopEnteredByOneBranchIsLeftAlone) {
  WithPreheaders m(R"(
      %entry = OpLabel
      OpSelectionMerge %before None
      OpBranchConditional %true %then %before
      %then = OpLabel
      OpBranch %before
      %before = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %after %header None
      OpBranchConditional %true %header %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(m.blocks(), "entry then before header after");
}

TEST(Preheaders, MergeBlockBecomesABlockOfItsOwn) {
  WithPreheaders m(R"(
      %entry = OpLabel
      OpSelectionMerge %header None
      OpBranchConditional %true %then %header
      %then = OpLabel
      OpBranch %header
      %header = OpLabel
      %k = OpPhi %uint %u0 %entry %u1 %then %k %next
      OpLoopMerge %after %next None
      OpBranchConditional %true %next %after
      %next = OpLabel
      OpBranch %header
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(m.blocks(), "entry then header.preheader header next after");
  EXPECT_EQ(m.name(m.block("entry").merge_block), "header.preheader");
  EXPECT_EQ(m.names(m.block("entry").successors()), "then header.preheader");
  EXPECT_EQ(m.names(m.block("then").successors()), "header.preheader");
  EXPECT_EQ(m.names(m.block("header.preheader").successors()), "header");
  EXPECT_EQ(m.names(m.block("next").successors()), "header");
  EXPECT_EQ(m.phi("header.preheader"), "% entry % then");
  EXPECT_EQ(m.phi("header"), "% header.preheader k next");
  const Instruction& merged = m.block("header.preheader").instructions.at(0);
  EXPECT_EQ(m.block("header").instructions.at(0).operands[0], merged.result);
  EXPECT_LT(merged.result, (*m).bound);
}

TEST(Preheaders, OneWayInNeedsNoPhi) {
  WithPreheaders m(R"(
      %entry = OpLabel
      OpSelectionMerge %after None
      OpBranchConditional %true %header %after
      %header = OpLabel
      %k = OpPhi %uint %u1 %entry %k %header
      OpLoopMerge %left %header None
      OpBranchConditional %true %header %left
      %left = OpLabel
      OpBranch %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(m.blocks(), "entry header.preheader header left after");
  EXPECT_TRUE(m.block("header.preheader").instructions.empty());
  EXPECT_EQ(m.phi("header"), "% header.preheader k header");
  // A loop of one block stays its own continue target.
  EXPECT_EQ(m.name(m.block("header").continue_block), "header");
}

TEST(Preheaders, ContinueTarget) {
  WithPreheaders m(R"(
      %entry = OpLabel
      OpBranch %outer
      %outer = OpLabel
      OpLoopMerge %after %inner None
      OpBranchConditional %true %body %after
      %body = OpLabel
      OpBranch %inner
      %inner = OpLabel
      OpLoopMerge %again %next None
      OpBranchConditional %true %next %again
      %next = OpLabel
      OpBranch %inner
      %again = OpLabel
      OpBranch %outer
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(m.blocks(), "entry outer body inner.preheader inner next again after");
  EXPECT_EQ(m.name(m.block("outer").continue_block), "inner.preheader");
  EXPECT_EQ(m.names(m.block("body").successors()), "inner.preheader");
  EXPECT_EQ(m.names(m.block("next").successors()), "inner");
}

TEST(Preheaders, LoopBehindALoop) {
  WithPreheaders m(R"(
      %entry = OpLabel
      OpBranch %first
      %first = OpLabel
      OpLoopMerge %second %first None
      OpBranchConditional %true %first %second
      %second = OpLabel
      OpLoopMerge %after %second None
      OpBranchConditional %true %second %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)");
  EXPECT_EQ(m.blocks(), "entry first second.preheader second after");
  EXPECT_EQ(m.names(m.block("first").successors()), "first second.preheader");
  EXPECT_EQ(m.names(m.block("second").successors()), "second after");
}

// The back edge is told by the order of control flow, not by that of the text.
TEST(Preheaders, BlocksInAnotherOrder) {
  WithPreheaders m(R"(
      %entry = OpLabel
      OpSelectionMerge %header None
      OpBranchConditional %true %then %else
      %header = OpLabel
      %k = OpPhi %uint %u0 %else %u1 %then %k %next
      OpLoopMerge %after %next None
      OpBranchConditional %true %next %after
      %after = OpLabel
      OpReturn
      %next = OpLabel
      OpBranch %header
      %else = OpLabel
      OpBranch %header
      %then = OpLabel
      OpBranch %header
      OpFunctionEnd)");
  EXPECT_EQ(m.phi("header.preheader"), "% else % then");
  EXPECT_EQ(m.phi("header"), "% header.preheader k next");
}

// Of one word or two, and one whose value is the header's id.
TEST(Preheaders, LiteralsOfASwitchStay) {
  for (const bool wide : {false, true}) {
    const std::string code = std::string("%entry = OpLabel\n") + "%number = " +
                             (wide ? "OpUConvert %long %u2" : "OpCopyObject %uint %u2") +
                             R"(
      OpSelectionMerge %after None
      OpSwitch %number %after 12345 %header 2 %other 3 %header
      %other = OpLabel
      OpBranch %header
      %header = OpLabel
      OpLoopMerge %left %header None
      OpBranchConditional %true %header %left
      %left = OpLabel
      OpBranch %after
      %after = OpLabel
      OpReturn
      OpFunctionEnd)";
    std::vector<uint32_t> words = assemble(shader(
        std::string("%true = OpConstantTrue %bool\n") + (wide ? "%long = OpTypeInt 64 0\n" : ""),
        code, namesOf(code), wide ? "OpCapability Int64\n" : ""));
    const Id header = named(*readWords(words).module, "header");
    *std::find(words.begin(), words.end(), 12345u) = header;
    WithPreheaders m(words);
    const Block& entry = m.block("entry");
    EXPECT_EQ(m.names(entry.successors()), "after header.preheader other header.preheader");
    EXPECT_EQ(entry.terminator.operands[2], header);
    EXPECT_EQ(m.names(m.block("other").successors()), "header.preheader");
  }
}

}  // namespace
}  // namespace jit::spirv
