// SPDX-License-Identifier: Apache-2.0

// What instructions that call a function for the elements of a matrix become.
#include <gtest/gtest.h>

#include "jit/spirv/internal_ops.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

// A compute shader with functions of elements; `code` is what stands in "main".
std::string matrixShader(std::string_view code) {
  return std::string(kVersion16) + R"(
      OpCapability Shader
      OpCapability VulkanMemoryModel
      OpCapability CooperativeMatrixKHR
      OpCapability CooperativeMatrixPerElementOperationsEXT
      OpCapability CooperativeMatrixReductionsEXT
      OpExtension "SPV_KHR_cooperative_matrix"
      OpExtension "SPV_EXT_cooperative_matrix_maintenance1"
      OpMemoryModel Logical Vulkan
      OpEntryPoint GLCompute %main "main" %shared
      OpExecutionMode %main LocalSize 96 1 1
      OpName %header "header"
      OpName %changed "changed"
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %bool = OpTypeBool
      %float = OpTypeFloat 32
      %sint = OpTypeInt 32 1
      %uint = OpTypeInt 32 0
      %u0 = OpConstant %uint 0
      %u1 = OpConstant %uint 1
      %u2 = OpConstant %uint 2
      %u3 = OpConstant %uint 3
      %u8 = OpConstant %uint 8
      %f0 = OpConstant %float 0
      %matrix = OpTypeCooperativeMatrixKHR %float %u3 %u8 %u8 %u2
      %zero = OpConstantComposite %matrix %f0
      %array = OpTypeArray %float %u8
      %pointer = OpTypePointer Workgroup %array
      %first = OpTypePointer Workgroup %float
      %shared = OpVariable %pointer Workgroup
      %element_type = OpTypeFunction %float %sint %uint %float %float
      %combine_type = OpTypeFunction %float %float %float
      %main = OpFunction %void None %main_type)" +
         std::string(code) + R"(
      OpReturn
      OpFunctionEnd
      %apply = OpFunction %float None %element_type
      %row = OpFunctionParameter %sint
      %column = OpFunctionParameter %uint
      %x = OpFunctionParameter %float
      %y = OpFunctionParameter %float
      %apply_entry = OpLabel
      %product = OpFMul %float %x %y
      OpReturnValue %product
      OpFunctionEnd
      %add = OpFunction %float None %combine_type
      %a = OpFunctionParameter %float
      %b = OpFunctionParameter %float
      %add_entry = OpLabel
      %sum = OpFAdd %float %a %b
      OpReturnValue %sum
      OpFunctionEnd)";
}

KernelRequest subgroupsOf(uint32_t invocations) {
  KernelRequest request;
  request.subgroup_size = invocations;
  return request;
}

template <typename Predicate>
size_t count(const Module& module, Predicate fits) {
  size_t found = 0;
  for (const Block& block : module.entry.blocks) {
    for (const Instruction& instruction : block.instructions) found += fits(instruction);
    found += fits(block.terminator);
  }
  return found;
}

size_t count(const Module& module, spv::Op op) {
  return count(module, [&](const Instruction& i) { return i.op == op; });
}

constexpr char kPerElement[] = R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      %changed = OpCooperativeMatrixPerElementOpEXT %matrix %zero %apply %zero
      OpBranch %after
      %after = OpLabel)";

TEST(MatrixCalls, FunctionIsThereOnceForEachInstruction) {
  auto module = readGood(matrixShader(kPerElement), subgroupsOf(32));
  ASSERT_TRUE(module);
  expectInlined(*module);
  EXPECT_EQ(count(*module, spv::Op::OpCooperativeMatrixPerElementOpEXT), 0u);
  EXPECT_EQ(count(*module, spv::Op::OpFMul), 1u);
  EXPECT_EQ(count(*module, opcode(InternalOp::MatrixElementNumber)), 1u);
  // The value keeps its id, for names and messages.
  EXPECT_EQ(count(*module,
                  [&](const Instruction& i) {
                    return i.result != 0 && i.result == named(*module, "changed") &&
                           i.type->kind == TypeKind::CooperativeMatrix;
                  }),
            1u);
}

TEST(MatrixCalls, OnlyPhantomsNeedATest) {
  auto whole = readGood(matrixShader(kPerElement), subgroupsOf(32));
  auto phantoms = readGood(matrixShader(kPerElement), subgroupsOf(24));
  ASSERT_TRUE(whole && phantoms);
  expectInlined(*phantoms);
  EXPECT_EQ(count(*whole, spv::Op::OpBranchConditional), 1u);     // the loop's
  EXPECT_EQ(count(*phantoms, spv::Op::OpBranchConditional), 2u);  // and the test
}

TEST(MatrixCalls, LoopThatIsOneBlock) {
  auto module = readGood(matrixShader(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      %m = OpPhi %matrix %zero %entry %changed %header
      %i = OpPhi %uint %u0 %entry %i1 %header
      %changed = OpCooperativeMatrixPerElementOpEXT %matrix %m %apply %m
      %i1 = OpIAdd %uint %i %u1
      %more = OpULessThan %bool %i1 %u8
      OpLoopMerge %after %header None
      OpBranchConditional %more %header %after
      %after = OpLabel
      %last = OpPhi %matrix %changed %header
      %place = OpAccessChain %first %shared %u0
      OpCooperativeMatrixStoreKHR %place %last %u0 %u8)"),
                         subgroupsOf(32));
  ASSERT_TRUE(module);
  expectInlined(*module);
}

TEST(MatrixCalls, ReductionCombinesInOnePlace) {
  auto module = readGood(matrixShader(R"(
      %entry = OpLabel
      OpBranch %header
      %header = OpLabel
      %changed = OpCooperativeMatrixReduceEXT %matrix %zero Row %add
      %again = OpCooperativeMatrixReduceEXT %matrix %changed Row|Column %add)"),
                         subgroupsOf(32));
  ASSERT_TRUE(module);
  expectInlined(*module);
  EXPECT_EQ(count(*module, spv::Op::OpCooperativeMatrixReduceEXT), 0u);
  EXPECT_EQ(count(*module, spv::Op::OpFAdd), 2u);
  EXPECT_EQ(count(*module, opcode(InternalOp::MatrixTranspose)), 1u);
  EXPECT_EQ(count(*module, opcode(InternalOp::MatrixBroadcast)), 1u);
}

TEST(MatrixCalls, InternalOpcodesHaveNames) {
  Instruction instruction;
  instruction.op = opcode(InternalOp::MatrixElementPointer);
  instruction.result = 7;
  EXPECT_EQ(Module().describe(instruction), "MatrixElementPointer %7");
  EXPECT_EQ(internalOp(spv::Op::OpIAdd), std::nullopt);
}

}  // namespace
}  // namespace jit::spirv
