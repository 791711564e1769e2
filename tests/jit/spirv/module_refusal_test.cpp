// SPDX-License-Identifier: Apache-2.0

// What is refused while reading, and how it is said.
#include <gmock/gmock.h>

#include "tests/jit/spirv/assembled_module.h"

namespace jit::spirv {
namespace {

using ::testing::HasSubstr;

constexpr char kEmptyMain[] = "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
constexpr auto kMalformed = CompileError::Kind::Malformed;
constexpr auto kUnsupported = CompileError::Kind::Unsupported;

TEST(ModuleRefusal, MissingEntryPointNamesTheOthers) {
  KernelRequest request;
  request.entry_point = "missing";
  const std::string message = readBad(shader("", kEmptyMain), kMalformed, request);
  EXPECT_THAT(message, HasSubstr("\"missing\""));
  EXPECT_THAT(message, HasSubstr("it has \"main\""));
}

TEST(ModuleRefusal, UnsupportedCapabilityIsNamed) {
  EXPECT_THAT(readBad(shader("", kEmptyMain, "", "OpCapability Kernel\n"), kUnsupported),
              HasSubstr("OpCapability Kernel"));
  EXPECT_THAT(
      readBad(shader("", kEmptyMain, "", "OpCapability Int64\nOpCapability Int64ImageEXT\n"),
              kUnsupported),
      HasSubstr("OpCapability Int64ImageEXT"));
}

TEST(ModuleRefusal, UnsupportedExtensionIsNamed) {
  EXPECT_THAT(readBad(shader("", kEmptyMain, "", "OpExtension \"SPV_INTEL_masked_gather_scatter\""),
                      kUnsupported),
              HasSubstr("SPV_INTEL_masked_gather_scatter"));
}

constexpr char kImageTypes[] = R"(
      %image = OpTypeImage %float 2D 0 0 0 2 Rgba32f
      %pointer = OpTypePointer UniformConstant %image
      %texture = OpVariable %pointer UniformConstant
      %v2 = OpTypeVector %uint 2
      %v4 = OpTypeVector %float 4
      %zero = OpConstantNull %v2
      %zero4 = OpConstantNull %v4)";
constexpr char kImageNames[] = R"(
      OpName %image "image"
      OpDecorate %texture DescriptorSet 0
      OpDecorate %texture Binding 0)";

TEST(ModuleRefusal, DeclaredButUnusedImagesAreAccepted) {
  EXPECT_TRUE(readGood(shader(kImageTypes, kEmptyMain, kImageNames)));
}

TEST(ModuleRefusal, UsedImagesAreRefusedWithTheirUser) {
  const std::string message = readBad(shader(kImageTypes, R"(
      %entry = OpLabel
      %i = OpLoad %image %texture
      OpImageWrite %i %zero %zero4
      OpReturn
      OpFunctionEnd)",
                                             kImageNames),
                                      kUnsupported);
  EXPECT_THAT(message, HasSubstr("OpTypeImage"));
  EXPECT_THAT(message, HasSubstr("'image'"));
  EXPECT_THAT(message, HasSubstr("OpLoad"));
}

TEST(ModuleRefusal, ValidatorMessageIsPassedOn) {
  const std::string message = readBad(shader("", R"(
      %entry = OpLabel
      %sum = OpIAdd %uint %u1 %float
      OpReturn
      OpFunctionEnd)"),
                                      kMalformed);
  EXPECT_THAT(message, HasSubstr("not valid SPIR-V"));
}

TEST(ModuleRefusal, HeaderIsChecked) {
  const std::vector<uint32_t> good = assemble(shader("", kEmptyMain));
  auto messageOf = [](const std::vector<uint32_t>& words) {
    ReadResult result = readWords(words);
    return result.error ? result.error->message : "";
  };
  EXPECT_EQ(messageOf(good), "");
  EXPECT_THAT(messageOf({}), HasSubstr("0 words"));
  std::vector<uint32_t> words = good;
  words[0] = 0x03022307;
  EXPECT_THAT(messageOf(words), HasSubstr("byte order"));
  words[0] = 1;
  EXPECT_THAT(messageOf(words), HasSubstr("magic"));
  words = good;
  words[3] = 0xffffffff;
  EXPECT_THAT(messageOf(words), HasSubstr("bound"));
  words = good;
  words[3] = 3;
  EXPECT_NE(messageOf(words), "");
}

TEST(ModuleRefusal, EveryTruncationIsRefused) {
  const std::vector<uint32_t> good = assemble(shader(kImageTypes, R"(
      %entry = OpLabel
      OpLine %file 7 3
      %a = OpIAdd %uint %u1 %u2
      OpNoLine
      OpBranch %next
      %next = OpLabel
      %c = OpIAdd %uint %a %u2
      OpReturn
      OpFunctionEnd)",
                                                     R"(
      %file = OpString "sum.comp"
      OpDecorate %texture DescriptorSet 0
      OpDecorate %texture Binding 0)"));
  ASSERT_TRUE(readWords(good).module);
  for (size_t size = 0; size < good.size(); ++size) {
    std::vector<uint32_t> words(good.begin(), good.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_TRUE(readWords(words).error) << size;
  }
}

TEST(ModuleRefusal, ArraysLargerThanMemoryAreRefusedWhereUsed) {
  const std::string declarations = R"(
      %huge = OpConstant %uint 4000000000
      %a = OpTypeArray %float %huge
      %b = OpTypeArray %a %huge
      %pointer = OpTypePointer Private %b
      %variable = OpVariable %pointer Private
      %element = OpTypePointer Private %float
      %null = OpConstantNull %a)";
  EXPECT_TRUE(readGood(shader(declarations, kEmptyMain)));
  EXPECT_THAT(readBad(shader(declarations, R"(
      %entry = OpLabel
      %p = OpAccessChain %element %variable %u0 %u0
      OpReturn
      OpFunctionEnd)"),
                      kUnsupported),
              HasSubstr("address space"));
  EXPECT_THAT(readBad(shader(declarations, R"(
      %entry = OpLabel
      %x = OpCompositeExtract %float %null 0
      OpReturn
      OpFunctionEnd)"),
                      kUnsupported),
              HasSubstr("too large"));
}

TEST(ModuleRefusal, NestedStructuresDoNotExplode) {
  // Each has two of the one before: 2^64 leaves.
  std::string declarations = "%s0 = OpTypeStruct %uint %uint\n";
  for (int i = 1; i < 64; ++i)
    declarations += "%s" + std::to_string(i) + " = OpTypeStruct %s" + std::to_string(i - 1) +
                    " %s" + std::to_string(i - 1) + "\n";
  EXPECT_THAT(readBad(shader(declarations, kEmptyMain), kUnsupported),
              HasSubstr("too many members"));
}

TEST(ModuleRefusal, ManyBlocksAreRefused) {
  std::string code = "%l0 = OpLabel\n";
  for (int k = 1; k <= 1 << 15; ++k) {
    const std::string label = "%l" + std::to_string(k);
    code += "OpBranch " + label + "\n" + label + " = OpLabel\n";
  }
  EXPECT_THAT(readBad(shader("", code + "OpReturn\nOpFunctionEnd\n"), kUnsupported),
              HasSubstr("32769 blocks"));
}

TEST(ModuleRefusal, LargeValuesAreRefusedWhereUsed) {
  const std::string declarations = R"(
      %many = OpConstant %uint 16385
      %array = OpTypeArray %uint %many
      %pointer = OpTypePointer Private %array
      %zeros = OpConstantNull %array
      %first = OpVariable %pointer Private %zeros
      %second = OpVariable %pointer Private
  )";
  auto code = [](const std::string& text) {
    return "%entry = OpLabel\n" + text + "OpReturn\nOpFunctionEnd\n";
  };
  for (const char* text :
       {"%value = OpLoad %array %first\n", "%none = OpUndef %array\n", "OpStore %second %zeros\n"})
    EXPECT_THAT(readBad(shader(declarations, code(text)), kUnsupported),
                AllOf(HasSubstr("16385 scalars; at most 16384"), HasSubstr("used by Op")));
  EXPECT_TRUE(readGood(shader(declarations, code("%copy = OpCopyObject %pointer %first\n"))));
}

}  // namespace
}  // namespace jit::spirv
