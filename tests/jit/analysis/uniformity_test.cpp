// SPDX-License-Identifier: Apache-2.0

// Levels of values, from SPIR-V.
#include "tests/jit/analysis/uniformity_of_code.h"

namespace jit::simt {
namespace {

using Levels = std::array<Uniformity, 3>;

Levels localId(const WorkgroupShape& shape, const char* variable = "%local_id") {
  Analysis a(std::string("%id = OpLoad %uvec3 ") + variable + "\nOpReturn", shape);
  return {a.of("id", 0), a.of("id", 1), a.of("id", 2)};
}

TEST(Uniformity, LocalInvocationIdByShape) {
  EXPECT_EQ(localId({{32, 1, 1}, 32}), (Levels{kVarying, kWorkgroup, kWorkgroup}));
  EXPECT_EQ(localId({{32, 4, 1}, 32}), (Levels{kVarying, kSubgroup, kWorkgroup}));
  EXPECT_EQ(localId({{64, 4, 1}, 32}), (Levels{kVarying, kSubgroup, kWorkgroup}));
  EXPECT_EQ(localId({{16, 4, 1}, 32}), (Levels{kVarying, kVarying, kWorkgroup}));
  EXPECT_EQ(localId({{16, 4, 1}, 16}), (Levels{kVarying, kSubgroup, kWorkgroup}));
  EXPECT_EQ(localId({{8, 4, 2}, 32}), (Levels{kVarying, kVarying, kSubgroup}));
  EXPECT_EQ(localId({{8, 4, 2}, 8}), (Levels{kVarying, kSubgroup, kSubgroup}));
  EXPECT_EQ(localId({{1, 40, 1}, 8}), (Levels{kWorkgroup, kVarying, kWorkgroup}));
  EXPECT_EQ(localId({{48, 2, 1}, 32}), (Levels{kVarying, kVarying, kWorkgroup}));
  EXPECT_EQ(localId({{1, 1, 1}, 32}), (Levels{kWorkgroup, kWorkgroup, kWorkgroup}));
}

// What the invocations of a subgroup share, those of several do not.
TEST(Uniformity, BuiltinsInAWideStream) {
  EXPECT_EQ(localId({{32, 4, 1}, 32, 128}), (Levels{kVarying, kVarying, kWorkgroup}));
  EXPECT_EQ(localId({{8, 4, 2}, 32, 64}), (Levels{kVarying, kVarying, kVarying}));
  EXPECT_EQ(localId({{100, 1, 1}, 32, 128}), (Levels{kVarying, kWorkgroup, kWorkgroup}));
  Analysis a(R"(
      %count = OpLoad %uint %num_subgroups
      OpReturn)",
             kWideStream);
  EXPECT_EQ(a.of("sub"), kVarying);
  EXPECT_EQ(a.of("group"), kWorkgroup);
  EXPECT_EQ(a.of("count"), kWorkgroup);
}

// A stream reads memory once for all of its invocations, however wide it is.
TEST(Uniformity, LoadsInAWideStream) {
  Analysis a(R"(
      %c_sub = OpAccessChain %constant_uint %constants %u0 %sub
      %from_constants_by_sub = OpLoad %uint %c_sub
      %s_group = OpAccessChain %storage_uint %storage %u0 %group
      %from_storage = OpLoad %uint %s_group
      %next = OpIAdd %uint %from_storage %u1
      OpReturn)",
             kWideStream);
  EXPECT_EQ(a.of("from_constants_by_sub"), kVarying);
  EXPECT_EQ(a.of("from_storage"), kSubgroup);
  EXPECT_EQ(a.of("next"), kSubgroup);
}

// Each subgroup of a wide stream has a result of its own, unless all bring and get the same.
TEST(Uniformity, GroupOperationsInAWideStream) {
  const std::string code = R"(
      %any = OpGroupNonUniformAny %bool %u3 %lane_less
      %sum = OpGroupNonUniformIAdd %uint %u3 Reduce %lane
      %first = OpGroupNonUniformBroadcastFirst %uint %u3 %lane
      %moved = OpGroupNonUniformShuffle %uint %u3 %group %lane
      %ballot = OpGroupNonUniformBallot %uvec4 %u3 %lane_less
      %count = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %ballot
      OpReturn)";
  Analysis narrow(code), wide(code, kWideStream);
  for (const char* name : {"any", "sum", "first", "ballot", "count"}) {
    EXPECT_EQ(narrow.of(name), kSubgroup) << name;
    EXPECT_EQ(wide.of(name), kVarying) << name;
  }
  EXPECT_EQ(wide.of("moved"), kWorkgroup);
}

// A branch that subgroups take differently divides a wide stream.
TEST(Uniformity, BranchesOfSubgroupsInAWideStream) {
  const std::string code = R"(
      OpSelectionMerge %after None
      OpBranchConditional %sub_less %then %after
      %then = OpLabel
      OpBranch %after
      %after = OpLabel
      %joined = OpPhi %uint %u1 %entry %u2 %then
      OpReturn)";
  Analysis narrow(code), wide(code, kWideStream);
  EXPECT_FALSE(narrow->branchVaries(narrow.node("entry")));
  EXPECT_EQ(narrow.of("joined"), kSubgroup);
  EXPECT_TRUE(wide->branchVaries(wide.node("entry")));
  EXPECT_EQ(wide.of("joined"), kVarying);
}

TEST(Uniformity, GlobalInvocationIdIsAsTheLocalOne) {
  EXPECT_EQ(localId({{32, 4, 1}, 32}, "%global_id"), (Levels{kVarying, kSubgroup, kWorkgroup}));
}

TEST(Uniformity, ComponentsOfBuiltinsThroughPointers) {
  Analysis a(R"(
      %x_at = OpAccessChain %input_uint %local_id %u0
      %x = OpLoad %uint %x_at
      %y_at = OpAccessChain %input_uint %local_id %u1
      %y = OpLoad %uint %y_at
      %some_at = OpAccessChain %input_uint %local_id %group
      %some = OpLoad %uint %some_at
      %all = OpLoad %uvec3 %local_id
      %all_y = OpCompositeExtract %uint %all 1
      OpReturn)",
             {{32, 4, 1}, 32});
  EXPECT_EQ(a.of("x"), kVarying);
  EXPECT_EQ(a.of("y"), kSubgroup);
  EXPECT_EQ(a.of("some"), kVarying);
  EXPECT_EQ(a.of("all_y"), kSubgroup);
}

TEST(Uniformity, OtherBuiltins) {
  Analysis a(R"(
      %count = OpLoad %uint %num_subgroups
      OpReturn)");
  EXPECT_EQ(a.of("lane"), kVarying);
  EXPECT_EQ(a.of("sub"), kSubgroup);
  EXPECT_EQ(a.of("group"), kWorkgroup);
  EXPECT_EQ(a.of("count"), kWorkgroup);
}

TEST(Uniformity, LoadsByStorageAndIndex) {
  Analysis a(R"(
      %c_group = OpAccessChain %constant_uint %constants %u0 %group
      %from_constants = OpLoad %uint %c_group
      %c_sub = OpAccessChain %constant_uint %constants %u0 %sub
      %from_constants_by_sub = OpLoad %uint %c_sub
      %s_group = OpAccessChain %storage_uint %storage %u0 %group
      %from_storage = OpLoad %uint %s_group
      %s_lane = OpAccessChain %storage_uint %storage %u0 %lane
      %from_storage_by_lane = OpLoad %uint %s_lane
      OpReturn)");
  EXPECT_EQ(a.of("from_constants"), kWorkgroup);
  EXPECT_EQ(a.of("from_constants_by_sub"), kSubgroup);
  // Other subgroups may store there in between.
  EXPECT_EQ(a.of("from_storage"), kSubgroup);
  EXPECT_EQ(a.of("from_storage_by_lane"), kVarying);
}

TEST(Uniformity, ArithmeticJoinsItsOperands) {
  Analysis a(R"(
      %gg = OpIAdd %uint %group %u1
      %gs = OpIAdd %uint %group %sub
      %sl = OpIAdd %uint %sub %lane
      OpReturn)");
  EXPECT_EQ(a.of("gg"), kWorkgroup);
  EXPECT_EQ(a.of("gs"), kSubgroup);
  EXPECT_EQ(a.of("sl"), kVarying);
}

TEST(Uniformity, SubgroupOperations) {
  Analysis a(R"(
      %elected = OpGroupNonUniformElect %bool %u3
      %any = OpGroupNonUniformAny %bool %u3 %lane_less
      %all = OpGroupNonUniformAll %bool %u3 %lane_less
      %equal = OpGroupNonUniformAllEqual %bool %u3 %lane
      %ballot = OpGroupNonUniformBallot %uvec4 %u3 %lane_less
      %first = OpGroupNonUniformBroadcastFirst %uint %u3 %lane
      %third = OpGroupNonUniformBroadcast %uint %u3 %lane %u3
      %sum = OpGroupNonUniformIAdd %uint %u3 Reduce %lane
      %scan = OpGroupNonUniformIAdd %uint %u3 InclusiveScan %sub
      %some = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %u4
      %whole = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %lane %u32
      OpReturn)",
             kFourSubgroups, "", "%u32 = OpConstant %uint 32\n");
  for (const char* name : {"elected", "scan", "some"}) EXPECT_EQ(a.of(name), kVarying) << name;
  for (const char* name : {"any", "all", "equal", "ballot", "first", "third", "sum", "whole"})
    EXPECT_EQ(a.of(name), kSubgroup) << name;
}

// What all live invocations bring is what each of them gets, whomever it reads.
TEST(Uniformity, MovedValues) {
  Analysis a(R"(
      %own = OpGroupNonUniformShuffle %uint %u3 %lane %lane
      %one = OpGroupNonUniformShuffle %uint %u3 %lane %sub
      %shared = OpGroupNonUniformShuffle %uint %u3 %group %lane
      %swapped = OpGroupNonUniformQuadSwap %uint %u3 %lane %u0
      %pair = OpCompositeConstruct %uvec2 %sub %lane
      %moved = OpGroupNonUniformShuffleXor %uvec2 %u3 %pair %u1
      OpReturn)");
  EXPECT_EQ(a.of("own"), kVarying);
  EXPECT_EQ(a.of("one"), kSubgroup);
  EXPECT_EQ(a.of("shared"), kWorkgroup);
  EXPECT_EQ(a.of("swapped"), kVarying);
  EXPECT_EQ(a.of("moved", 0), kSubgroup);
  EXPECT_EQ(a.of("moved", 1), kVarying);
}

// Ballots that all share are counted once, others by each invocation.
TEST(Uniformity, Ballots) {
  Analysis a(R"(
      %ballot = OpGroupNonUniformBallot %uvec4 %u3 %lane_less
      %other = OpCompositeConstruct %uvec4 %lane %u0 %u0 %u0
      %count = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %ballot
      %below = OpGroupNonUniformBallotBitCount %uint %u3 ExclusiveScan %ballot
      %others = OpGroupNonUniformBallotBitCount %uint %u3 Reduce %other
      %lowest = OpGroupNonUniformBallotFindLSB %uint %u3 %ballot
      %own_bit = OpGroupNonUniformInverseBallot %bool %u3 %ballot
      %third_bit = OpGroupNonUniformBallotBitExtract %bool %u3 %ballot %u3
      %its_bit = OpGroupNonUniformBallotBitExtract %bool %u3 %ballot %lane
      OpReturn)");
  for (const char* name : {"count", "lowest", "third_bit"})
    EXPECT_EQ(a.of(name), kSubgroup) << name;
  for (const char* name : {"below", "others", "own_bit", "its_bit"})
    EXPECT_EQ(a.of(name), kVarying) << name;
}

TEST(Uniformity, ComponentsHaveLevelsOfTheirOwn) {
  Analysis a(R"(
      %v = OpCompositeConstruct %uvec3 %lane %sub %group
      %sum = OpIAdd %uvec3 %v %workgroup
      %swapped = OpVectorShuffle %uvec3 %v %sum 2 4 0
      %inserted = OpCompositeInsert %uvec3 %u1 %v 0
      %second = OpCompositeExtract %uint %v 1
      %pair = OpCompositeConstruct %uvec2 %group %lane
      %both = OpCompositeConstruct %uvec3 %sub %pair
      %chosen = OpVectorExtractDynamic %uint %v %group
      OpReturn)");
  auto levels = [&](const char* name) {
    return Levels{a.of(name, 0), a.of(name, 1), a.of(name, 2)};
  };
  EXPECT_EQ(levels("v"), (Levels{kVarying, kSubgroup, kWorkgroup}));
  EXPECT_EQ(levels("sum"), (Levels{kVarying, kSubgroup, kWorkgroup}));
  EXPECT_EQ(levels("swapped"), (Levels{kWorkgroup, kSubgroup, kVarying}));
  EXPECT_EQ(levels("both"), (Levels{kSubgroup, kWorkgroup, kVarying}));
  EXPECT_EQ(a.of("second"), kSubgroup);
  EXPECT_EQ(levels("inserted"), (Levels{kWorkgroup, kSubgroup, kWorkgroup}));
  EXPECT_EQ(a.of("chosen"), kVarying);
  EXPECT_EQ(a->whole(a.id("v")), kVarying);
}

TEST(Uniformity, OperationsOnWholeVectorsMixComponents) {
  Analysis a(R"(
      %l = OpConvertUToF %float %lane
      %g = OpConvertUToF %float %group
      %v = OpCompositeConstruct %vec2 %l %g
      %converted = OpConvertFToU %uvec2 %v
      %dot = OpDot %float %v %v
      %unit = OpExtInst %vec2 %glsl Normalize %v
      OpReturn)");
  EXPECT_EQ(a.of("converted", 1), kWorkgroup);
  EXPECT_EQ(a.of("dot"), kVarying);
  EXPECT_EQ(a.of("unit", 1), kVarying);
}

TEST(Uniformity, MatricesAreOfTheSubgroupAndTheirComponentsVary) {
  const char* declarations = R"(
      %half = OpTypeFloat 16
      %u16 = OpConstant %uint 16
      %matrix = OpTypeCooperativeMatrixKHR %half %u3 %u16 %u16 %u0
      %local_matrix = OpTypePointer Function %matrix
      %matrices = OpTypeArray %matrix %u2
      %local_matrices = OpTypePointer Function %matrices
      %local_half = OpTypePointer Function %half
      %zero_half = OpConstant %half 0
      %zero = OpConstantComposite %matrix %zero_half
      )";
  Analysis a(R"(
      %one = OpAccessChain %local_matrix %array %group
      OpStore %one %zero
      %loaded = OpLoad %matrix %one
      %sum = OpFAdd %matrix %loaded %zero
      %component_at = OpAccessChain %local_half %array %group %u0
      %component = OpLoad %half %component_at
      %extracted = OpCompositeExtract %half %sum 0
      OpReturn)",
             kFourSubgroups, "%array = OpVariable %local_matrices Function\n", declarations,
             R"(
      OpCapability Float16
      OpCapability VulkanMemoryModel
      OpCapability CooperativeMatrixKHR
      OpExtension "SPV_KHR_vulkan_memory_model"
      OpExtension "SPV_KHR_cooperative_matrix"
      )");
  EXPECT_EQ(a.of("one"), kWorkgroup);
  EXPECT_EQ(a.of("loaded"), kSubgroup);
  EXPECT_EQ(a.of("sum"), kSubgroup);
  EXPECT_EQ(a.variable("array"), kSubgroup);
  EXPECT_EQ(a.of("component_at"), kVarying);
  EXPECT_EQ(a.of("component"), kVarying);
  EXPECT_EQ(a.of("extracted"), kVarying);
}

}  // namespace
}  // namespace jit::simt
