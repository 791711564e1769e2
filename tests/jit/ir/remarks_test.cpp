// SPDX-License-Identifier: Apache-2.0

// Remarks as texts, and that a compilation gives those of its shader. What is remarked on: pass
// files (tests/jit/passes/remark_*.ll).
#include "jit/base/remark.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/jit/spirv/assembled_module.h"

namespace jit {
namespace {

using ::testing::HasSubstr;

const Remark kGather{RemarkKind::Gather, "p", "it's far", "a.comp", 7, 3};
const Remark kArray{RemarkKind::ArrayInMemory, "q", "large", "", 0, 0};

TEST(Remarks, AreLinesForPeople) {
  EXPECT_EQ(describeRemarks({}), "");
  EXPECT_EQ(describeRemarks(std::vector{kGather, kArray, kGather}),
            "a.comp:7:3: gather: it's far [p] (2 times)\narray-in-memory: large [q]\n");
}

TEST(Remarks, AreOptimizationRecords) {
  EXPECT_EQ(remarksAsYaml(std::vector{kGather}),
            "--- !Missed\nPass:            'p'\nName:            'gather'\n"
            "DebugLoc:        { File: 'a.comp', Line: 7, Column: 3 }\nFunction:        main\n"
            "Args:\n  - String:          'it''s far'\n...\n");
  EXPECT_THAT(remarksAsYaml(std::vector{kArray}), testing::Not(HasSubstr("DebugLoc")));
}

// Each invocation loads a word at an index that it has loaded.
constexpr char kIndirect[] = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main" %id
  OpExecutionMode %main LocalSize 32 1 1
  %file = OpString "indirect.comp"
  OpDecorate %id BuiltIn LocalInvocationIndex
  OpDecorate %words ArrayStride 4
  OpDecorate %block Block
  OpMemberDecorate %block 0 Offset 0
  OpDecorate %buffer DescriptorSet 0
  OpDecorate %buffer Binding 0
  %void = OpTypeVoid
  %procedure = OpTypeFunction %void
  %uint = OpTypeInt 32 0
  %zero = OpConstant %uint 0
  %in = OpTypePointer Input %uint
  %id = OpVariable %in Input
  %words = OpTypeRuntimeArray %uint
  %block = OpTypeStruct %words
  %to_block = OpTypePointer StorageBuffer %block
  %to_word = OpTypePointer StorageBuffer %uint
  %buffer = OpVariable %to_block StorageBuffer
  %main = OpFunction %void None %procedure
  %entry = OpLabel
  %i = OpLoad %uint %id
  %a = OpAccessChain %to_word %buffer %zero %i
  %index = OpLoad %uint %a
  OpLine %file 12 5
  %b = OpAccessChain %to_word %buffer %zero %index
  %value = OpLoad %uint %b
  OpNoLine
  OpStore %a %value
  OpReturn
  OpFunctionEnd)";

std::vector<Remark> remarksOf(const char* shader) {
  auto compiler = Compiler::create({.isa = rt::hostIsa()});
  const auto words = spirv::assemble(shader);
  const BindingLayout binding{.set = 0,
                              .binding = 0,
                              .kind = DescriptorKind::StorageBuffer,
                              .count = 1,
                              .offset = 0,
                              .dynamic_index = -1};
  KernelRequest request;
  request.spirv = words;
  request.entry_point = "main";
  request.bindings = {&binding, 1};
  std::vector<Remark> remarks{kArray};  // is cleared
  auto kernel = std::get<0>(compiler)->compile(request, {.remarks = &remarks});
  EXPECT_EQ(kernel.index(), 0u);
  return remarks;
}

TEST(Remarks, SayWhereInTheShader) {
  const std::vector<Remark> remarks = remarksOf(kIndirect);
  ASSERT_EQ(remarks.size(), 1u) << describeRemarks(remarks);
  EXPECT_EQ(describeRemarks(remarks),
            "indirect.comp:12:5: gather: 32 elements of 32 bits: its index is read from memory "
            "[report-accesses]\n");
}

// docs/fast-shaders.md tells what to write instead.
TEST(Remarks, EachHasASectionInTheDocs) {
  std::ostringstream page;
  page << std::ifstream(TESSERA_DOCS "/fast-shaders.md").rdbuf();
#define REMARK(id, name, what) EXPECT_THAT(page.str(), HasSubstr("\n## `" name "`"));
#include "jit/base/remarks.def"
#undef REMARK
}

}  // namespace
}  // namespace jit
