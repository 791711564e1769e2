// SPDX-License-Identifier: Apache-2.0

#include "jit/pipeline/dump.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "jit/compiler.h"
#include "jit/pipeline/passes.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::test {
namespace {

constexpr char kShader[] = R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %index
      OpExecutionMode %main LocalSize 64 1 1
      OpName %mine "mine"
      OpName %ours "ours"
      OpDecorate %index BuiltIn LocalInvocationIndex
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %bool = OpTypeBool
      %uint = OpTypeInt 32 0
      %pointer = OpTypePointer Input %uint
      %u1 = OpConstant %uint 1
      %u17 = OpConstant %uint 17
      %array = OpTypeArray %uint %u17
      %local = OpTypePointer Function %array
      %place = OpTypePointer Function %uint
      %index = OpVariable %pointer Input
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %mine = OpVariable %local Function
      %ours = OpVariable %local Function
      %i = OpLoad %uint %index
      %my = OpAccessChain %place %mine %u1
      %our = OpAccessChain %place %ours %u1
      OpStore %my %i
      OpStore %our %u1
      %odd = OpUGreaterThan %bool %i %u1
      OpSelectionMerge %merge None
      OpBranchConditional %odd %then %merge
      %then = OpLabel
      OpStore %my %u1
      OpBranch %merge
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)";

// The files of one compilation, by stage and extension.
std::map<std::string, std::string> dumped(std::string_view shader = kShader,
                                          std::vector<std::string> after = {}) {
  char folder[] = "/tmp/tessera_dump_XXXXXX";
  EXPECT_NE(mkdtemp(folder), nullptr);
  Compiler::Options options;
  options.isa = rt::Isa::Reference;
  options.dump_directory = folder;
  options.dump_after = std::move(after);
  auto compiler = Compiler::create(std::move(options));
  const auto words = spirv::assemble(shader);
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "main";
  request.subgroup_size = 32;
  request.name = "a name/of any kind";
  auto kernel = std::get<0>(compiler)->compile(request);
  EXPECT_EQ(kernel.index(), 0u);
  std::map<std::string, std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename();
    std::ostringstream text;
    text << std::ifstream(file.path(), std::ios::binary).rdbuf();
    EXPECT_NE(name.find("-a_name_of_any_kind."), std::string::npos) << name;
    files[name.substr(name.rfind('-') + 1)] = text.str();
  }
  std::filesystem::remove_all(folder);
  return files;
}

TEST(Dump, HoldsEveryStage) {
  const auto files = dumped();
  for (const char* stage :
       {"spirv.spv", "spirv.spvasm", "structure.txt", "uniformity.txt", "emitted.ll", "promoted.ll",
        "workgroup.ll", "final.ll", "passes.txt", "assembly.s"})
    EXPECT_TRUE(files.contains(stage) && !files.at(stage).empty()) << stage;
}

// Where a pass has changed something.
TEST(Dump, HoldsTheIrAfterPasses) {
  const auto one = dumped(kShader, {"promote", "expand-halves-of-nothing"});
  EXPECT_EQ(one.size(), dumped().size() + 1);
  ASSERT_TRUE(one.contains("promote.ll"));
  EXPECT_NE(one.at("promote.ll").find("!tessera.kernel"), std::string::npos);
  const auto all = dumped(kShader, {"all"});
  EXPECT_TRUE(all.contains("tidy.ll"));
  EXPECT_FALSE(all.contains("unroll-stages.ll"));
}

// A dump is all that the passes need: run on the text of one stage they make the next one's.
TEST(Dump, OfAStageIsWhatPassesRunOn) {
  auto codeOf = [](const std::string& text) { return text.substr(text.find("\ndefine")); };
  const auto files = dumped();
  std::vector<std::string> passes;
  for (llvm::StringRef name : passNames()) passes.push_back(name.str());
  auto result = runPassesOnText(files.at("emitted.ll"), passes, makeTarget(rt::Isa::Reference));
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(codeOf(*result), codeOf(files.at("final.ll")));
}

TEST(Dump, SaysWhatIsUniform) {
  const std::string text = dumped().at("uniformity.txt");
  for (const char* expected : {"the branch is divergent", "a mask of its own", "all together again",
                               "varying OpUGreaterThan", "by lane 1 2 4 8 16, a multiple of 2^5",
                               "'mine': varying", "'ours': workgroup"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " is not in\n" << text;
}

// In the order of the stages, and without what is no text; no folder is needed.
TEST(Dump, GivesTheSameTextsToTheCaller) {
  auto compiler = Compiler::create({.isa = rt::Isa::Reference});
  const auto words = spirv::assemble(kShader);
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "main";
  request.subgroup_size = 32;
  request.name = "a name/of any kind";
  std::vector<Representation> collected;
  ASSERT_EQ(std::get<0>(compiler)->compile(request, {.representations = &collected}).index(), 0u);
  auto files = dumped();
  files.erase("spirv.spv");
  ASSERT_EQ(collected.size(), files.size());
  for (const Representation& each : collected) {
    if (each.stage == "passes") continue;  // it has times
    EXPECT_EQ(each.text, files[each.stage + "." + each.extension]) << each.stage;
  }
  EXPECT_EQ(collected.front().stage, "spirv");
  EXPECT_EQ(collected.back().stage, "remarks");
}

TEST(Dump, GivesNothingOfWhatIsRefused) {
  auto compiler = Compiler::create({.isa = rt::Isa::Reference});
  const auto words = spirv::assemble(kShader);
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "nowhere";
  std::vector<Representation> collected{{"old", "txt", "text"}};
  EXPECT_EQ(std::get<0>(compiler)->compile(request, {.representations = &collected}).index(), 1u);
  EXPECT_TRUE(collected.empty());
}

// What each round of a loop reads from the dispatch, it reads once in front.
TEST(Dump, ShowsPushConstantsInFrontOfLoops) {
  const std::string text = dumped(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 4
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %bool = OpTypeBool
      %uint = OpTypeInt 32 0
      %block = OpTypeStruct %uint %uint
      %block_pointer = OpTypePointer PushConstant %block
      %word = OpTypePointer PushConstant %uint
      %shared_word = OpTypePointer Workgroup %uint
      %u0 = OpConstant %uint 0
      %u1 = OpConstant %uint 1
      %push = OpVariable %block_pointer PushConstant
      %result = OpVariable %shared_word Workgroup
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %at0 = OpAccessChain %word %push %u0
      %at1 = OpAccessChain %word %push %u1
      OpBranch %loop
      %loop = OpLabel
      %i = OpPhi %uint %u0 %entry %next %continue
      OpLoopMerge %merge %continue None
      OpBranch %body
      %body = OpLabel
      %count = OpLoad %uint %at0
      %more = OpULessThan %bool %i %count
      OpBranchConditional %more %continue %merge
      %continue = OpLabel
      %factor = OpLoad %uint %at1
      %product = OpIMul %uint %factor %i
      OpStore %result %product
      %next = OpIAdd %uint %i %u1
      OpBranch %loop
      %merge = OpLabel
      OpReturn
      OpFunctionEnd)")
                               .at("final.ll");
  const size_t loop = text.find(" = phi ");
  ASSERT_NE(loop, std::string::npos) << text;
  EXPECT_EQ(text.find(" = load ", loop), std::string::npos) << text;
}

}  // namespace
}  // namespace jit::test
