// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/analysis/uniformity_of_code.h"

#include <stdexcept>

namespace jit::simt {

namespace {

// What tests use: built-ins, a uniform and a storage buffer of uints, constants.
constexpr char kDeclarations[] = R"(
    OpDecorate %local_id BuiltIn LocalInvocationId
    OpDecorate %global_id BuiltIn GlobalInvocationId
    OpDecorate %local_index BuiltIn LocalInvocationIndex
    OpDecorate %subgroup_id BuiltIn SubgroupId
    OpDecorate %workgroup_id BuiltIn WorkgroupId
    OpDecorate %num_subgroups BuiltIn NumSubgroups
    OpDecorate %words ArrayStride 16
    OpDecorate %constant_block Block
    OpMemberDecorate %constant_block 0 Offset 0
    OpDecorate %runtime_words ArrayStride 4
    OpDecorate %storage_block Block
    OpMemberDecorate %storage_block 0 Offset 0
    OpDecorate %constants DescriptorSet 0
    OpDecorate %constants Binding 0
    OpDecorate %storage DescriptorSet 0
    OpDecorate %storage Binding 1
    %void = OpTypeVoid
    %main_type = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %uvec2 = OpTypeVector %uint 2
    %uvec3 = OpTypeVector %uint 3
    %uvec4 = OpTypeVector %uint 4
    %vec2 = OpTypeVector %float 2
    %true = OpConstantTrue %bool
    %u0 = OpConstant %uint 0
    %u1 = OpConstant %uint 1
    %u2 = OpConstant %uint 2
    %u3 = OpConstant %uint 3
    %u4 = OpConstant %uint 4
    %words = OpTypeArray %uint %u4
    %constant_block = OpTypeStruct %words
    %runtime_words = OpTypeRuntimeArray %uint
    %storage_block = OpTypeStruct %runtime_words
    %input_uint = OpTypePointer Input %uint
    %input_uvec3 = OpTypePointer Input %uvec3
    %local_uint = OpTypePointer Function %uint
    %local_uvec2 = OpTypePointer Function %uvec2
    %constant_pointer = OpTypePointer Uniform %constant_block
    %constant_uint = OpTypePointer Uniform %uint
    %storage_pointer = OpTypePointer StorageBuffer %storage_block
    %storage_uint = OpTypePointer StorageBuffer %uint
    %local_id = OpVariable %input_uvec3 Input
    %global_id = OpVariable %input_uvec3 Input
    %workgroup_id = OpVariable %input_uvec3 Input
    %local_index = OpVariable %input_uint Input
    %subgroup_id = OpVariable %input_uint Input
    %num_subgroups = OpVariable %input_uint Input
    %constants = OpVariable %constant_pointer Uniform
    %storage = OpVariable %storage_pointer StorageBuffer
    )";

// Names that the analysis is asked for: all results in `code`.
std::string names(const std::string& code) {
  std::string text;
  for (size_t end = code.find(" = Op"); end != std::string::npos;
       end = code.find(" = Op", end + 1)) {
    const size_t begin = code.rfind('%', end);
    const std::string name = code.substr(begin + 1, end - begin - 1);
    text += "OpName %" + name + " \"" + name + "\"\n";
  }
  return text;
}

}  // namespace

void PrintTo(Uniformity level, std::ostream* stream) {
  static constexpr const char* kNames[] = {"Workgroup", "Subgroup", "Varying"};
  *stream << kNames[static_cast<int>(level)];
}

Analysis::Analysis(const std::string& code, const WorkgroupShape& shape,
                   const std::string& variables, const std::string& declarations,
                   const std::string& extensions) {
  const std::string body = R"(
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      )" + variables + R"(
      %lane = OpLoad %uint %local_index
      %sub = OpLoad %uint %subgroup_id
      %workgroup = OpLoad %uvec3 %workgroup_id
      %group = OpCompositeExtract %uint %workgroup 0
      %lane_less = OpULessThan %bool %lane %u2
      %sub_less = OpULessThan %bool %sub %u2
      %group_less = OpULessThan %bool %group %u2
      )" + code + R"(
      OpFunctionEnd)";
  module_ = spirv::readGood(
      "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
      "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\n"
      "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformClustered\n"
      "OpCapability GroupNonUniformQuad\n" +
      extensions + R"(
      %glsl = OpExtInstImport "GLSL.std.450"
      OpMemoryModel Logical )" +
      (extensions.empty() ? "GLSL450" : "Vulkan") + R"(
      OpEntryPoint GLCompute %main "main" %local_id %global_id %local_index %subgroup_id %workgroup_id %num_subgroups
      OpExecutionMode %main LocalSize 32 1 1
      )" +
      names(body) + kDeclarations + declarations + body);
  if (!module_) throw std::runtime_error("no module");
  auto structure = spirv::buildStructure(module_->entry);
  if (!structure) throw std::runtime_error(llvm::toString(structure.takeError()));
  linearization_ = std::make_unique<Linearization>(module_->entry, *structure);
  uniformity_ = std::make_unique<UniformityAnalysis>(*module_, shape, *linearization_);
}

}  // namespace jit::simt
