// SPDX-License-Identifier: Apache-2.0

// Which values have shadows, and where reports are. What the rules make of bits is tested by kernel
// files: tests/checks/uninit.
#include "jit/spirv/shadow_values.h"

#include <gtest/gtest.h>

#include "jit/spirv/internal_ops.h"
#include "jit/spirv/promote_variables.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/jit/spirv/inlined_module.h"

namespace jit::spirv {
namespace {

rt::DecisionSet only(rt::Decision decision) {
  rt::DecisionSet set;
  set.add(decision);
  return set;
}

struct Shadowed {
  std::unique_ptr<Module> module;
  unsigned reports() const { return numberOf(*module, opcode(InternalOp::ShadowReport)); }
  unsigned number(spv::Op op) const { return numberOf(*module, op); }
  unsigned number(InternalOp op) const { return numberOf(*module, opcode(op)); }
};

// Of code with the variables %a, a uint, and %n, an array of three, and with %at, which leads to a
// number of a storage buffer; %nothing is an undefined constant.
Shadowed shadowed(std::string_view code, rt::DecisionSet decisions = rt::DecisionSet::all(),
                  bool is_on = true) {
  Shadowed result;
  result.module = readGood(shader(R"(
      %array = OpTypeArray %uint %u3
      %block = OpTypeStruct %uint
      %to_block = OpTypePointer StorageBuffer %block
      %to_number = OpTypePointer StorageBuffer %uint
      %to_uint = OpTypePointer Function %uint
      %to_array = OpTypePointer Function %array
      %nothing = OpUndef %uint
      %true = OpConstantTrue %bool
      %buffer = OpVariable %to_block StorageBuffer)",
                                  "%entry = OpLabel\n%a = OpVariable %to_uint Function\n"
                                  "%n = OpVariable %to_array Function\n"
                                  "%at = OpAccessChain %to_number %buffer %u0\n" +
                                      std::string(code) + "\nOpReturn\nOpFunctionEnd\n",
                                  "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
                                  "OpDecorate %buffer DescriptorSet 0\n"
                                  "OpDecorate %buffer Binding 0\n"));
  if (result.module == nullptr) throw std::runtime_error("not read");
  promoteVariables(*result.module);
  KernelRequest request;
  if (is_on) request.checks.add(rt::Check::Uninit);
  request.undefined_decisions = decisions;
  shadowValues(*result.module, request);
  expectInlined(*result.module);
  return result;
}

TEST(ShadowValues, WithoutTheCheckNothingIsAdded) {
  const Shadowed m = shadowed("OpStore %at %nothing", rt::DecisionSet::all(), false);
  EXPECT_EQ(m.reports(), 0u);
  EXPECT_EQ(m.number(spv::Op::OpStore), 1u);
}

TEST(ShadowValues, DefinedValuesHaveNone) {
  const Shadowed m = shadowed(R"(
      OpStore %a %u3
      %x = OpLoad %uint %a
      %y = OpIAdd %uint %x %u1
      OpStore %at %y)");
  EXPECT_EQ(m.reports(), 0u);
  EXPECT_EQ(m.number(spv::Op::OpIAdd), 1u);
  // The memory is defined from here on.
  EXPECT_EQ(m.number(spv::Op::OpStore), 2u);
  EXPECT_EQ(m.number(InternalOp::ShadowPointer), 1u);
}

TEST(ShadowValues, AStoreOfAnUndefinedVariable) {
  constexpr std::string_view kCode = R"(
      %x = OpLoad %uint %a
      OpStore %at %x)";
  EXPECT_EQ(shadowed(kCode).reports(), 1u);
  EXPECT_EQ(shadowed(kCode, only(rt::Decision::Store)).reports(), 1u);
  EXPECT_EQ(shadowed(kCode, only(rt::Decision::Branch)).reports(), 0u);
}

// A loop whose counter starts with a number has no shadow, as nothing else comes into it.
TEST(ShadowValues, CountersOfLoopsAreDefined) {
  const auto loop = [](std::string_view first) {
    return shadowed("OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint " + std::string(first) +
                    R"( %entry %next %latch
      %more = OpULessThan %bool %i %u4
      OpLoopMerge %done %latch None
      OpBranchConditional %more %latch %done
      %latch = OpLabel
      %next = OpIAdd %uint %i %u1
      OpBranch %head
      %done = OpLabel)");
  };
  EXPECT_EQ(loop("%u0").reports(), 0u);
  EXPECT_EQ(loop("%u0").number(spv::Op::OpPhi), 1u);
  EXPECT_EQ(loop("%nothing").reports(), 1u);
  EXPECT_EQ(loop("%nothing").number(spv::Op::OpPhi), 2u);
}

TEST(ShadowValues, ArraysThatStayVariablesHaveOneBesideThem) {
  const Shadowed m = shadowed(R"(
      %i = OpLoad %uint %at
      %place = OpAccessChain %to_uint %n %i
      OpStore %place %u1
      %x = OpLoad %uint %place
      OpStore %at %x)");
  EXPECT_EQ(m.module->entry.variables.size(), 2u);
  EXPECT_EQ(m.reports(), 3u);  // the index, twice, and the result
  EXPECT_TRUE(m.module->entry.variables.back().is_shadow);
}

TEST(ShadowValues, AtomicsLookAtOperandAndMemory) {
  const Shadowed m = shadowed("%x = OpAtomicIAdd %uint %at %u1 %u0 %u1");
  EXPECT_EQ(m.reports(), 1u);
  EXPECT_EQ(shadowed("OpAtomicStore %at %u1 %u0 %u1").reports(), 0u);
  EXPECT_EQ(shadowed("OpAtomicStore %at %u1 %u0 %nothing").reports(), 1u);
}

}  // namespace
}  // namespace jit::spirv
