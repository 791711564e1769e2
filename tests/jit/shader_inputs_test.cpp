// SPDX-License-Identifier: Apache-2.0

#include "jit/shader_inputs.h"

#include <gmock/gmock.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

using testing::ElementsAre;

constexpr const char* kDeclarations = R"(
      %two = OpConstant %uint 2
      %three = OpConstant %uint 3
      %words = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %words
      %part = OpTypeStruct %words
      %parts = OpTypeArray %part %three
      %pairs = OpTypeArray %uint %two
      %push = OpTypeStruct %uint %pairs
      %to_block = OpTypePointer StorageBuffer %block
      %to_parts = OpTypePointer StorageBuffer %parts
      %to_push = OpTypePointer PushConstant %push
      %to_uint = OpTypePointer StorageBuffer %uint
      %to_pushed = OpTypePointer PushConstant %uint
      %results = OpVariable %to_block StorageBuffer
      %many = OpVariable %to_parts StorageBuffer
      %pushed = OpVariable %to_push PushConstant)";

constexpr const char* kAnnotations = R"(
      OpName %block "Results"
      OpName %many "many"
      OpDecorate %words ArrayStride 4
      OpDecorate %pairs ArrayStride 4
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %part Block
      OpMemberDecorate %part 0 Offset 0
      OpMemberDecorate %part 0 NonWritable
      OpDecorate %push Block
      OpMemberDecorate %push 0 Offset 0
      OpMemberDecorate %push 1 Offset 4
      OpDecorate %results DescriptorSet 0
      OpDecorate %results Binding 0
      OpDecorate %many DescriptorSet 1
      OpDecorate %many Binding 4)";

ShaderInputs inputsOfMain(const std::string& body) {
  const std::vector<uint32_t> words = assemble(shader(
      kDeclarations, "%entry = OpLabel\n" + body + "OpReturn\nOpFunctionEnd\n", kAnnotations));
  const std::optional<ShaderInputs> inputs = inputsOf({.spirv = words, .entry_point = "main"});
  EXPECT_TRUE(inputs);
  return inputs.value_or(ShaderInputs());
}

constexpr const char* kStore = R"(
      %out = OpAccessChain %to_uint %results %u0 %u0
      OpStore %out %value
)";

TEST(ShaderInputs, WhatIsDeclaredIsNotUsed) {
  const ShaderInputs inputs = inputsOfMain("");
  EXPECT_TRUE(inputs.descriptors.empty());
  EXPECT_TRUE(inputs.push_constants.empty());
  EXPECT_FALSE(inputs.uses_addresses);
}

TEST(ShaderInputs, ElementsOfDescriptors) {
  const ShaderInputs inputs = inputsOfMain(std::string(R"(
      %second = OpAccessChain %to_uint %many %two %u0 %u0
      %first = OpAccessChain %to_uint %many %u0 %u0 %u0
      %a = OpLoad %uint %second
      %b = OpLoad %uint %first
      %c = OpLoad %uint %second
      %value = OpIAdd %uint %a %b)") + kStore);
  ASSERT_EQ(inputs.descriptors.size(), 2u);
  EXPECT_EQ(inputs.descriptors[0].name, "Results");
  EXPECT_TRUE(inputs.descriptors[0].is_stored);
  EXPECT_THAT(inputs.descriptors[0].elements, ElementsAre(0));
  const ShaderInputs::Descriptor& many = inputs.descriptors[1];
  EXPECT_EQ(many.set, 1u);
  EXPECT_EQ(many.binding, 4u);
  EXPECT_EQ(many.name, "many");
  EXPECT_FALSE(many.is_stored);
  EXPECT_FALSE(many.is_any);
  EXPECT_THAT(many.elements, ElementsAre(0, 2));
}

TEST(ShaderInputs, ElementsThatAreNotKnown) {
  const ShaderInputs inputs = inputsOfMain(std::string(R"(
      %at = OpAccessChain %to_uint %results %u0 %two
      %which = OpLoad %uint %at
      %some = OpAccessChain %to_uint %many %which %u0 %u0
      %value = OpLoad %uint %some)") + kStore);
  ASSERT_EQ(inputs.descriptors.size(), 2u);
  EXPECT_TRUE(inputs.descriptors[1].is_any);
}

TEST(ShaderInputs, PushConstants) {
  const ShaderInputs inputs = inputsOfMain(std::string(R"(
      %at = OpAccessChain %to_pushed %pushed %u1 %u1
      %value = OpLoad %uint %at)") + kStore);
  ASSERT_EQ(inputs.push_constants.size(), 1u);
  EXPECT_EQ(inputs.push_constants[0].begin, 8u);
  EXPECT_EQ(inputs.push_constants[0].end, 12u);
  EXPECT_FALSE(inputs.push_constants[0].is_any);
}

TEST(ShaderInputs, PushConstantsThatAreNotKnown) {
  const ShaderInputs inputs = inputsOfMain(std::string(R"(
      %first = OpAccessChain %to_pushed %pushed %u0
      %which = OpLoad %uint %first
      %at = OpAccessChain %to_pushed %pushed %u1 %which
      %value = OpLoad %uint %at)") + kStore);
  ASSERT_EQ(inputs.push_constants.size(), 2u);
  EXPECT_EQ(inputs.push_constants[1].begin, 4u);
  EXPECT_EQ(inputs.push_constants[1].end, 12u);
  EXPECT_TRUE(inputs.push_constants[1].is_any);
}

TEST(ShaderInputs, NothingOfWhatIsNoModule) {
  const uint32_t nonsense[] = {1, 2, 3};
  EXPECT_FALSE(inputsOf({.spirv = nonsense, .entry_point = "main"}));
}

}  // namespace
}  // namespace jit::spirv
