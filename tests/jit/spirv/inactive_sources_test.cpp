// SPDX-License-Identifier: Apache-2.0

// What is followed of values from invocations that may not be active, and where it is asked for.
#include "jit/spirv/inactive_sources.h"

#include <gtest/gtest.h>

#include "jit/spirv/internal_ops.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

// `code` may use %out, a number in a buffer, %sum and %less, which have nothing of other
// invocations, and %up, which a shuffle has read.
std::unique_ptr<Module> followed(const std::string& code) {
  std::unique_ptr<Module> module = readGood(std::string(kVersion16) + R"(
      OpCapability Shader
      OpCapability GroupNonUniform
      OpCapability GroupNonUniformArithmetic
      OpCapability GroupNonUniformShuffleRelative
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %buffer
      OpExecutionMode %main LocalSize 32 1 1
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 0
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %bool = OpTypeBool
      %uint = OpTypeInt 32 0
      %uint2 = OpTypeVector %uint 2
      %u0 = OpConstant %uint 0
      %u1 = OpConstant %uint 1
      %u3 = OpConstant %uint 3
      %block = OpTypeStruct %uint
      %to_block = OpTypePointer StorageBuffer %block
      %to_number = OpTypePointer StorageBuffer %uint
      %buffer = OpVariable %to_block StorageBuffer
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %out = OpAccessChain %to_number %buffer %u0
      %sum = OpLoad %uint %out
      %less = OpULessThan %bool %sum %u1
      %up = OpGroupNonUniformShuffleUp %uint %u3 %sum %u1
      )" + code + R"(
      OpReturn
      OpFunctionEnd)");
  if (module == nullptr) throw std::runtime_error("not read");
  followInactiveSources(*module);
  expectInlined(*module);
  return module;
}

unsigned uses(const std::string& code) {
  return numberOf(*followed(code), opcode(InternalOp::InactiveUse));
}

TEST(InactiveSources, WhatNobodyUsesIsNeverAskedFor) {
  const auto module = followed("%twice = OpIAdd %uint %up %up");
  EXPECT_EQ(numberOf(*module, opcode(InternalOp::InactiveSource)), 1u);
  EXPECT_EQ(numberOf(*module, opcode(InternalOp::InactiveUse)), 0u);
  ASSERT_EQ(inactiveSources(*module).size(), 1u);
  EXPECT_EQ(inactiveSources(*module)[0]->op, spv::Op::OpGroupNonUniformShuffleUp);
}

TEST(InactiveSources, StoresAndBranchesAsk) {
  EXPECT_EQ(uses("OpStore %out %up"), 1u);
  EXPECT_EQ(uses("%twice = OpIAdd %uint %up %sum\nOpStore %out %twice"), 1u);
  EXPECT_EQ(uses("OpStore %out %sum"), 0u);
  EXPECT_EQ(uses(R"(
      %is = OpIEqual %bool %up %u0
      OpSelectionMerge %end None
      OpBranchConditional %is %side %end
      %side = OpLabel
      OpBranch %end
      %end = OpLabel)"),
            1u);
}

TEST(InactiveSources, ReductionsAskAndShufflesMove) {
  EXPECT_EQ(uses("%all = OpGroupNonUniformIAdd %uint %u3 Reduce %up"), 1u);
  const auto module = followed(R"(
      %again = OpGroupNonUniformShuffleUp %uint %u3 %up %u1
      OpStore %out %again)");
  EXPECT_EQ(numberOf(*module, opcode(InternalOp::InactiveSource)), 2u);
  EXPECT_EQ(numberOf(*module, spv::Op::OpGroupNonUniformShuffleUp), 3u) << "one of the bits";
}

TEST(InactiveSources, ChoicesChoose) {
  const auto module = followed(R"(
      %chosen = OpSelect %uint %less %up %u0
      OpStore %out %chosen)");
  EXPECT_EQ(numberOf(*module, spv::Op::OpSelect), 3u) << "its own, the source's, and the bits'";
}

TEST(InactiveSources, PhisChoose) {
  const auto module = followed(R"(
      OpSelectionMerge %end None
      OpBranchConditional %less %side %end
      %side = OpLabel
      %added = OpIAdd %uint %sum %up
      OpBranch %end
      %end = OpLabel
      %result = OpPhi %uint %sum %entry %added %side
      OpStore %out %result)");
  EXPECT_EQ(numberOf(*module, spv::Op::OpPhi), 2u);
  EXPECT_EQ(numberOf(*module, opcode(InternalOp::InactiveUse)), 1u);
}

TEST(InactiveSources, ElementsHaveTheirOwn) {
  EXPECT_EQ(uses(R"(
      %both = OpCompositeConstruct %uint2 %up %sum
      %second = OpCompositeExtract %uint %both 1
      OpStore %out %second)"),
            0u);
  EXPECT_EQ(uses(R"(
      %both = OpCompositeConstruct %uint2 %up %sum
      %first = OpCompositeExtract %uint %both 0
      OpStore %out %first)"),
            1u);
}

}  // namespace
}  // namespace jit::spirv
