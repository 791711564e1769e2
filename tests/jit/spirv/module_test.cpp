// SPDX-License-Identifier: Apache-2.0

// Reading: declarations, annotations, locations.
#include <gmock/gmock.h>

#include "jit/spirv/capabilities.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

using ::testing::HasSubstr;

constexpr char kEmptyMain[] = "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
constexpr auto kMalformed = CompileError::Kind::Malformed;

TEST(Module, EmptyShader) {
  auto module = readGood(shader("", kEmptyMain));
  ASSERT_TRUE(module);
  EXPECT_EQ(module->entry_name, "main");
  ASSERT_EQ(module->entry.blocks.size(), 1u);
  EXPECT_EQ(module->entry.blocks[0].terminator.op, spv::Op::OpReturn);
  EXPECT_TRUE(module->entry.blocks[0].instructions.empty());
  EXPECT_TRUE(module->has(spv::Capability::Shader));
  EXPECT_FALSE(module->has(spv::Capability::Int64));
  EXPECT_EQ(module->workgroup_size, (std::array<uint32_t, 3>{1, 1, 1}));
}

TEST(Module, StructLayout) {
  auto module = readGood(shader(R"(
      %v3 = OpTypeVector %float 3
      %m3 = OpTypeMatrix %v3 3
      %a4 = OpTypeArray %m3 %u4
      %runtime = OpTypeRuntimeArray %float
      %block = OpTypeStruct %uint %a4 %runtime
      %pointer = OpTypePointer StorageBuffer %block
      %buffer = OpVariable %pointer StorageBuffer
      %unused = OpVariable %pointer StorageBuffer
      %element = OpTypePointer StorageBuffer %uint)",
                                R"(
      %entry = OpLabel
      %p = OpAccessChain %element %buffer %u0
      OpStore %p %u1
      OpReturn
      OpFunctionEnd)",
                                R"(
      OpName %buffer "buffer"
      OpName %block "block"
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 16
      OpMemberDecorate %block 1 MatrixStride 16
      OpMemberDecorate %block 1 RowMajor
      OpMemberDecorate %block 2 Offset 208
      OpMemberDecorate %block 2 NonWritable
      OpDecorate %a4 ArrayStride 48
      OpDecorate %runtime ArrayStride 4
      OpDecorate %buffer DescriptorSet 1
      OpDecorate %buffer Binding 3
      OpDecorate %unused DescriptorSet 1
      OpDecorate %unused Binding 4)"));
  ASSERT_TRUE(module);
  ASSERT_EQ(module->variables.size(), 1u);  // the one that is reached
  const Variable& buffer = module->variables[0];
  EXPECT_EQ(buffer.id, named(*module, "buffer"));
  EXPECT_EQ(buffer.storage, spv::StorageClass::StorageBuffer);
  EXPECT_EQ(module->decorated(buffer.id).set, 1u);
  EXPECT_EQ(module->decorated(buffer.id).binding, 3u);
  const Type& block = *buffer.type->element;
  ASSERT_EQ(block.kind, TypeKind::Struct);
  EXPECT_TRUE(block.block);
  ASSERT_EQ(block.members.size(), 3u);
  EXPECT_EQ(block.members[0].offset, 0u);
  EXPECT_EQ(block.members[1].offset, 16u);
  EXPECT_EQ(block.members[1].matrix_stride, 16u);
  EXPECT_TRUE(block.members[1].row_major);
  EXPECT_EQ(block.members[1].type->array_stride, 48u);
  EXPECT_EQ(block.members[1].type->count, 4u);
  EXPECT_EQ(block.members[1].type->leaves(), 36u);
  EXPECT_EQ(block.members[1].type->naturalSize(), 144u);
  EXPECT_EQ(block.members[1].type->scalar()->kind, TypeKind::Array);
  EXPECT_EQ(block.members[1].type->element->scalar()->kind, TypeKind::Float);
  EXPECT_EQ(block.members[2].offset, 208u);
  EXPECT_TRUE(block.members[2].non_writable);
  EXPECT_EQ(block.members[2].type->kind, TypeKind::RuntimeArray);
  EXPECT_EQ(block.members[2].type->array_stride, 4u);
}

TEST(Module, NaturalLayoutIsScalarAlignment) {
  auto module =
      readGood(shader(R"(
      %short = OpTypeInt 16 0
      %long = OpTypeInt 64 0
      %v3 = OpTypeVector %short 3
      %s = OpTypeStruct %short %v3 %bool %long %short)",
                      kEmptyMain, R"(OpName %s "s")", "OpCapability Int16\nOpCapability Int64\n"));
  ASSERT_TRUE(module);
  const Type& s = *module->types.at(named(*module, "s"));
  EXPECT_EQ(s.leaves(), 7u);
  EXPECT_EQ(s.naturalAlignment(), 8u);
  EXPECT_EQ(s.naturalSize(), 32u);  // 2, 6 at 2, Bool 4 at 8, 8 at 16, 2 at 24
}

TEST(Module, DecorationGroups) {
  auto module = readGood(shader(R"(
      %block = OpTypeStruct %uint %uint
      %pointer = OpTypePointer StorageBuffer %block
      %a = OpVariable %pointer StorageBuffer
      %element = OpTypePointer StorageBuffer %uint)",
                                R"(
      %entry = OpLabel
      %p = OpAccessChain %element %a %u1
      OpStore %p %u1
      OpReturn
      OpFunctionEnd)",
                                R"(
      OpName %block "block"
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 4
      OpDecorate %members Volatile
      %members = OpDecorationGroup
      OpDecorate %variables DescriptorSet 2
      OpDecorate %variables Binding 5
      OpDecorate %variables Restrict
      %variables = OpDecorationGroup
      OpGroupDecorate %variables %a
      OpGroupMemberDecorate %members %block 1)"));
  ASSERT_TRUE(module);
  ASSERT_EQ(module->variables.size(), 1u);
  const Decorations& decorations = module->decorated(module->variables[0].id);
  EXPECT_EQ(decorations.set, 2u);
  EXPECT_EQ(decorations.binding, 5u);
  EXPECT_TRUE(decorations.restrict_);
  const Type& block = *module->types.at(named(*module, "block"));
  EXPECT_FALSE(block.members[0].is_volatile);
  EXPECT_TRUE(block.members[1].is_volatile);
}

TEST(Module, ForwardPointersMakeLists) {
  auto module = readGood(R"(
      OpCapability Shader
      OpCapability PhysicalStorageBufferAddresses
      OpExtension "SPV_KHR_physical_storage_buffer"
      OpMemoryModel PhysicalStorageBuffer64 GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 4 2 1
      OpName %node "node"
      OpDecorate %node Block
      OpMemberDecorate %node 0 Offset 0
      OpMemberDecorate %node 1 Offset 8
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      OpTypeForwardPointer %next PhysicalStorageBuffer
      %node = OpTypeStruct %next %uint
      %next = OpTypePointer PhysicalStorageBuffer %node
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      OpReturn
      OpFunctionEnd)");
  ASSERT_TRUE(module);
  const Type& node = *module->types.at(named(*module, "node"));
  ASSERT_EQ(node.members[0].type->kind, TypeKind::Pointer);
  EXPECT_EQ(node.members[0].type->element, &node);
  EXPECT_EQ(node.leaves(), 2u);
  EXPECT_EQ(module->workgroup_size, (std::array<uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(module->addressing_model, spv::AddressingModel::PhysicalStorageBuffer64);
}

constexpr char kLocationCode[] = R"(
      %entry = OpLabel
      OpLine %file 7 3
      %a = OpIAdd %uint %u1 %u2
      OpNoLine
      %b = OpIAdd %uint %a %u2
      OpLine %file 9 0
      OpBranch %next
      %next = OpLabel
      %c = OpIAdd %uint %a %b
      OpReturn
      OpFunctionEnd)";

TEST(Module, LocationsOfOpLine) {
  auto module = readGood(shader("", kLocationCode, R"(
      %file = OpString "sum.comp"
      OpName %a "a")"));
  ASSERT_TRUE(module);
  const auto& first = module->entry.blocks[0];
  ASSERT_EQ(first.instructions.size(), 2u);
  EXPECT_EQ(first.instructions[0].location.line, 7u);
  EXPECT_EQ(first.instructions[0].location.column, 3u);
  EXPECT_EQ(module->strings.at(first.instructions[0].location.file), "sum.comp");
  EXPECT_EQ(first.instructions[1].location.line, 0u);
  EXPECT_EQ(first.terminator.location.line, 9u);
  EXPECT_EQ(module->entry.blocks[1].instructions[0].location.line, 0u);
  const std::string id = "%" + std::to_string(named(*module, "a"));
  EXPECT_EQ(module->describe(first.instructions[0]), "OpIAdd " + id + " 'a' (sum.comp:7:3)");
  EXPECT_EQ(module->describe(first.terminator), "OpBranch (sum.comp:9)");
}

TEST(Module, LocationsOfDebugLine) {
  auto module = readGood(R"(
      OpCapability Shader
      OpExtension "SPV_KHR_non_semantic_info"
      %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      %file = OpString "debug.comp"
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %u1 = OpConstant %uint 1
      %u5 = OpConstant %uint 5
      %u8 = OpConstant %uint 8
      %source = OpExtInst %void %debug DebugSource %file
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %x1 = OpExtInst %void %debug DebugLine %source %u5 %u5 %u8 %u8
      %a = OpIAdd %uint %u1 %u5
      %x2 = OpExtInst %void %debug DebugNoLine
      %b = OpIAdd %uint %u1 %u5
      OpReturn
      OpFunctionEnd)");
  ASSERT_TRUE(module);
  const auto& instructions = module->entry.blocks[0].instructions;
  ASSERT_EQ(instructions.size(), 2u);
  EXPECT_EQ(instructions[0].location.line, 5u);
  EXPECT_EQ(instructions[0].location.column, 8u);
  EXPECT_EQ(module->strings.at(instructions[0].location.file), "debug.comp");
  EXPECT_EQ(instructions[1].location.line, 0u);
}

// Debug information that contradicts itself does not make a shader invalid.
TEST(Module, WrongDebugInformationIsNoReasonToRefuse) {
  auto text = [](const std::string& file, const std::string& value) {
    return R"(
      OpCapability Shader
      OpExtension "SPV_KHR_non_semantic_info"
      %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      %file = OpString "debug.comp"
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
      %u1 = OpConstant %uint 1
      %f1 = OpConstant %float 1
      %source = OpExtInst %void %debug DebugSource )" +
           file + R"(
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %a = OpIAdd %uint %u1 )" +
           value + R"(
      OpReturn
      OpFunctionEnd)";
  };
  EXPECT_TRUE(readGood(text("%file", "%u1")));
  EXPECT_TRUE(readGood(text("%u1", "%u1")));
  // What is wrong outside of it still is.
  EXPECT_THAT(readBad(text("%file", "%f1"), kMalformed), HasSubstr("IAdd"));
  EXPECT_THAT(readBad(text("%u1", "%f1"), kMalformed), HasSubstr("not valid SPIR-V"));
}

TEST(Module, FloatControls) {
  auto module = readGood(R"(
      OpCapability Shader
      OpCapability Float16
      OpCapability DenormPreserve
      OpCapability RoundingModeRTE
      OpExtension "SPV_KHR_float_controls"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpEntryPoint GLCompute %other "other"
      OpExecutionMode %main LocalSize 8 1 1
      OpExecutionMode %main DenormPreserve 16
      OpExecutionMode %main RoundingModeRTE 16
      OpExecutionMode %other LocalSize 2 3 4
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      OpReturn
      OpFunctionEnd
      %other = OpFunction %void None %main_type
      %entry2 = OpLabel
      OpReturn
      OpFunctionEnd)");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->workgroup_size[0], 8u);
  ASSERT_EQ(module->float_modes.size(), 2u);
  EXPECT_EQ(module->float_modes[0].first, spv::ExecutionMode::DenormPreserve);
  EXPECT_EQ(module->float_modes[0].second, 16u);
}

TEST(Capabilities, TableKnowsTheNewOnes) {
  EXPECT_EQ(supportOf(spv::Capability::CooperativeMatrixKHR), Support::Has);
  EXPECT_EQ(supportOf(spv::Capability::ImageQuery), Support::ByUse);
  EXPECT_EQ(supportOf(spv::Capability::RayQueryKHR), Support::No);
}

}  // namespace
}  // namespace jit::spirv
