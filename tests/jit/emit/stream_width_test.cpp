// SPDX-License-Identifier: Apache-2.0

// How many invocations run together.
#include "jit/emit/stream_width.h"

#include <gtest/gtest.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

// What is different from a loop of two additions to a sum of each of 64 invocations.
struct Kernel {
  std::array<uint32_t, 3> workgroup = {64, 1, 1};
  std::string in_loop;  // code, with %lane (uint), %number (float) and the counter %i
  std::string behind;   // code behind the loop
  // Whether the loop does: `i < 4`; or %divergent, `i < lane`, or %strided, `i < run_time`
  std::string goes_on = "%bounded";
  std::string first = "%u0", step = "%u1";  // of the counter
  std::string declarations, capabilities, annotations;
  uint32_t subgroup_size = 32;
  uint32_t vector_bytes = 64;
};

uint32_t widthOf(const Kernel& kernel) {
  const std::string code = R"(
      %entry = OpLabel
      %lane = OpLoad %uint %index
      %number = OpConvertUToF %float %lane
      %groups = OpLoad %vector %workgroup
      %run_time = OpCompositeExtract %uint %groups 0
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint )" + kernel.first +
                           R"( %entry %more %next
      %sum = OpPhi %float %number %entry %added %next
      %bounded = OpULessThan %bool %i %u4
      %divergent = OpULessThan %bool %i %lane
      %strided = OpULessThan %bool %i %run_time
      OpLoopMerge %after %next None
      OpBranchConditional )" +
                           kernel.goes_on + R"( %body %after
      %body = OpLabel
      )" + kernel.in_loop + R"(
      %twice = OpFAdd %float %sum %sum
      %added = OpFAdd %float %twice %number
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i )" +
                           kernel.step + R"(
      OpBranch %header
      %after = OpLabel
      )" + kernel.behind + R"(
      OpReturn
      OpFunctionEnd)";
  const std::string declarations = R"(
      %input_uint = OpTypePointer Input %uint
      %index = OpVariable %input_uint Input
      %vector = OpTypeVector %uint 3
      %input_vector = OpTypePointer Input %vector
      %workgroup = OpVariable %input_vector Input
      )" + kernel.declarations;
  std::string text = shader(declarations, code,
                            "OpDecorate %index BuiltIn LocalInvocationIndex\n"
                            "OpDecorate %workgroup BuiltIn WorkgroupId\n" +
                                kernel.annotations,
                            kernel.capabilities);
  const std::string name = "\"main\"";
  text.insert(text.find(name) + name.size(),
              kernel.declarations.find("%more_input") == std::string::npos
                  ? " %index %workgroup"
                  : " %index %workgroup %more_input");
  auto module = readGood(text);
  if (!module) return 0;
  module->workgroup_size = kernel.workgroup;
  auto structure = buildStructure(module->entry);
  if (!structure) {
    ADD_FAILURE() << llvm::toString(structure.takeError());
    return 0;
  }
  Target target{};
  target.vector_bytes = kernel.vector_bytes;
  const StreamPlan plan =
      planStream(*module, *structure, kernel.subgroup_size, coopmat::Mapping::Native, target);
  EXPECT_EQ(plan.width, plan.subgroup_size);
  return plan.width;
}

TEST(StreamWidth, IsTwiceTheSubgroupsWhereNobodyCanTell) {
  EXPECT_EQ(widthOf({}), 64u);
  EXPECT_EQ(widthOf({.subgroup_size = 16}), 32u);
  EXPECT_EQ(widthOf({.subgroup_size = 8}), 16u);
}

TEST(StreamWidth, IsASubgroupsWhereRegistersAreFull) {
  EXPECT_EQ(widthOf({.subgroup_size = 64}), 64u);
  EXPECT_EQ(widthOf({.vector_bytes = 32}), 32u);
  EXPECT_EQ(widthOf({.vector_bytes = 16}), 32u);
}

TEST(StreamWidth, IsOfWholeWorkgroupsAndLongRows) {
  auto width = [](uint32_t x, uint32_t y, uint32_t z) { return widthOf({.workgroup = {x, y, z}}); };
  EXPECT_EQ(width(128, 1, 1), 64u);
  EXPECT_EQ(width(16, 16, 1), 64u);
  EXPECT_EQ(width(32, 4, 2), 64u);
  EXPECT_EQ(width(32, 1, 1), 32u);
  EXPECT_EQ(width(96, 1, 1), 32u);
  EXPECT_EQ(width(24, 8, 1), 32u);
  EXPECT_EQ(width(8, 8, 4), 32u);
  EXPECT_EQ(width(48, 4, 1), 32u);
}

TEST(StreamWidth, IsASubgroupsWhereItCanBeSeen) {
  const std::string input = "%more_input = OpVariable %input_uint Input\n";
  for (const char* builtin :
       {"SubgroupSize", "NumSubgroups", "SubgroupId", "SubgroupLocalInvocationId"}) {
    SCOPED_TRACE(builtin);
    EXPECT_EQ(
        widthOf({.behind = "%seen = OpLoad %uint %more_input\n",
                 .declarations = input,
                 .capabilities = "OpCapability GroupNonUniform\n",
                 .annotations = std::string("OpDecorate %more_input BuiltIn ") + builtin + "\n"}),
        32u);
  }
  EXPECT_EQ(widthOf({.behind = "%seen = OpGroupNonUniformElect %bool %u3\n",
                     .capabilities = "OpCapability GroupNonUniform\n"}),
            32u);
  EXPECT_EQ(widthOf({.behind = "OpControlBarrier %u3 %u3 %u0\n"}), 32u);
  EXPECT_EQ(widthOf({.behind = "OpControlBarrier %u2 %u2 %u0\n"}), 64u);
}

// Each value takes four registers of 32.
TEST(StreamWidth, IsASubgroupsWhereALoopHoldsManyValues) {
  auto values = [](unsigned count) {
    std::string code = "%v0 = OpFMul %float %number %number\n",
                uses = "%w0 = OpFAdd %float %v0 %v0\n";
    for (unsigned v = 1; v < count; ++v) {
      const std::string n = std::to_string(v), before = std::to_string(v - 1);
      code += "%v" + n + " = OpFMul %float %v" + before + " %number\n";
      uses += "%w" + n + " = OpFAdd %float %w" + before + " %v" + n + "\n";
    }
    return code + uses;
  };
  EXPECT_EQ(widthOf({.in_loop = values(5)}), 64u);
  EXPECT_EQ(widthOf({.in_loop = values(9)}), 32u);
  // Not in the loop.
  EXPECT_EQ(widthOf({.behind = values(9)}), 64u);
}

// Counters of invocations beside each other: loops by strides run under masks at their end only.
TEST(StreamWidth, IsTwiceTheSubgroupsWhereInvocationsCountTogether) {
  auto width = [](const char* step) {
    return widthOf({.goes_on = "%strided",
                    .first = "%lane",
                    .step = step,
                    .declarations = "%u32 = OpConstant %uint 32\n%u31 = OpConstant %uint 31\n"});
  };
  EXPECT_EQ(width("%u32"), 64u);
  EXPECT_EQ(width("%u31"), 64u);
  EXPECT_EQ(width("%run_time"), 64u);
  EXPECT_EQ(width("%u4"), 32u);
  EXPECT_EQ(width("%u1"), 32u);
}

TEST(StreamWidth, IsASubgroupsWhereLoopsRunUnderMasks) {
  EXPECT_EQ(widthOf({.goes_on = "%divergent"}), 32u);
  EXPECT_EQ(widthOf({.in_loop = R"(
      %mine = OpULessThan %bool %lane %i
      OpSelectionMerge %rest None
      OpBranchConditional %mine %then %rest
      %then = OpLabel
      OpBranch %rest
      %rest = OpLabel
      )"}),
            32u);
}

}  // namespace
}  // namespace jit::spirv
