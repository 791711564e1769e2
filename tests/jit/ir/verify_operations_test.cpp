// SPDX-License-Identifier: Apache-2.0

// What the verifier of the driver's own operations refuses, and what it lets pass.
#include "jit/ir/verify_operations.h"

#include <gmock/gmock.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using testing::HasSubstr;

// Components: 0 is f16, 4 is f32.
constexpr char kDeclarations[] = R"(
declare !tessera.matrix !{!"load", i32 0, i32 16, i32 32, i32 0} <512 x half> @load.16x32(ptr, i64, i64)
declare !tessera.matrix !{!"load", i32 0, i32 32, i32 16, i32 0} <512 x half> @load.32x16(ptr, i64, i64)
declare !tessera.matrix !{!"store", i32 0, i32 16, i32 32, i32 0} void @store.16x32(<512 x half>, ptr, i64, i64)
declare !tessera.matrix !{!"store", i32 0, i32 32, i32 16, i32 0} void @store.32x16(<512 x half>, ptr, i64, i64)
declare !tessera.matrix !{!"transpose", i32 0, i32 16, i32 32} <512 x half> @turn.16x32(<512 x half>)
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 32, i32 0, i32 0, i32 4, i32 4, i32 0, i32 1} <256 x float> @muladd(<512 x half>, <512 x half>, <256 x float>)
declare !tessera.function !{!"barrier"} void @tessera.barrier(ptr)
declare void @unknown()
)";

// What is broken in a subgroup's function with this code.
std::string broken(const std::string& code, const KernelFacts& facts = {},
                   const std::string& declarations = {}) {
  test::IrModule module(
      kDeclarations + declarations +
      "define internal void @subgroup(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, "
      "i32 %stream) !tessera.function !{!\"subgroup\"} {\n" +
      code + "  ret void\n}\n");
  EXPECT_EQ(module.complaints(), "");
  return brokenRules(*module, facts);
}

TEST(VerifyOperations, AProductPasses) {
  EXPECT_EQ(broken(R"(
  %a = call <512 x half> @load.16x32(ptr %d, i64 64, i64 -1)
  %b = call <512 x half> @load.32x16(ptr %d, i64 32, i64 -1)
  %twice = fadd <512 x half> %a, %a
  %c = call <256 x float> @muladd(<512 x half> %twice, <512 x half> %b, <256 x float> zeroinitializer)
  %t = call <512 x half> @turn.16x32(<512 x half> %a)
  call void @store.32x16(<512 x half> %t, ptr %d, i64 32, i64 -1)
)"),
            "");
}

TEST(VerifyOperations, AnOperandOfAnotherSizeWithAsManyElements) {
  EXPECT_THAT(broken(R"(
  %a = call <512 x half> @load.32x16(ptr %d, i64 64, i64 -1)
  %c = call <256 x float> @muladd(<512 x half> %a, <512 x half> %a, <256 x float> zeroinitializer)
)"),
              HasSubstr("in subgroup: a matrix of 32x16 elements, taken for one of 16x32"));
}

TEST(VerifyOperations, ARowIsAColumnToo) {
  const std::string declared = R"(
declare !tessera.matrix !{!"load", i32 0, i32 1, i32 32, i32 0} <32 x half> @load.row(ptr, i64, i64)
declare !tessera.matrix !{!"store", i32 0, i32 32, i32 1, i32 0} void @store.column(<32 x half>, ptr, i64, i64)
)";
  EXPECT_EQ(broken(R"(
  %a = call <32 x half> @load.row(ptr %d, i64 64, i64 -1)
  call void @store.column(<32 x half> %a, ptr %d, i64 2, i64 -1)
)",
                   {}, declared),
            "");
}

TEST(VerifyOperations, WhatNoOperationMakesServesSeveralSizes) {
  // A splat, and arithmetic on splats, which equal expressions share.
  EXPECT_EQ(broken(R"(
  %h = uitofp i32 %x to half
  %one = insertelement <512 x half> poison, half %h, i64 0
  %splat = shufflevector <512 x half> %one, <512 x half> poison, <512 x i32> zeroinitializer
  %twice = fadd <512 x half> %splat, %splat
  %c = call <256 x float> @muladd(<512 x half> %twice, <512 x half> %twice, <256 x float> zeroinitializer)
)"),
            "");
  // What is made of it and of a matrix has that one's size.
  EXPECT_THAT(broken(R"(
  %h = uitofp i32 %x to half
  %one = insertelement <512 x half> poison, half %h, i64 0
  %splat = shufflevector <512 x half> %one, <512 x half> poison, <512 x i32> zeroinitializer
  call void @store.32x16(<512 x half> %splat, ptr %d, i64 32, i64 -1)
  %a = call <512 x half> @load.16x32(ptr %d, i64 64, i64 -1)
  %sum = fadd <512 x half> %splat, %a
  call void @store.16x32(<512 x half> %sum, ptr %d, i64 64, i64 -1)
  call void @store.32x16(<512 x half> %sum, ptr %d, i64 32, i64 -1)
)"),
              HasSubstr("a matrix of 16x32 elements, taken for one of 32x16"));
}

TEST(VerifyOperations, ASizeThatChangesOnTheWay) {
  // Through arithmetic, a choice and a change of components.
  EXPECT_THAT(broken(R"(
  %a = call <512 x half> @load.16x32(ptr %d, i64 64, i64 -1)
  %wide = fpext <512 x half> %a to <512 x float>
  %sum = fadd <512 x float> %wide, %wide
  %is = icmp eq i32 %x, 0
  %chosen = select i1 %is, <512 x float> %sum, <512 x float> zeroinitializer
  %narrow = fptrunc <512 x float> %chosen to <512 x half>
  call void @store.32x16(<512 x half> %narrow, ptr %d, i64 32, i64 -1)
)"),
              HasSubstr("a matrix of 16x32 elements, taken for one of 32x16"));
}

TEST(VerifyOperations, AVariableMayHaveMatricesOfSeveralSizes) {
  EXPECT_EQ(broken(R"(
  %v = alloca [2 x <512 x half>]
  %second = getelementptr i8, ptr %v, i64 1024
  %a = call <512 x half> @load.16x32(ptr %d, i64 64, i64 -1)
  %b = call <512 x half> @load.32x16(ptr %d, i64 64, i64 -1)
  store <512 x half> %a, ptr %v
  store <512 x half> %b, ptr %second
  %a2 = load <512 x half>, ptr %v
  call void @store.16x32(<512 x half> %a2, ptr %d, i64 32, i64 -1)
)"),
            "");
}

TEST(VerifyOperations, MetadataOfNoKnownForm) {
  constexpr char kCall[] = "  call void @odd()\n";
  for (const char* metadata :
       {R"(!{})", R"(!{!"load"})", R"(!{!"divide", i32 0, i32 1, i32 1, i32 0})",
        R"(!{!"load", i32 0, i32 16, i32 16, !"row"})", R"(!{i32 1})"}) {
    const std::string declared =
        std::string("declare !tessera.matrix ") + metadata + " void @odd()\n";
    EXPECT_THAT(broken(kCall, {}, declared), HasSubstr("metadata is of no known form")) << metadata;
  }
}

TEST(VerifyOperations, ConstantsOutOfRange) {
  for (const char* constants :
       {"i32 99, i32 16, i32 16, i32 0", "i32 0, i32 0, i32 16, i32 0",
        "i32 0, i32 65536, i32 65536, i32 0", "i32 0, i32 16, i32 16, i32 2"}) {
    const std::string declared = std::string("declare !tessera.matrix !{!\"load\", ") + constants +
                                 "} <256 x half> @odd(ptr, i64, i64)\n";
    EXPECT_THAT(broken("  %a = call <256 x half> @odd(ptr %d, i64 1, i64 1)\n", {}, declared),
                HasSubstr("out of range"))
        << constants;
  }
}

TEST(VerifyOperations, AFunctionOfOtherTypesThanItsMetadataSays) {
  const std::string declared =
      "declare !tessera.matrix !{!\"load\", i32 0, i32 16, i32 16, i32 0} <128 x half> "
      "@odd(ptr, i64, i64)\n";
  EXPECT_THAT(broken("  %a = call <128 x half> @odd(ptr %d, i64 1, i64 1)\n", {}, declared),
              HasSubstr("has other types than its metadata says"));
}

TEST(VerifyOperations, ACallOfWhatNobodyKnows) {
  EXPECT_THAT(broken("  call void @unknown()\n"), HasSubstr("no function that kernels may call"));
  EXPECT_THAT(broken("  %f = load ptr, ptr %d\n  call void %f()\n"),
              HasSubstr("a call of a pointer"));
}

TEST(VerifyOperations, Barriers) {
  const KernelFacts several{.lanes = 32, .streams = 2}, one{.lanes = 32, .streams = 1};
  EXPECT_EQ(broken("  call void @tessera.barrier(ptr %shared)\n", several), "");
  EXPECT_THAT(broken("  call void @tessera.barrier(ptr %frame)\n", several),
              HasSubstr("does not get the Workgroup memory"));
  EXPECT_THAT(broken("  call void @tessera.barrier(ptr %shared)\n", one),
              HasSubstr("in a workgroup of one stream"));
}

TEST(VerifyOperations, TheFrameEnds) {
  // 15 strides of 64 bytes, and the last row's 64.
  const KernelFacts facts{.frame = KernelFrame(1088), .lanes = 32};
  auto access = [&](const char* offset, const char* stride) {
    return broken(
        std::string("  %wide = zext i32 %x to i64\n  %p = getelementptr i8, ptr %frame, i64 ") +
            offset + "\n  %a = call <512 x half> @load.16x32(ptr %p, i64 " + stride + ", i64 -1)\n",
        facts);
  };
  EXPECT_EQ(access("64", "64"), "");
  EXPECT_THAT(access("65", "64"), HasSubstr("a matrix outside of the frame of 1088 bytes"));
  EXPECT_THAT(access("0", "72"), HasSubstr("a matrix outside of the frame of 1088 bytes"));
  EXPECT_THAT(access("-64", "64"), HasSubstr("a matrix outside of the frame of 1088 bytes"));
  EXPECT_EQ(access("64", "%wide"), "") << "a stride that is computed";
}

TEST(VerifyOperations, MarksAreOnWhatTheySpeakOf) {
  EXPECT_EQ(broken("  %v = alloca i32, !tessera.cleared !{}\n"), "");
  EXPECT_THAT(broken("  %v = load i32, ptr %d, !tessera.cleared !{}\n"),
              HasSubstr("a mark of a cleared variable"));
  EXPECT_THAT(broken("  %v = add i32 %x, %y, !tessera.behind_test !{}\n"),
              HasSubstr("a mark of a tested access"));
  EXPECT_EQ(broken("  store i32 %x, ptr %d, !tessera.printed !{}\n"), "");
  EXPECT_THAT(broken("  %v = load i32, ptr %d, !tessera.printed !{}\n"),
              HasSubstr("a mark of a printed matrix's store"));
}

}  // namespace
}  // namespace jit
