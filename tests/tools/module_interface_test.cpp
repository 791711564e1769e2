// SPDX-License-Identifier: Apache-2.0

#include "tools/module_interface.h"

#include <gtest/gtest.h>

#include <spirv-tools/libspirv.hpp>

#include <algorithm>

namespace tools {
namespace {

std::vector<uint32_t> assemble(const std::string& text) {
  std::vector<uint32_t> words;
  EXPECT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(text, &words));
  return words;
}

constexpr char kModule[] = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %first "first"
    OpEntryPoint Fragment %second "second"
    OpEntryPoint GLCompute %third "a longer name"
    OpDecorate %block Block
    OpDecorate %old BufferBlock
    OpDecorate %storage DescriptorSet 1
    OpDecorate %storage Binding 2
    OpDecorate %uniform DescriptorSet 0
    OpDecorate %uniform Binding 7
    OpDecorate %older DescriptorSet 0
    OpDecorate %older Binding 3
    OpDecorate %array DescriptorSet 0
    OpDecorate %array Binding 5
    OpDecorate %alias DescriptorSet 0
    OpDecorate %alias Binding 5
    OpDecorate %unsized DescriptorSet 0
    OpDecorate %unsized Binding 6
    %uint = OpTypeInt 32 0
    %three = OpConstant %uint 3
    %block = OpTypeStruct %uint
    %old = OpTypeStruct %uint
    %blocks = OpTypeArray %block %three
    %many = OpTypeRuntimeArray %block
    %storage_block = OpTypePointer StorageBuffer %block
    %storage_blocks = OpTypePointer StorageBuffer %blocks
    %storage_many = OpTypePointer StorageBuffer %many
    %uniform_block = OpTypePointer Uniform %block
    %uniform_old = OpTypePointer Uniform %old
    %private = OpTypePointer Private %uint
    %storage = OpVariable %storage_block StorageBuffer
    %uniform = OpVariable %uniform_block Uniform
    %older = OpVariable %uniform_old Uniform
    %array = OpVariable %storage_blocks StorageBuffer
    %alias = OpVariable %storage_block StorageBuffer
    %unsized = OpVariable %storage_many StorageBuffer
    %local = OpVariable %private Private
)";

TEST(ModuleInterface, EntryPointsOfCompute) {
  EXPECT_EQ(interfaceOf(assemble(kModule)).compute_entry_points,
            (std::vector<std::string>{"first", "a longer name"}));
}

TEST(ModuleInterface, BindingsAreLaidOutBehindEachOther) {
  using jit::DescriptorKind;
  const auto bindings = interfaceOf(assemble(kModule)).bindings;
  struct {
    uint32_t set, binding;
    DescriptorKind kind;
    uint32_t count, elements_before;  // those behind the others, too
  } expected[] = {
      {0, 3, DescriptorKind::StorageBuffer, 1, 0},  // by BufferBlock
      {0, 5, DescriptorKind::StorageBuffer, 3, 2},  // the larger one of two variables
      {0, 6, DescriptorKind::StorageBuffer, 4, 6},  // length unknown
      {0, 7, DescriptorKind::UniformBuffer, 1, 11}, {1, 2, DescriptorKind::StorageBuffer, 1, 0},
  };
  ASSERT_EQ(bindings.size(), std::size(expected));
  for (size_t k = 0; k < bindings.size(); ++k) {
    EXPECT_EQ(bindings[k].set, expected[k].set) << k;
    EXPECT_EQ(bindings[k].binding, expected[k].binding) << k;
    EXPECT_EQ(bindings[k].kind, expected[k].kind) << k;
    EXPECT_EQ(bindings[k].count, expected[k].count) << k;
    EXPECT_EQ(bindings[k].offset, expected[k].elements_before * sizeof(rt::BufferDescriptor)) << k;
    EXPECT_EQ(bindings[k].dynamic_index, -1) << k;
  }
}

TEST(ModuleInterface, BrokenModulesAreReadAsFarAsTheyGo) {
  std::vector<uint32_t> words = assemble(kModule);
  for (size_t size = 0; size < words.size(); ++size) interfaceOf({words.data(), size});
  for (size_t word = 0; word < words.size(); ++word) {
    std::vector<uint32_t> broken = words;
    for (uint32_t value : {0u, ~0u, words[word] ^ 0x10000u}) {
      broken[word] = value;
      interfaceOf(broken);
    }
  }
  EXPECT_TRUE(interfaceOf({}).compute_entry_points.empty());
}

TEST(ModuleInterface, ArrayOfItselfEnds) {
  std::vector<uint32_t> words = assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpDecorate %variable DescriptorSet 0
    OpDecorate %variable Binding 0
    %uint = OpTypeInt 32 0
    %one = OpConstant %uint 1
    %array = OpTypeArray %uint %one
    %pointer = OpTypePointer StorageBuffer %array
    %variable = OpVariable %pointer StorageBuffer
  )");
  constexpr uint32_t kTypeArray = 4u << 16 | 28;
  const auto array = std::find(words.begin(), words.end(), kTypeArray);
  ASSERT_NE(array, words.end());
  array[2] = array[1];  // its element is itself
  EXPECT_EQ(interfaceOf(words).bindings.size(), 1u);
}

}  // namespace
}  // namespace tools
