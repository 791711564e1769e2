// SPDX-License-Identifier: Apache-2.0

// Specialization constants, what is computed from them, and what types are made of them.
#include <gmock/gmock.h>

#include <bit>
#include <cstring>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kEmptyMain[] = "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";

// Values for specialization constants, kept alive for a request.
class Values {
 public:
  template <typename T>
  Values& set(uint32_t id, T value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    bytes_.push_back(std::move(bytes));
    entries_.push_back({id, bytes_.back()});
    return *this;
  }
  KernelRequest request() const {
    KernelRequest request;
    request.specializations = entries_;
    return request;
  }

 private:
  std::vector<std::vector<std::byte>> bytes_;
  std::vector<Specialization> entries_;
};

std::vector<uint64_t> leavesOf(const Module& module, std::string_view name) {
  const Constant* constant = module.constant(named(module, name));
  return constant ? constant->leaves : std::vector<uint64_t>{};
}

TEST(Specialize, DefaultsAndValues) {
  const std::string text = shader(R"(
      %long = OpTypeInt 64 1
      %short = OpTypeInt 16 1
      %t = OpSpecConstantTrue %bool
      %f = OpSpecConstantFalse %bool
      %i = OpSpecConstant %int -5
      %h = OpSpecConstant %short -5
      %l = OpSpecConstant %long -5
      %x = OpSpecConstant %float 1.5
      %v = OpTypeVector %int 2
      %fixed = OpConstant %int 9
      %c = OpSpecConstantComposite %v %i %fixed)",
                                  kEmptyMain, R"(
      OpName %t "t"
      OpName %f "f"
      OpName %i "i"
      OpName %h "h"
      OpName %l "l"
      OpName %x "x"
      OpName %c "c"
      OpName %fixed "fixed"
      OpDecorate %t SpecId 0
      OpDecorate %f SpecId 1
      OpDecorate %i SpecId 2
      OpDecorate %h SpecId 3
      OpDecorate %l SpecId 4
      OpDecorate %x SpecId 5)",
                                  "OpCapability Int64\nOpCapability Int16\n");
  auto defaults = readGood(text);
  ASSERT_TRUE(defaults);
  EXPECT_THAT(leavesOf(*defaults, "t"), ElementsAre(1));
  EXPECT_THAT(leavesOf(*defaults, "f"), ElementsAre(0));
  EXPECT_THAT(leavesOf(*defaults, "i"), ElementsAre(0xfffffffbu));
  EXPECT_THAT(leavesOf(*defaults, "h"), ElementsAre(0xfffbu));
  EXPECT_THAT(leavesOf(*defaults, "l"), ElementsAre(static_cast<uint64_t>(-5)));
  EXPECT_THAT(leavesOf(*defaults, "x"), ElementsAre(std::bit_cast<uint32_t>(1.5f)));
  EXPECT_THAT(leavesOf(*defaults, "c"), ElementsAre(0xfffffffbu, 9));
  EXPECT_TRUE(defaults->constant(named(*defaults, "c"))->specialized);
  EXPECT_FALSE(defaults->constant(named(*defaults, "fixed"))->specialized);

  Values values;
  values.set<uint32_t>(0, 0).set<uint32_t>(1, 1).set<int32_t>(2, 77).set<int16_t>(3, -1);
  values.set<int64_t>(4, 1ll << 40).set<float>(5, -2.0f).set<uint32_t>(99, 5);
  auto given = readGood(text, values.request());
  ASSERT_TRUE(given);
  EXPECT_THAT(leavesOf(*given, "t"), ElementsAre(0));
  EXPECT_THAT(leavesOf(*given, "f"), ElementsAre(1));
  EXPECT_THAT(leavesOf(*given, "i"), ElementsAre(77));
  EXPECT_THAT(leavesOf(*given, "h"), ElementsAre(0xffffu));
  EXPECT_THAT(leavesOf(*given, "l"), ElementsAre(1ull << 40));
  EXPECT_THAT(leavesOf(*given, "x"), ElementsAre(std::bit_cast<uint32_t>(-2.0f)));
  EXPECT_THAT(leavesOf(*given, "c"), ElementsAre(77, 9));

  Values small;
  small.set<uint16_t>(2, 1);
  EXPECT_THAT(readBad(text, CompileError::Kind::Malformed, small.request()),
              HasSubstr("constant id 2"));
}

TEST(Specialize, IntegerOperations) {
  struct Case {
    const char* operation;
    uint32_t expected;
  };
  const Case cases[] = {
      {"IAdd %int %m7 %p2", static_cast<uint32_t>(-5)},
      {"ISub %int %m7 %p2", static_cast<uint32_t>(-9)},
      {"IMul %int %m7 %p2", static_cast<uint32_t>(-14)},
      {"UDiv %uint %u9 %u2", 4},
      {"UMod %uint %u9 %u2", 1},
      {"SDiv %int %m7 %p2", static_cast<uint32_t>(-3)},
      {"SRem %int %m7 %p2", static_cast<uint32_t>(-1)},
      {"SMod %int %m7 %p2", 1},
      {"SDiv %int %m7 %p0", 0},
      {"SDiv %int %least %m1", 0},
      {"SNegate %int %m7", 7},
      {"Not %uint %u9", ~9u},
      {"ShiftLeftLogical %uint %u9 %u2", 36},
      {"ShiftRightLogical %int %m7 %p2", 0x3ffffffe},
      {"ShiftRightArithmetic %int %m7 %p2", static_cast<uint32_t>(-2)},
      {"ShiftLeftLogical %uint %u9 %u40", 0},
      {"BitwiseAnd %uint %u9 %u3", 1},
      {"BitwiseOr %uint %u9 %u2", 11},
      {"BitwiseXor %uint %u9 %u3", 10},
      {"Select %uint %t %u9 %u3", 9},
      {"Select %uint %f %u9 %u3", 3},
      {"SLessThan %bool %m7 %p2", 1},
      {"ULessThan %bool %m7 %p2", 0},
      {"SGreaterThanEqual %bool %m7 %p2", 0},
      {"UGreaterThan %bool %m7 %p2", 1},
      {"IEqual %bool %m7 %p2", 0},
      {"INotEqual %bool %m7 %p2", 1},
      {"LogicalAnd %bool %t %f", 0},
      {"LogicalOr %bool %t %f", 1},
      {"LogicalNot %bool %t", 0},
      {"LogicalEqual %bool %t %f", 0},
      {"LogicalNotEqual %bool %t %f", 1},
  };
  std::string declarations = R"(
      %t = OpSpecConstantTrue %bool
      %f = OpSpecConstantFalse %bool
      %m7 = OpSpecConstant %int -7
      %m1 = OpSpecConstant %int -1
      %p2 = OpSpecConstant %int 2
      %p0 = OpSpecConstant %int 0
      %least = OpSpecConstant %int -2147483648
      %u9 = OpSpecConstant %uint 9
      %u40 = OpSpecConstant %uint 40
  )";
  std::string names;
  for (size_t i = 0; i < std::size(cases); ++i) {
    std::string operation = cases[i].operation;
    const size_t space = operation.find(' '), next = operation.find(' ', space + 1);
    const std::string result = "%r" + std::to_string(i);
    declarations += result + " = OpSpecConstantOp " +
                    operation.substr(space + 1, next - space - 1) + " " +
                    operation.substr(0, space) + operation.substr(next) + "\n";
    names += "OpName " + result + " \"r" + std::to_string(i) + "\"\n";
  }
  auto module = readGood(shader(declarations, kEmptyMain, names));
  ASSERT_TRUE(module);
  for (size_t i = 0; i < std::size(cases); ++i)
    EXPECT_THAT(leavesOf(*module, "r" + std::to_string(i)), ElementsAre(cases[i].expected))
        << cases[i].operation;
}

TEST(Specialize, ConversionsAndComposites) {
  auto module =
      readGood(std::string(kVersion16) + shader(R"(
      %short = OpTypeInt 16 1
      %ushort = OpTypeInt 16 0
      %half = OpTypeFloat 16
      %v2 = OpTypeVector %int 2
      %m2 = OpSpecConstant %short -2
      %wide = OpSpecConstantOp %int SConvert %m2
      %big = OpSpecConstant %uint 65537
      %narrow = OpSpecConstantOp %ushort UConvert %big
      %x = OpSpecConstant %float 1.0009765625
      %halved = OpSpecConstantOp %half FConvert %x
      %third = OpSpecConstant %float 0.3333333
      %quantized = OpSpecConstantOp %float QuantizeToF16 %third
      %a = OpSpecConstant %int 1
      %b = OpSpecConstant %int 2
      %ab = OpSpecConstantComposite %v2 %a %b
      %second = OpSpecConstantOp %int CompositeExtract %ab 1
      %aa = OpSpecConstantOp %v2 CompositeInsert %a %ab 1
      %mixed = OpSpecConstantOp %v2 VectorShuffle %ab %aa 1 2
      %sum = OpSpecConstantOp %v2 IAdd %ab %aa)",
                                                kEmptyMain, R"(
      OpName %wide "wide"
      OpName %narrow "narrow"
      OpName %halved "halved"
      OpName %quantized "quantized"
      OpName %second "second"
      OpName %aa "aa"
      OpName %mixed "mixed"
      OpName %sum "sum")",
                                                "OpCapability Int16\nOpCapability Float16\n"));
  ASSERT_TRUE(module);
  EXPECT_THAT(leavesOf(*module, "wide"), ElementsAre(0xfffffffeu));
  EXPECT_THAT(leavesOf(*module, "narrow"), ElementsAre(1));
  EXPECT_THAT(leavesOf(*module, "halved"), ElementsAre(0x3c01));
  EXPECT_THAT(leavesOf(*module, "quantized"),
              ElementsAre(std::bit_cast<uint32_t>(0.333251953125f)));
  EXPECT_THAT(leavesOf(*module, "second"), ElementsAre(2));
  EXPECT_THAT(leavesOf(*module, "aa"), ElementsAre(1, 1));
  EXPECT_THAT(leavesOf(*module, "mixed"), ElementsAre(2, 1));
  EXPECT_THAT(leavesOf(*module, "sum"), ElementsAre(2, 3));
}

constexpr char kArrayDeclarations[] = R"(
      %n = OpSpecConstant %uint 4
      %twice = OpSpecConstantOp %uint IMul %n %u2
      %array = OpTypeArray %float %twice
      %pointer = OpTypePointer Workgroup %array
      %shared = OpVariable %pointer Workgroup
      %element = OpTypePointer Workgroup %float)";
constexpr char kArrayCode[] = R"(
      %entry = OpLabel
      %p = OpAccessChain %element %shared %u0
      OpReturn
      OpFunctionEnd)";
constexpr char kArrayNames[] = "OpName %array \"array\"\nOpDecorate %n SpecId 7\n";

TEST(Specialize, ArrayLength) {
  const std::string text = shader(kArrayDeclarations, kArrayCode, kArrayNames);
  auto defaults = readGood(text);
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->types.at(named(*defaults, "array"))->count, 8u);
  Values values;
  values.set<uint32_t>(7, 100);
  auto given = readGood(text, values.request());
  ASSERT_TRUE(given);
  EXPECT_EQ(given->types.at(named(*given, "array"))->count, 200u);
  EXPECT_EQ(given->types.at(named(*given, "array"))->naturalSize(), 800u);
  Values zero;
  zero.set<uint32_t>(7, 0);
  EXPECT_THAT(readBad(text, CompileError::Kind::Malformed, zero.request()),
              HasSubstr("array length"));
}

TEST(Specialize, WorkgroupSize) {
  const std::string by_id = R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main"
      OpExecutionModeId %main LocalSizeId %x %u2 %u1
      OpDecorate %x SpecId 0
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %u1 = OpConstant %uint 1
      %u2 = OpConstant %uint 2
      %x = OpSpecConstant %uint 32
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      OpReturn
      OpFunctionEnd)";
  const std::string by_builtin = shader(R"(
      %v3 = OpTypeVector %uint 3
      %x = OpSpecConstant %uint 32
      %size = OpSpecConstantComposite %v3 %x %u2 %u1)",
                                        kEmptyMain, R"(
      OpDecorate %x SpecId 0
      OpDecorate %size BuiltIn WorkgroupSize)");
  for (const std::string& text : {by_id, by_builtin}) {
    auto defaults = readGood(text);
    ASSERT_TRUE(defaults);
    EXPECT_THAT(defaults->workgroup_size, ElementsAre(32, 2, 1));
    Values values;
    values.set<uint32_t>(0, 8);
    auto given = readGood(text, values.request());
    ASSERT_TRUE(given);
    EXPECT_THAT(given->workgroup_size, ElementsAre(8, 2, 1));
    Values zero;
    zero.set<uint32_t>(0, 0);
    EXPECT_THAT(readBad(text, CompileError::Kind::Malformed, zero.request()),
                HasSubstr("workgroup size"));
  }
}

TEST(Specialize, CooperativeMatrixShape) {
  const std::string text = std::string(kVersion16) + R"(
      OpCapability Shader
      OpCapability Float16
      OpCapability VulkanMemoryModel
      OpCapability CooperativeMatrixKHR
      OpExtension "SPV_KHR_cooperative_matrix"
      OpMemoryModel Logical Vulkan
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 32 1 1
      OpName %matrix "matrix"
      OpName %length "length"
      OpName %filled "filled"
      OpDecorate %rows SpecId 0
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %half = OpTypeFloat 16
      %scope = OpConstant %uint 3
      %rows = OpSpecConstant %uint 32
      %columns = OpConstant %uint 16
      %use = OpConstant %uint 2
      %matrix = OpTypeCooperativeMatrixKHR %half %scope %rows %columns %use
      %length = OpSpecConstantOp %uint CooperativeMatrixLengthKHR %matrix
      %one = OpConstant %half 1
      %filled = OpConstantComposite %matrix %one
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      OpReturn
      OpFunctionEnd)";
  Values values;
  values.set<uint32_t>(0, 16);
  auto module = readGood(text, values.request());
  ASSERT_TRUE(module);
  const Type& matrix = *module->types.at(named(*module, "matrix"));
  EXPECT_EQ(matrix.kind, TypeKind::CooperativeMatrix);
  EXPECT_EQ(matrix.rows, 16u);
  EXPECT_EQ(matrix.columns, 16u);
  EXPECT_EQ(matrix.scope, spv::Scope::Subgroup);
  EXPECT_EQ(matrix.use, spv::CooperativeMatrixUse::MatrixAccumulatorKHR);
  EXPECT_EQ(matrix.leaves(), 1u);
  EXPECT_EQ(matrix.naturalSize(), 512u);
  EXPECT_THAT(leavesOf(*module, "length"), ElementsAre(8));
  EXPECT_THAT(leavesOf(*module, "filled"), ElementsAre(0x3c00));
}

}  // namespace
}  // namespace jit::spirv
