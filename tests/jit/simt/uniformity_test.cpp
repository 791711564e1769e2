// Levels of values, and of what variables hold, from SPIR-V.
#include "jit/simt/uniformity.h"

#include <gtest/gtest.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::simt {

void PrintTo(Uniformity level, std::ostream* stream) {
  static constexpr const char* kNames[] = {"Workgroup", "Subgroup", "Varying"};
  *stream << kNames[static_cast<int>(level)];
}

namespace {

constexpr Uniformity kWorkgroup = Uniformity::Workgroup;
constexpr Uniformity kSubgroup = Uniformity::Subgroup;
constexpr Uniformity kVarying = Uniformity::Varying;

constexpr WorkgroupShape kFourSubgroups{{128, 1, 1}, 32};

// What tests use: built-ins, a uniform and a storage buffer of uints, constants.
constexpr char kDeclarations[] = R"(
    OpDecorate %local_id BuiltIn LocalInvocationId
    OpDecorate %global_id BuiltIn GlobalInvocationId
    OpDecorate %local_index BuiltIn LocalInvocationIndex
    OpDecorate %subgroup_id BuiltIn SubgroupId
    OpDecorate %workgroup_id BuiltIn WorkgroupId
    OpDecorate %num_subgroups BuiltIn NumSubgroups
    OpDecorate %words ArrayStride 16
    OpDecorate %constant_block Block
    OpMemberDecorate %constant_block 0 Offset 0
    OpDecorate %runtime_words ArrayStride 4
    OpDecorate %storage_block Block
    OpMemberDecorate %storage_block 0 Offset 0
    OpDecorate %constants DescriptorSet 0
    OpDecorate %constants Binding 0
    OpDecorate %storage DescriptorSet 0
    OpDecorate %storage Binding 1
    %void = OpTypeVoid
    %main_type = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %uvec2 = OpTypeVector %uint 2
    %uvec3 = OpTypeVector %uint 3
    %uvec4 = OpTypeVector %uint 4
    %vec2 = OpTypeVector %float 2
    %true = OpConstantTrue %bool
    %u0 = OpConstant %uint 0
    %u1 = OpConstant %uint 1
    %u2 = OpConstant %uint 2
    %u3 = OpConstant %uint 3
    %u4 = OpConstant %uint 4
    %words = OpTypeArray %uint %u4
    %constant_block = OpTypeStruct %words
    %runtime_words = OpTypeRuntimeArray %uint
    %storage_block = OpTypeStruct %runtime_words
    %input_uint = OpTypePointer Input %uint
    %input_uvec3 = OpTypePointer Input %uvec3
    %local_uint = OpTypePointer Function %uint
    %local_uvec2 = OpTypePointer Function %uvec2
    %constant_pointer = OpTypePointer Uniform %constant_block
    %constant_uint = OpTypePointer Uniform %uint
    %storage_pointer = OpTypePointer StorageBuffer %storage_block
    %storage_uint = OpTypePointer StorageBuffer %uint
    %local_id = OpVariable %input_uvec3 Input
    %global_id = OpVariable %input_uvec3 Input
    %workgroup_id = OpVariable %input_uvec3 Input
    %local_index = OpVariable %input_uint Input
    %subgroup_id = OpVariable %input_uint Input
    %num_subgroups = OpVariable %input_uint Input
    %constants = OpVariable %constant_pointer Uniform
    %storage = OpVariable %storage_pointer StorageBuffer
    )";

// Names that the analysis is asked for: all results in `code`.
std::string names(const std::string& code) {
  std::string text;
  for (size_t end = code.find(" = Op"); end != std::string::npos;
       end = code.find(" = Op", end + 1)) {
    const size_t begin = code.rfind('%', end);
    const std::string name = code.substr(begin + 1, end - begin - 1);
    text += "OpName %" + name + " \"" + name + "\"\n";
  }
  return text;
}

class Analysis {
 public:
  // `code` follows the label of main's first block, %entry. %lane (varying), %sub (SubgroupId) and
  // %group (WorkgroupId.x) are loaded there, and so are comparisons of them with 2: %lane_less,
  // %sub_less, %group_less. `variables` come before all that.
  explicit Analysis(const std::string& code, const WorkgroupShape& shape = kFourSubgroups,
                    const std::string& variables = "", const std::string& declarations = "",
                    const std::string& extensions = "") {
    const std::string body = R"(
        %main = OpFunction %void None %main_type
        %entry = OpLabel
        )" + variables + R"(
        %lane = OpLoad %uint %local_index
        %sub = OpLoad %uint %subgroup_id
        %workgroup = OpLoad %uvec3 %workgroup_id
        %group = OpCompositeExtract %uint %workgroup 0
        %lane_less = OpULessThan %bool %lane %u2
        %sub_less = OpULessThan %bool %sub %u2
        %group_less = OpULessThan %bool %group %u2
        )" + code + R"(
        OpFunctionEnd)";
    module_ = spirv::readGood(
        "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
        "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\n"
        "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformClustered\n"
        "OpCapability GroupNonUniformQuad\n" +
        extensions + R"(
        %glsl = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical )" +
        (extensions.empty() ? "GLSL450" : "Vulkan") + R"(
        OpEntryPoint GLCompute %main "main" %local_id %global_id %local_index %subgroup_id %workgroup_id %num_subgroups
        OpExecutionMode %main LocalSize 1 1 1
        )" +
        names(body) + kDeclarations + declarations + body);
    if (!module_) throw std::runtime_error("no module");
    auto structure = spirv::buildStructure(module_->entry);
    if (!structure) throw std::runtime_error(llvm::toString(structure.takeError()));
    linearization_ = std::make_unique<Linearization>(module_->entry, *structure);
    uniformity_ = std::make_unique<UniformityAnalysis>(*module_, shape, *linearization_);
  }

  const UniformityAnalysis& operator*() const { return *uniformity_; }
  const UniformityAnalysis* operator->() const { return uniformity_.get(); }
  spirv::Id id(const std::string& name) const {
    const spirv::Id found = spirv::named(*module_, name);
    EXPECT_NE(found, 0u) << name;
    return found;
  }
  uint32_t node(const std::string& label) const { return linearization_->nodeOf(id(label)); }
  const Linearization& flow() const { return *linearization_; }

  Uniformity of(const std::string& name, uint32_t component = 0) const {
    return uniformity_->of(id(name), component);
  }
  Uniformity at(const std::string& name, const std::string& label) const {
    return uniformity_->at(id(name), node(label));
  }
  Uniformity variable(const std::string& name) const { return uniformity_->variable(id(name)); }

 private:
  std::unique_ptr<spirv::Module> module_;
  std::unique_ptr<Linearization> linearization_;
  std::unique_ptr<UniformityAnalysis> uniformity_;
};

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
  EXPECT_EQ(levels("inserted"), (Levels{kVarying, kSubgroup, kWorkgroup}));
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

// An if on `condition` with a phi of two constants, and one of equal operands, at its merge.
Analysis phiAfterIf(const std::string& condition) {
  return Analysis(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %)" +
                  condition + R"( %then %merge
      %then = OpLabel
      OpBranch %merge
      %merge = OpLabel
      %phi = OpPhi %uint %u1 %entry %u2 %then
      %same = OpPhi %uint %group %entry %group %then
      OpReturn)");
}

TEST(Uniformity, PhisAtMergesVaryWithTheBranch) {
  EXPECT_EQ(phiAfterIf("group_less").of("phi"), kWorkgroup);
  EXPECT_EQ(phiAfterIf("sub_less").of("phi"), kSubgroup);
  EXPECT_EQ(phiAfterIf("lane_less").of("phi"), kVarying);
  EXPECT_EQ(phiAfterIf("lane_less").of("same"), kWorkgroup);
}

TEST(Uniformity, BranchesVary) {
  EXPECT_FALSE(phiAfterIf("group_less")->branchVaries(0));
  EXPECT_FALSE(phiAfterIf("sub_less")->branchVaries(0));
  EXPECT_TRUE(phiAfterIf("lane_less")->branchVaries(0));
}

TEST(Uniformity, BranchToOnePlaceDoesNotVary) {
  Analysis a(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %lane_less %merge %merge
      %merge = OpLabel
      OpReturn)");
  EXPECT_FALSE(a->branchVaries(0));
}

// A loop that runs while %i is less than `bound`.
Analysis loopTo(const std::string& bound) {
  return Analysis(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %)" +
                  bound + R"(
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %twice = OpIAdd %uint %i %i
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      %used = OpIAdd %uint %i %u1
      OpReturn)");
}

TEST(Uniformity, ValuesLeaveLoopsAsUniformlyAsInvocationsDo) {
  Analysis uniform = loopTo("group");
  EXPECT_EQ(uniform.of("twice"), kWorkgroup);
  EXPECT_EQ(uniform.of("used"), kWorkgroup);
  EXPECT_FALSE(uniform->escapesLoop(uniform.id("i")));

  Analysis subgroup = loopTo("sub");
  EXPECT_EQ(subgroup.of("twice"), kWorkgroup);
  EXPECT_EQ(subgroup.of("used"), kSubgroup);
  EXPECT_FALSE(subgroup->escapesLoop(subgroup.id("i")));

  Analysis varying = loopTo("lane");
  EXPECT_EQ(varying.of("twice"), kWorkgroup);
  EXPECT_EQ(varying.at("i", "body"), kWorkgroup);
  EXPECT_EQ(varying.at("i", "after"), kVarying);
  EXPECT_EQ(varying.of("used"), kVarying);
  EXPECT_TRUE(varying->escapesLoop(varying.id("i")));
  EXPECT_FALSE(varying->escapesLoop(varying.id("twice")));
  EXPECT_TRUE(varying.flow().nodes()[varying.node("header")].dynamic_header);
}

TEST(Uniformity, UniformValuesOnDivergentPathsStayUniform) {
  Analysis a(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %lane_less %then %merge
      %then = OpLabel
      %inside = OpIAdd %uint %group %u1
      OpBranch %merge
      %merge = OpLabel
      OpReturn)");
  EXPECT_EQ(a.of("inside"), kWorkgroup);
}

constexpr char kVariable[] = "%v = OpVariable %local_uint Function %u4\n";

TEST(Uniformity, VariablesHoldWhatIsStored) {
  auto level = [](const std::string& value) {
    return Analysis("OpStore %v %" + value + "\nOpReturn", kFourSubgroups, kVariable).variable("v");
  };
  EXPECT_EQ(level("group"), kWorkgroup);
  EXPECT_EQ(level("sub"), kSubgroup);
  EXPECT_EQ(level("lane"), kVarying);
}

// A store of a uniform value under `condition`; `behind` is what follows at the merge.
Analysis storeUnder(const std::string& condition, const std::string& behind = "") {
  return Analysis(R"(
      OpSelectionMerge %merge None
      OpBranchConditional %)" +
                      condition + R"( %then %merge
      %then = OpLabel
      OpStore %v %group
      %inside = OpLoad %uint %v
      OpBranch %merge
      %merge = OpLabel
      )" + behind + R"(
      OpReturn)",
                  kFourSubgroups, kVariable);
}

TEST(Uniformity, StoresUnderOneMaskAreSharedByThoseWhoWereThere) {
  Analysis a = storeUnder("lane_less");
  EXPECT_EQ(a.variable("v"), kWorkgroup);
  EXPECT_EQ(a.of("inside"), kWorkgroup);
}

TEST(Uniformity, StoresUnderOneMaskAreNotSharedByOthers) {
  const std::string load = "%behind = OpLoad %uint %v\n";
  EXPECT_EQ(storeUnder("lane_less", load).of("behind"), kVarying);
  EXPECT_EQ(storeUnder("sub_less", load).of("behind"), kSubgroup);
  EXPECT_EQ(storeUnder("group_less", load).of("behind"), kWorkgroup);
}

TEST(Uniformity, StoresUnderSeveralMasksVary) {
  EXPECT_EQ(storeUnder("lane_less", "OpStore %v %u1\n").variable("v"), kVarying);
  EXPECT_EQ(storeUnder("sub_less", "OpStore %v %u1\n").variable("v"), kSubgroup);
  EXPECT_EQ(storeUnder("group_less", "OpStore %v %u1\n").variable("v"), kWorkgroup);
}

// In a uniform loop, with others under the mask each time around.
Analysis storeInLoop(const std::string& first, const std::string& second) {
  return Analysis(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %u4
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %mine = OpUGreaterThan %bool %lane %i
      OpSelectionMerge %rest None
      OpBranchConditional %mine %then %rest
      %then = OpLabel
      )" + first + "\n" +
                      second + R"(
      OpBranch %rest
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      OpReturn)",
                  kFourSubgroups, kVariable);
}

TEST(Uniformity, WhatIsLeftFromTheTimeBeforeVaries) {
  EXPECT_EQ(storeInLoop("%loaded = OpLoad %uint %v", "OpStore %v %i").of("loaded"), kVarying);
  EXPECT_EQ(storeInLoop("OpStore %v %i", "%loaded = OpLoad %uint %v").of("loaded"), kWorkgroup);
}

TEST(Uniformity, PartOfAVariableDoesNotCoverTheRest) {
  Analysis a(R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %u0 %entry %more %next
      %goes_on = OpULessThan %bool %i %u4
      OpLoopMerge %after %next None
      OpBranchConditional %goes_on %body %after
      %body = OpLabel
      %mine = OpUGreaterThan %bool %lane %i
      OpSelectionMerge %rest None
      OpBranchConditional %mine %then %rest
      %then = OpLabel
      %x = OpAccessChain %local_uint %pair %u0
      OpStore %x %i
      %loaded = OpLoad %uvec2 %pair
      OpBranch %rest
      %rest = OpLabel
      OpBranch %next
      %next = OpLabel
      %more = OpIAdd %uint %i %u1
      OpBranch %header
      %after = OpLabel
      OpReturn)",
             kFourSubgroups, "%pair = OpVariable %local_uvec2 Function\n");
  EXPECT_EQ(a.of("loaded"), kVarying);
}

TEST(Uniformity, PlacesInVariablesMatter) {
  Analysis a(R"(
      %at = OpAccessChain %local_uint %pair %lane
      OpStore %at %u1
      %whole = OpLoad %uvec2 %pair
      OpReturn)",
             kFourSubgroups, "%pair = OpVariable %local_uvec2 Function\n");
  EXPECT_EQ(a.variable("pair"), kVarying);
  EXPECT_EQ(a.of("whole", 1), kVarying);
  EXPECT_EQ(a->root(a.id("at")), a.id("pair"));
  EXPECT_EQ(a->root(a.id("lane")), 0u);
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
