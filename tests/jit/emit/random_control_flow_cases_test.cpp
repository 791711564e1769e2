// SPDX-License-Identifier: Apache-2.0

// Control flow that went wrong once, reduced from random programs or found by reading, against the
// interpreter at every instruction set and subgroup size.
#include <gtest/gtest.h>

#include "tests/jit/emit/random_control_flow_run.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::test {
namespace {

// Two full subgroups of 32, and more or fewer at other sizes. `code` follows OpFunction; %lane is
// LocalInvocationIndex, %output the buffer of kOutput with a word for each of the 64 invocations
// and more behind, %flags that of kFlagBuffer.
std::string check(const std::string& declarations, const std::string& code) {
  return checkShader(spirv::assemble(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %lane_variable
      OpExecutionMode %main LocalSize 64 1 1
      OpDecorate %lane_variable BuiltIn LocalInvocationIndex
      OpDecorate %words ArrayStride 4
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %input DescriptorSet 0
      OpDecorate %input Binding 0
      OpDecorate %output DescriptorSet 0
      OpDecorate %output Binding 1
      OpDecorate %flags DescriptorSet 0
      OpDecorate %flags Binding 2
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %bool = OpTypeBool
      %uint = OpTypeInt 32 0
      %words = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %words
      %buffer = OpTypePointer StorageBuffer %block
      %element = OpTypePointer StorageBuffer %uint
      %local = OpTypePointer Function %uint
      %lane_pointer = OpTypePointer Input %uint
      %lane_variable = OpVariable %lane_pointer Input
      %input = OpVariable %buffer StorageBuffer
      %output = OpVariable %buffer StorageBuffer
      %flags = OpVariable %buffer StorageBuffer
      %u0 = OpConstant %uint 0
      %u1 = OpConstant %uint 1
      %u2 = OpConstant %uint 2
      %u3 = OpConstant %uint 3
      %u5 = OpConstant %uint 5
      %u64 = OpConstant %uint 64
      )" + declarations + R"(
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      )" + code + R"(
      OpFunctionEnd)"),
                     allRuns());
}

TEST(ControlFlowCases, NobodyIsLeftBehindAReturn) {
  // A store to one place, which takes no look at the mask.
  EXPECT_EQ(check("", R"(
      %lane = OpLoad %uint %lane_variable
      %everybody = OpULessThan %bool %lane %u64
      OpSelectionMerge %rest None
      OpBranchConditional %everybody %leave %rest
      %leave = OpLabel
      OpReturn
      %rest = OpLabel
      %flag = OpAccessChain %element %flags %u0 %u0
      OpStore %flag %u1
      OpReturn)"),
            "");
}

TEST(ControlFlowCases, LoopEndsWhenAllHaveReturned) {
  EXPECT_EQ(check("", R"(
      %lane = OpLoad %uint %lane_variable
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      OpLoopMerge %after %next None
      OpBranch %body
      %body = OpLabel
      %mine = OpUGreaterThanEqual %bool %i %lane
      OpSelectionMerge %rest None
      OpBranchConditional %mine %leave %rest
      %leave = OpLabel
      %at = OpAccessChain %element %output %u0 %lane
      OpStore %at %i
      OpReturn
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      OpUnreachable)"),
            "");
}

TEST(ControlFlowCases, OthersStillReturnWhenThisSideGoesOn) {
  EXPECT_EQ(check("", R"(
      %lane = OpLoad %uint %lane_variable
      %odd = OpBitwiseAnd %uint %lane %u1
      %is_odd = OpINotEqual %bool %odd %u0
      %first = OpAccessChain %element %output %u0 %lane
      %row = OpIAdd %uint %lane %u64
      %second = OpAccessChain %element %output %u0 %row
      OpSelectionMerge %merge None
      OpBranchConditional %is_odd %then %else
      %then = OpLabel
      OpStore %first %u1
      OpBranch %merge
      %else = OpLabel
      OpStore %first %u2
      OpReturn
      %merge = OpLabel
      OpStore %second %u3
      OpReturn)"),
            "");
}

TEST(ControlFlowCases, VariableStoredByOthersEachTimeAround) {
  // Each time around other invocations store one value for all of them: the variable holds another
  // value for each.
  EXPECT_EQ(check("", R"(
      %v = OpVariable %local Function %u5
      %lane = OpLoad %uint %lane_variable
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %u3
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %shifted = OpShiftRightLogical %uint %lane %i
      %odd = OpBitwiseAnd %uint %shifted %u1
      %mine = OpINotEqual %bool %odd %u0
      OpSelectionMerge %rest None
      OpBranchConditional %mine %store %rest
      %store = OpLabel
      %old = OpLoad %uint %v
      %row = OpIMul %uint %i %u64
      %place = OpIAdd %uint %row %lane
      %at = OpAccessChain %element %output %u0 %place
      OpStore %at %old
      OpStore %v %i
      OpBranch %rest
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      OpReturn)"),
            "");
}

}  // namespace
}  // namespace jit::test
