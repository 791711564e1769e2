// SPDX-License-Identifier: Apache-2.0

// What is left of calls after reading.
#include <gtest/gtest.h>

#include <algorithm>

#include "jit/base/error.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

constexpr char kDeclarations[] = R"(
      %pointer = OpTypePointer Workgroup %uint
      %shared = OpVariable %pointer Workgroup
      %local = OpTypePointer Function %uint
      %unary = OpTypeFunction %uint %uint
      %procedure = OpTypeFunction %void %uint
      %true = OpConstantTrue %bool)";

size_t count(const Module& module, spv::Op op) {
  size_t found = 0;
  for (const Block& block : module.entry.blocks)
    for (const Instruction& instruction : block.instructions) found += instruction.op == op;
  return found;
}

TEST(Inline, OneReturn) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      %x = OpLoad %uint %shared
      %y = OpFunctionCall %uint %double %x
      %z = OpFunctionCall %uint %double %y
      OpStore %shared %z
      OpReturn
      OpFunctionEnd
      %double = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %sum = OpIAdd %uint %a %a
      OpReturnValue %sum
      OpFunctionEnd)",
                                R"(
      OpName %x "x"
      OpName %y "y"
      OpName %sum "sum"
      OpDecorate %sum NoUnsignedWrap)",
                                "OpExtension \"SPV_KHR_no_integer_wrap_decoration\"\n"));
  ASSERT_TRUE(module);
  expectInlined(*module);
  const auto& blocks = module->entry.blocks;
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks[0].merge_kind, MergeKind::Selection);
  EXPECT_EQ(blocks[0].merge_block, blocks[2].label);
  EXPECT_EQ(blocks[0].successors(), std::vector<Id>{blocks[1].label});
  const Instruction& sum = blocks[1].instructions[0];
  EXPECT_EQ(sum.op, spv::Op::OpIAdd);
  EXPECT_EQ(sum.operands[0], named(*module, "x"));
  EXPECT_EQ(module->names.at(sum.result), "sum");
  EXPECT_TRUE(module->decorated(sum.result).no_unsigned_wrap);
  const Instruction& value = blocks[2].instructions[0];
  EXPECT_EQ(value.op, spv::Op::OpCopyObject);
  EXPECT_EQ(value.result, named(*module, "y"));
  EXPECT_EQ(value.operands[0], sum.result);
}

TEST(Inline, SeveralReturnsMeetInAPhi) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      %x = OpLoad %uint %shared
      %y = OpFunctionCall %uint %choose %x
      OpStore %shared %y
      OpReturn
      OpFunctionEnd
      %choose = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %small = OpULessThan %bool %a %u2
      OpSelectionMerge %rest None
      OpBranchConditional %small %then %rest
      %then = OpLabel
      OpReturnValue %u1
      %rest = OpLabel
      OpReturnValue %a
      OpFunctionEnd)"));
  ASSERT_TRUE(module);
  expectInlined(*module);
  const Block& after = module->entry.blocks.back();
  ASSERT_FALSE(after.instructions.empty());
  EXPECT_EQ(after.instructions[0].op, spv::Op::OpPhi);
  EXPECT_EQ(after.instructions[0].operands.size(), 4u);
}

TEST(Inline, ReturnsFromNestedLoops) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %y %next
      %j = OpPhi %uint %u0 %entry %i %next
      OpLoopMerge %after %next None
      OpBranch %body
      %body = OpLabel
      %y = OpFunctionCall %uint %search %i
      OpBranch %next
      %next = OpLabel
      %more = OpULessThan %bool %y %u4
      OpBranchConditional %more %header %after
      %after = OpLabel
      OpStore %shared %y
      OpReturn
      OpFunctionEnd
      %search = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      OpBranch %loop
      %loop = OpLabel
      %k = OpPhi %uint %a %first %k1 %again
      OpLoopMerge %done %again None
      OpBranchConditional %true %found %again
      %found = OpLabel
      OpReturnValue %k
      %again = OpLabel
      %k1 = OpIAdd %uint %k %u1
      %end = OpULessThan %bool %k1 %u4
      OpBranchConditional %end %loop %done
      %done = OpLabel
      OpReturnValue %u4
      OpFunctionEnd)"));
  ASSERT_TRUE(module);
  expectInlined(*module);
}

TEST(Inline, CallInLoopHeader) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %i1 %next
      %y = OpFunctionCall %uint %double %i
      %more = OpULessThan %bool %y %u4
      OpLoopMerge %after %next None
      OpBranchConditional %more %body %after
      %body = OpLabel
      OpBranch %next
      %next = OpLabel
      %i1 = OpFunctionCall %uint %double %y
      OpBranch %header
      %after = OpLabel
      %last = OpPhi %uint %y %header
      OpStore %shared %last
      OpReturn
      OpFunctionEnd
      %double = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %sum = OpIAdd %uint %a %a
      OpReturnValue %sum
      OpFunctionEnd)",
                                "OpName %header \"header\""));
  ASSERT_TRUE(module);
  expectInlined(*module);
  const Id label = named(*module, "header");
  const auto header = std::find_if(module->entry.blocks.begin(), module->entry.blocks.end(),
                                   [&](const Block& block) { return block.label == label; });
  ASSERT_NE(header, module->entry.blocks.end());
  EXPECT_EQ(header->merge_kind, MergeKind::Loop);
  EXPECT_EQ(header->instructions.size(), 1u);
}

TEST(Inline, CallInSingleBlockLoop) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      OpBranch %loop
      %loop = OpLabel
      %i = OpPhi %uint %u0 %entry %y %loop
      %y = OpFunctionCall %uint %double %i
      %more = OpULessThan %bool %y %u4
      OpLoopMerge %after %loop None
      OpBranchConditional %more %loop %after
      %after = OpLabel
      %last = OpPhi %uint %y %loop
      OpStore %shared %last
      OpReturn
      OpFunctionEnd
      %double = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %sum = OpIAdd %uint %a %a
      OpReturnValue %sum
      OpFunctionEnd)",
                                "OpName %loop \"loop\""));
  ASSERT_TRUE(module);
  expectInlined(*module);
  const Block& header = module->entry.blocks[1];
  EXPECT_EQ(header.label, named(*module, "loop"));
  EXPECT_EQ(header.merge_kind, MergeKind::Loop);
  EXPECT_NE(header.continue_block, header.label);
}

TEST(Inline, SelectionAfterCallKeepsItsMerge) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      %y = OpFunctionCall %uint %double %u3
      %more = OpULessThan %bool %y %u4
      OpSelectionMerge %after None
      OpBranchConditional %more %then %after
      %then = OpLabel
      OpBranch %after
      %after = OpLabel
      %z = OpPhi %uint %u1 %entry %y %then
      OpStore %shared %z
      OpReturn
      OpFunctionEnd
      %double = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %sum = OpIAdd %uint %a %a
      OpReturnValue %sum
      OpFunctionEnd)"));
  ASSERT_TRUE(module);
  expectInlined(*module);
  EXPECT_EQ(module->entry.blocks[2].merge_kind, MergeKind::Selection);
}

TEST(Inline, NestedCallsAndVariables) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      %c1 = OpFunctionCall %void %outer %u1
      %c2 = OpFunctionCall %void %outer %u2
      OpReturn
      OpFunctionEnd
      %outer = OpFunction %void None %procedure
      %p = OpFunctionParameter %uint
      %outer_first = OpLabel
      %v = OpVariable %local Function %u3
      %r = OpFunctionCall %uint %double %p
      OpStore %v %r
      %s = OpFunctionCall %uint %double %r
      OpStore %shared %s
      OpReturn
      OpFunctionEnd
      %double = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      %w = OpVariable %local Function
      OpStore %w %a
      %b = OpLoad %uint %w
      %sum = OpIAdd %uint %b %a
      OpReturnValue %sum
      OpFunctionEnd)"));
  ASSERT_TRUE(module);
  expectInlined(*module);
  EXPECT_EQ(module->entry.variables.size(), 6u);  // 2 x (v + 2 x w)
  EXPECT_EQ(count(*module, spv::Op::OpIAdd), 4u);
  EXPECT_EQ(count(*module, spv::Op::OpStore), 10u);  // an initializer is a store at each call
  EXPECT_EQ(count(*module, spv::Op::OpLifetimeStart), 4u);  // each w, at each call
  for (const Variable& variable : module->entry.variables) EXPECT_EQ(variable.initializer, 0u);
}

TEST(Inline, CallThatNeverReturns) {
  auto module = readGood(shader(kDeclarations, R"(
      %entry = OpLabel
      OpSelectionMerge %after None
      OpBranchConditional %true %then %after
      %then = OpLabel
      %y = OpFunctionCall %uint %stuck %u3
      OpBranch %after
      %after = OpLabel
      %z = OpPhi %uint %u1 %entry %y %then
      OpStore %shared %z
      OpReturn
      OpFunctionEnd
      %stuck = OpFunction %uint None %unary
      %a = OpFunctionParameter %uint
      %first = OpLabel
      OpBranch %loop
      %loop = OpLabel
      OpLoopMerge %never %loop None
      OpBranch %loop
      %never = OpLabel
      OpUnreachable
      OpFunctionEnd)",
                                "OpName %z \"z\"\nOpName %after \"after\""));
  ASSERT_TRUE(module);
  expectInlined(*module);
  const auto after =
      std::find_if(module->entry.blocks.begin(), module->entry.blocks.end(),
                   [&](const Block& block) { return block.label == named(*module, "after"); });
  ASSERT_NE(after, module->entry.blocks.end());
  EXPECT_EQ(after->instructions[0].operands.size(), 2u);
}

TEST(Inline, UncalledFunctionsAreNotRead) {
  auto module = readGood(shader(R"(
      %image = OpTypeImage %float 2D 0 0 0 1 Unknown
      %sampled = OpTypeSampledImage %image
      %pointer = OpTypePointer UniformConstant %sampled
      %texture = OpVariable %pointer UniformConstant
      %v2 = OpTypeVector %float 2
      %v4 = OpTypeVector %float 4
      %zero = OpConstantNull %v2
      %f0 = OpConstant %float 0)",
                                R"(
      %entry = OpLabel
      OpReturn
      OpFunctionEnd
      %unused = OpFunction %void None %main_type
      %first = OpLabel
      %s = OpLoad %sampled %texture
      %c = OpImageSampleExplicitLod %v4 %s %zero Lod %f0
      OpReturn
      OpFunctionEnd)",
                                R"(
      OpDecorate %texture DescriptorSet 0
      OpDecorate %texture Binding 0)"));
  ASSERT_TRUE(module);
  EXPECT_EQ(count(*module, spv::Op::OpLoad), 0u);
}

}  // namespace
}  // namespace jit::spirv
