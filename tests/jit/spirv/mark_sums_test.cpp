// SPDX-License-Identifier: Apache-2.0

// Where the check of numbers looks at matrices.
#include "jit/spirv/mark_sums.h"

#include <gtest/gtest.h>

#include "jit/spirv/internal_ops.h"
#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

// A loop of multiply-adds, of halves into sums of %half or %float. %sum is the accumulator where an
// iteration begins, %next where it ends; `inside` stands behind the multiply-add, `behind` behind
// the loop.
std::unique_ptr<Module> marked(std::string_view sums, std::string_view inside,
                               std::string_view behind) {
  const std::string of(sums);
  auto module = readGood(std::string(kVersion16) + R"(
      OpCapability Shader
      OpCapability Float16
      OpCapability VulkanMemoryModel
      OpCapability CooperativeMatrixKHR
      OpExtension "SPV_KHR_cooperative_matrix"
      OpMemoryModel Logical Vulkan
      OpEntryPoint GLCompute %main "main" %shared %sums
      OpExecutionMode %main LocalSize 32 1 1
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %bool = OpTypeBool
      %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
      %half = OpTypeFloat 16
      %u0 = OpConstant %uint 0
      %u1 = OpConstant %uint 1
      %u2 = OpConstant %uint 2
      %u3 = OpConstant %uint 3
      %u16 = OpConstant %uint 16
      %a_type = OpTypeCooperativeMatrixKHR %half %u3 %u16 %u16 %u0
      %b_type = OpTypeCooperativeMatrixKHR %half %u3 %u16 %u16 %u1
      %c_type = OpTypeCooperativeMatrixKHR )" +
                         of + R"( %u3 %u16 %u16 %u2
      %c_zero = OpConstant )" +
                         of + R"( 0
      %zero = OpConstantComposite %c_type %c_zero
      %array = OpTypeArray %half %u16
      %c_array = OpTypeArray )" +
                         of + R"( %u16
      %to_array = OpTypePointer Workgroup %array
      %to_c_array = OpTypePointer Workgroup %c_array
      %to_half = OpTypePointer Workgroup %half
      %to_c = OpTypePointer Workgroup )" +
                         of + R"(
      %shared = OpVariable %to_array Workgroup
      %sums = OpVariable %to_c_array Workgroup
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %at = OpAccessChain %to_half %shared %u0
      %sums_at = OpAccessChain %to_c %sums %u0
      OpBranch %header
      %header = OpLabel
      %k = OpPhi %uint %u0 %entry %k_next %continue
      %sum = OpPhi %c_type %zero %entry %next %continue
      %more = OpULessThan %bool %k %u16
      OpLoopMerge %merge %continue None
      OpBranchConditional %more %body %merge
      %body = OpLabel
      %a = OpCooperativeMatrixLoadKHR %a_type %at %u0 %u16
      %b = OpCooperativeMatrixLoadKHR %b_type %at %u0 %u16
      %next = OpCooperativeMatrixMulAddKHR %c_type %a %b %sum
      )" + std::string(inside) +
                         R"(
      OpBranch %continue
      %continue = OpLabel
      %k_next = OpIAdd %uint %k %u1
      OpBranch %header
      %merge = OpLabel
      )" + std::string(behind) +
                         R"(
      OpReturn
      OpFunctionEnd)");
  if (module != nullptr) markSums(*module);
  return module;
}

constexpr std::string_view kHalves = "%half", kMixed = "%float";
constexpr std::string_view kStore = "OpCooperativeMatrixStoreKHR %sums_at %sum %u0 %u16";
constexpr std::string_view kStoreNext = "OpCooperativeMatrixStoreKHR %sums_at %next %u0 %u16";

constexpr spv::Op kCheck = opcode(InternalOp::CheckSum), kNote = opcode(InternalOp::NoteMatrix);

unsigned inBlockOf(const Module& module, spv::Op op, spv::Op neighbour) {
  unsigned count = 0;
  for (const Block& block : module.entry.blocks) {
    unsigned here = 0;
    bool has_neighbour = false;
    for (const Instruction& i : block.instructions) {
      here += i.op == op ? 1 : 0;
      has_neighbour |= i.op == neighbour;
    }
    if (has_neighbour) count += here;
  }
  return count;
}

TEST(MarkSums, AreLookedAtBehindTheLoop) {
  const auto module = marked(kHalves, "", kStore);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(numberOf(*module, kCheck), 1u);
  EXPECT_EQ(inBlockOf(*module, kCheck, spv::Op::OpCooperativeMatrixMulAddKHR), 0u);
  EXPECT_EQ(inBlockOf(*module, kCheck, spv::Op::OpCooperativeMatrixStoreKHR), 1u);
  EXPECT_TRUE(module->notes_operands);
}

TEST(MarkSums, AreLookedAtWhereTheLoopUsesThem) {
  const auto module = marked(kHalves, kStoreNext, kStore);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(numberOf(*module, kCheck), 2u);
  EXPECT_EQ(inBlockOf(*module, kCheck, spv::Op::OpCooperativeMatrixMulAddKHR), 1u);
}

TEST(MarkSums, AreLookedAtOnceInABlock) {
  const auto module = marked(kHalves, "", std::string(kStore) + "\n" + std::string(kStore));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(numberOf(*module, kCheck), 1u);
}

TEST(MarkSums, StandForTheirMultiplyAdd) {
  const auto module = marked(kHalves, "", kStore);
  ASSERT_NE(module, nullptr);
  uint32_t sum = 0, check = 1;
  for (const Block& block : module->entry.blocks) {
    for (const Instruction& i : block.instructions) {
      if (i.op == spv::Op::OpCooperativeMatrixMulAddKHR) sum = i.word;
      if (i.op == kCheck) check = i.word;
    }
  }
  EXPECT_EQ(check, sum);
}

TEST(MarkSums, OfWiderSumsFactorsAreNotNoted) {
  const auto module = marked(kMixed, "", kStore);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(numberOf(*module, kCheck), 1u);
  EXPECT_TRUE(module->notes_sums);
  EXPECT_FALSE(module->notes_operands);
}

TEST(MarkSums, MatricesThatAreMadeAreNoted) {
  const auto module = marked(kHalves, "", R"(
      %filling = OpCompositeExtract %half %sum 0
      %filled = OpCompositeConstruct %c_type %filling
      OpCooperativeMatrixStoreKHR %sums_at %filled %u0 %u16)");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(numberOf(*module, kCheck), 1u);
  EXPECT_EQ(numberOf(*module, kNote), 1u);
}

}  // namespace
}  // namespace jit::spirv
