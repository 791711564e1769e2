// SPDX-License-Identifier: Apache-2.0

// Which variables of the source debuggers are told of, and where their values are said.
#include "jit/spirv/debug_variables.h"

#include <gtest/gtest.h>

#include "jit/base/debug.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/promote_variables.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

KernelRequest debugged() {
  KernelRequest request;
  request.checks.add(kDebug);
  return request;
}

constexpr std::string_view kDeclarations = R"(
    %vec2 = OpTypeVector %uint 2
    %four = OpTypeArray %uint %u4
    %to_uint = OpTypePointer Function %uint
    %to_vec2 = OpTypePointer Function %vec2
    %to_four = OpTypePointer Function %four
    %function_type = OpTypeFunction %uint %to_uint
    %pair = OpConstantComposite %vec2 %u1 %u2
)";

// What is said, in order: name of the variable, and the number of its first scalar.
std::vector<std::pair<std::string, uint32_t>> said(const Module& module) {
  std::vector<std::pair<std::string, uint32_t>> all;
  for (const Block& block : module.entry.blocks)
    for (const Instruction& i : block.instructions)
      if (i.op == opcode(InternalOp::DebugValue))
        all.emplace_back(module.debug.variables[i.operands[0]].name, i.operands[2]);
  return all;
}

using Said = std::vector<std::pair<std::string, uint32_t>>;

std::unique_ptr<Module> read(std::string_view code, std::string_view names,
                             const KernelRequest& request) {
  return readGood(shader(kDeclarations, code, names), request);
}

constexpr std::string_view kStores = R"(
    %entry = OpLabel
    %number = OpVariable %to_uint Function
    %both = OpVariable %to_vec2 Function
    %list = OpVariable %to_four Function
    %unnamed = OpVariable %to_uint Function
    OpStore %number %u1
    OpStore %unnamed %u2
    OpStore %both %pair
    %second = OpAccessChain %to_uint %both %u1
    OpStore %second %u3
    %loaded = OpLoad %uint %number
    %element = OpAccessChain %to_uint %list %loaded
    OpStore %element %u1
    OpReturn
    OpFunctionEnd)";
constexpr std::string_view kNames = R"(
    OpName %number "number"
    OpName %both "both"
    OpName %list "list")";

TEST(DebugVariables, AreSaidBehindStores) {
  const auto module = read(kStores, kNames, debugged());
  EXPECT_EQ(said(*module), (Said{{"number", 0}, {"both", 0}, {"both", 1}}));
  expectInlined(*module);
}

TEST(DebugVariables, StayInMemoryWhereAnIndexIsComputed) {
  const auto module = read(kStores, kNames, debugged());
  EXPECT_EQ(module->debug.in_memory, (std::unordered_set<Id>{named(*module, "list")}));
}

TEST(DebugVariables, BecomeValuesAllTheSame) {
  const auto module = read(kStores, kNames, debugged());
  EXPECT_EQ(promoteVariables(*module), 3u);
  EXPECT_EQ(said(*module), (Said{{"number", 0}, {"both", 0}, {"both", 1}}));
}

TEST(DebugVariables, AreNotLookedForUnasked) {
  const auto module = read(kStores, kNames, {});
  EXPECT_TRUE(module->debug.variables.empty());
  EXPECT_TRUE(said(*module).empty());
}

// glslang calls what a call passes `param`; the callee knows it by another name.
TEST(DebugVariables, OfACallHaveTheNamesOfItsFunction) {
  const auto module = read(R"(
    %entry = OpLabel
    %passed = OpVariable %to_uint Function
    OpStore %passed %u2
    %result = OpFunctionCall %uint %twice %passed
    OpReturn
    OpFunctionEnd
    %twice = OpFunction %uint None %function_type
    %x = OpFunctionParameter %to_uint
    %inside = OpLabel
    %product = OpVariable %to_uint Function
    %loaded = OpLoad %uint %x
    %doubled = OpIMul %uint %loaded %u2
    OpStore %product %doubled
    OpReturnValue %doubled
    OpFunctionEnd)",
                           R"(
    OpName %passed "param"
    OpName %x "x"
    OpName %product "product")",
                           debugged());
  EXPECT_EQ(said(*module), (Said{{"x", 0}, {"product", 0}}));
  ASSERT_EQ(module->debug.variables.size(), 2u);
  for (const DebugVariable& variable : module->debug.variables)
    EXPECT_EQ(variable.at.call, 1u) << variable.name;
}

constexpr std::string_view kDebugInfo = R"(
    OpExtension "SPV_KHR_non_semantic_info"
    %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100")";

// What an optimizer has left of a variable.
TEST(DebugVariables, AreWhatDebugValueSays) {
  const std::string module_text = shader(R"(
    %l5 = OpConstant %uint 5
    %source = OpExtInst %void %debug DebugSource %file
    %unit = OpExtInst %void %debug DebugCompilationUnit %u1 %u4 %source %u2
    %type = OpExtInst %void %debug DebugTypeBasic %name %u4 %u4 %u0
    %ftype = OpExtInst %void %debug DebugTypeFunction %u0 %void
    %function = OpExtInst %void %debug DebugFunction %mainname %ftype %source %u1 %u1 %unit %mainname %u0 %u1
    %local = OpExtInst %void %debug DebugLocalVariable %name %type %source %l5 %u3 %function %u4
    %plain = OpExtInst %void %debug DebugExpression)",
                                         R"(
    %entry = OpLabel
    %scope = OpExtInst %void %debug DebugScope %function
    %line = OpExtInst %void %debug DebugLine %source %l5 %l5 %u1 %u1
    %sum = OpIAdd %uint %u1 %u2
    %value = OpExtInst %void %debug DebugValue %local %sum %plain
    OpReturn
    OpFunctionEnd)",
                                         R"(
    %file = OpString "shader.comp"
    %mainname = OpString "main"
    %name = OpString "total")",
                                         kDebugInfo);
  const auto module = readGood(module_text, debugged());
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(said(*module), (Said{{"total", 0}}));
  ASSERT_EQ(module->debug.variables.size(), 1u);
  EXPECT_EQ(module->debug.variables[0].at.line, 5u);
  EXPECT_EQ(module->strings.at(module->debug.variables[0].at.file), "shader.comp");
  EXPECT_TRUE(module->debug.scopes.at(module->debug.variables[0].at.scope).is_function);
}

}  // namespace
}  // namespace jit::spirv
