// SPDX-License-Identifier: Apache-2.0

// From where code was called that stands in the place of a call, inlined here or by whoever made
// the module.
#include <gmock/gmock.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

using testing::ElementsAre;

// Of the instruction's location and the calls around it, innermost first: "file:line:column", and
// the function for each that was called.
std::vector<std::string> chainOf(const Module& module, const Location& location) {
  std::vector<std::string> chain;
  for (Location at = location;;) {
    auto file = module.strings.find(at.file);
    std::string frame = file != module.strings.end() ? file->second : "";
    frame += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    if (at.call == 0 || at.call > module.inlined_calls.size() || chain.size() == 100) {
      EXPECT_EQ(at.call, 0u) << "no end";
      chain.push_back(frame);
      return chain;
    }
    const InlinedCall& call = module.inlined_calls[at.call - 1];
    EXPECT_FALSE(call.is_written);
    chain.push_back(frame + " " + call.function);
    at = call.at;
  }
}

// Of all stores of the module, in order.
std::vector<std::vector<std::string>> chainsOfStores(const Module& module) {
  std::vector<std::vector<std::string>> chains;
  for (const Block& block : module.entry.blocks)
    for (const Instruction& instruction : block.instructions)
      if (instruction.op == spv::Op::OpStore)
        chains.push_back(chainOf(module, instruction.location));
  return chains;
}

constexpr char kDeclarations[] = R"(
      %pointer = OpTypePointer Workgroup %uint
      %shared = OpVariable %pointer Workgroup
      %procedure = OpTypeFunction %void %uint)";

TEST(CallChain, OfCallsWithinCalls) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      OpLine %file 10 3
      OpStore %shared %u0
      OpLine %file 11 0
      %c1 = OpFunctionCall %void %outer %u1
      OpLine %file 12 0
      %c2 = OpFunctionCall %void %inner %u2
      OpLine %file 13 0
      OpStore %shared %u0
      OpReturn
      OpFunctionEnd
      %outer = OpFunction %void None %procedure
      %p = OpFunctionParameter %uint
      %outer_first = OpLabel
      OpLine %header 5 0
      %c3 = OpFunctionCall %void %inner %p
      OpLine %header 6 7
      %c4 = OpFunctionCall %void %inner %p
      OpReturn
      OpFunctionEnd
      %inner = OpFunction %void None %procedure
      %a = OpFunctionParameter %uint
      %first = OpLabel
      OpLine %header 2 4
      OpStore %shared %a
      OpReturn
      OpFunctionEnd)",
                                R"(
      %file = OpString "sum.comp"
      %header = OpString "sum.h"
      OpName %main "main"
      OpName %outer "outer(u1;"
      OpName %inner "inner(u1;")"));
  ASSERT_TRUE(module);
  EXPECT_THAT(
      chainsOfStores(*module),
      ElementsAre(ElementsAre("sum.comp:10:3"),
                  ElementsAre("sum.h:2:4 inner", "sum.h:5:0 outer", "sum.comp:11:0"),
                  ElementsAre("sum.h:2:4 inner", "sum.h:6:7 outer", "sum.comp:11:0"),
                  ElementsAre("sum.h:2:4 inner", "sum.comp:12:0"), ElementsAre("sum.comp:13:0")));
}

// A function without a name, and code without lines, are links of the chain too.
TEST(CallChain, WithoutNamesAndLines) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      %c1 = OpFunctionCall %void %inner %u1
      OpReturn
      OpFunctionEnd
      %inner = OpFunction %void None %procedure
      %a = OpFunctionParameter %uint
      %first = OpLabel
      OpStore %shared %a
      OpReturn
      OpFunctionEnd)"));
  ASSERT_TRUE(module);
  EXPECT_THAT(chainsOfStores(*module), ElementsAre(ElementsAre(":0:0 ", ":0:0")));
}

// As an optimizer leaves it behind: main calls outer in line 11, which calls inner in line 6.
constexpr char kScopes[] = R"(
      %nothing = OpExtInst %void %debug DebugInfoNone
      %source = OpExtInst %void %debug DebugSource %file
      %library = OpExtInst %void %debug DebugSource %header
      %unit = OpExtInst %void %debug DebugCompilationUnit %u1 %u4 %source %u2
      %type = OpExtInst %void %debug DebugTypeFunction %u3 %void
      %in_main = OpExtInst %void %debug DebugFunction %name_main %type %source %l10 %u0 %unit %name_main %u3 %l10
      %in_outer = OpExtInst %void %debug DebugFunction %name_outer %type %library %l5 %u0 %unit %name_outer %u3 %l5
      %in_inner = OpExtInst %void %debug DebugFunction %name_inner %type %library %u1 %u0 %unit %name_inner %u3 %u1
      %block = OpExtInst %void %debug DebugLexicalBlock %library %u2 %u0 %in_inner
      %inner_block = OpExtInst %void %debug DebugLexicalBlock %library %u3 %u0 %block
      %at_main = OpExtInst %void %debug DebugInlinedAt %l11 %in_main
      %at_outer = OpExtInst %void %debug DebugInlinedAt %l6 %in_outer %at_main)";
constexpr char kNames[] = R"(
      %file = OpString "sum.comp"
      %header = OpString "sum.h"
      %name_main = OpString "main"
      %name_outer = OpString "outer"
      %name_inner = OpString "inner")";
constexpr char kDebugInfo[] = R"(
      OpExtension "SPV_KHR_non_semantic_info"
      %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100")";

// The module with this code behind the label of main.
std::unique_ptr<Module> inlinedBefore(const std::string& code,
                                      const std::string& scopes = kScopes) {
  const std::string lines = R"(
      %l5 = OpConstant %uint 5
      %l6 = OpConstant %uint 6
      %l10 = OpConstant %uint 10
      %l11 = OpConstant %uint 11)";
  return readGood(
      shader(kDeclarations + lines + scopes, "%entry = OpLabel\n" + code, kNames, kDebugInfo));
}

TEST(CallChain, OfWhatAnOptimizerHasInlined) {
  auto module = inlinedBefore(R"(
      %s1 = OpExtInst %void %debug DebugScope %in_main
      %d1 = OpExtInst %void %debug DebugLine %source %l10 %l10 %u3 %u4
      OpStore %shared %u0
      %s2 = OpExtInst %void %debug DebugScope %in_outer %at_main
      %d2 = OpExtInst %void %debug DebugLine %library %l5 %l5 %u1 %u2
      OpStore %shared %u1
      %s3 = OpExtInst %void %debug DebugScope %inner_block %at_outer
      %d3 = OpExtInst %void %debug DebugLine %library %u2 %u2 %u4 %u4
      OpStore %shared %u2
      %s4 = OpExtInst %void %debug DebugScope %in_main
      %d4 = OpExtInst %void %debug DebugLine %source %l11 %l11 %u1 %u1
      OpStore %shared %u3
      %s5 = OpExtInst %void %debug DebugScope %in_inner %at_outer
      %s6 = OpExtInst %void %debug DebugNoScope
      OpStore %shared %u4
      OpReturn
      OpFunctionEnd)");
  ASSERT_TRUE(module);
  EXPECT_THAT(
      chainsOfStores(*module),
      ElementsAre(ElementsAre("sum.comp:10:3"), ElementsAre("sum.h:5:1 outer", "sum.comp:11:0"),
                  ElementsAre("sum.h:2:4 inner", "sum.h:6:0 outer", "sum.comp:11:0"),
                  ElementsAre("sum.comp:11:1"), ElementsAre("sum.comp:11:1")));
}

// An optimizer's calls are inside of those that are inlined here.
TEST(CallChain, OfBoth) {
  auto module = inlinedBefore(R"(
      %d1 = OpExtInst %void %debug DebugLine %source %u3 %u3 %u0 %u0
      %c1 = OpFunctionCall %void %called %u1
      %d2 = OpExtInst %void %debug DebugLine %source %u4 %u4 %u0 %u0
      %c2 = OpFunctionCall %void %called %u2
      OpReturn
      OpFunctionEnd
      %called = OpFunction %void None %procedure
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %s1 = OpExtInst %void %debug DebugScope %in_inner %at_outer
      %d3 = OpExtInst %void %debug DebugLine %library %u2 %u2 %u4 %u4
      OpStore %shared %a
      OpStore %shared %u0
      OpReturn
      OpFunctionEnd)");
  ASSERT_TRUE(module);
  const auto from = [](const char* call) {
    return ElementsAre("sum.h:2:4 inner", "sum.h:6:0 outer", "sum.comp:11:0 ", call);
  };
  EXPECT_THAT(chainsOfStores(*module), ElementsAre(from("sum.comp:3:0"), from("sum.comp:3:0"),
                                                   from("sum.comp:4:0"), from("sum.comp:4:0")));
  EXPECT_EQ(module->inlined_calls.size(), 2u + 2u * 3u) << "each call has its chain once";
}

// What makes no sense ends the chain, whatever it is.
TEST(CallChain, OfBrokenDebugInformation) {
  const std::string store = R"(
      %d = OpExtInst %void %debug DebugLine %source %u2 %u2 %u4 %u4
      OpStore %shared %u0
      OpReturn
      OpFunctionEnd)";
  const struct {
    const char* scopes;
    const char* scope;
    std::vector<std::string> chain;
  } cases[] = {
      // An inlined call that is none, or of a scope that is none.
      {"", "%in_inner %in_outer", {"sum.comp:2:4"}},
      {"", "%in_inner %u1", {"sum.comp:2:4"}},
      {"", "%u1 %at_main", {"sum.comp:2:4 ", "sum.comp:11:0"}},
      // That is inside of itself, and a block that is.
      {"%round = OpExtInst %void %debug DebugInlinedAt %l6 %in_outer %round",
       "%in_inner %round",
       {}},
      {"%loop = OpExtInst %void %debug DebugLexicalBlock %library %u3 %u0 %loop",
       "%loop %at_main",
       {"sum.comp:2:4 ", "sum.comp:11:0"}},
      // In a place that is none.
      {"%odd = OpExtInst %void %debug DebugInlinedAt %u1 %source",
       "%in_inner %odd",
       {"sum.comp:2:4 inner", ":1:0"}},
  };
  for (const auto& [scopes, scope, chain] : cases) {
    auto module =
        inlinedBefore(std::string("%s = OpExtInst %void %debug DebugScope ") + scope + store,
                      std::string(kScopes) + "\n" + scopes);
    ASSERT_TRUE(module) << scope;
    ASSERT_EQ(chainsOfStores(*module).size(), 1u);
    if (chain.empty()) continue;  // it ends, and how does not matter
    EXPECT_EQ(chainsOfStores(*module)[0], chain) << scope;
  }
}

}  // namespace
}  // namespace jit::spirv
