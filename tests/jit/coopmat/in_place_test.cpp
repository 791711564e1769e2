// SPDX-License-Identifier: Apache-2.0

// Which K loops read their operands where they lie, on small functions.
#include "jit/coopmat/in_place.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

// A loop between barriers over tiles of f32 in shared memory, with two accumulators that share A.
// Words in capitals stand for what tests vary.
constexpr char kLoop[] = R"(
declare !tessera.matrix !{!"load", i32 4, i32 16, i32 16, i32 0} <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"load", i32 4, i32 16, i32 16, i32 1} <256 x float> @tessera.matrix.load.v256float.16.16.1(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 4, i32 4, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd(<256 x float>, <256 x float>, <256 x float>) memory(none) nounwind willreturn
declare !tessera.function !{!"barrier"} void @tessera.barrier()
define void @f(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %subgroup) !tessera.function !{!"subgroup"} {
entry:
  %b_tile = getelementptr i8, ptr %shared, i64 1024
  %c_tile = getelementptr i8, ptr %shared, i64 1088
  %d2 = getelementptr i8, ptr %d, i64 1024
  %stride = zext i32 %y to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  %q = phi <256 x float> [ zeroinitializer, %entry ], [ %n, %loop ]
  call void @tessera.barrier()
  %a = call <256 x float> @tessera.matrix.load.v256float.16.16.LAYOUT(ptr %shared, i64 STRIDE_A, i64 LIMIT)
  %b = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %b_tile, i64 128, i64 -1)
  %c = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %c_tile, i64 STRIDE_C, i64 -1)
  BETWEEN
  %m = call <256 x float> @tessera.matrix.muladd(<256 x float> %a, <256 x float> %b, <256 x float> %p)
  %n = call <256 x float> @tessera.matrix.muladd(<256 x float> %a, <256 x float> %c, <256 x float> %q)
  call void @tessera.barrier()
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %m, ptr %d, i64 64, i64 -1)
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %n, ptr %d2, i64 64, i64 -1)
  ret void
}
)";

class InPlaceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (rt::hostIsa() < rt::Isa::Avx512) GTEST_SKIP() << "blocks have another number of rows";
  }

  // Whether the loop, with these words in place of those in capitals, is scheduled without packing.
  static bool readsInPlace(const std::map<std::string, std::string>& words) {
    std::map<std::string, std::string> all{
        {"LAYOUT", "0"}, {"STRIDE_A", "64"}, {"STRIDE_C", "128"}, {"LIMIT", "-1"}, {"BETWEEN", ""}};
    for (const auto& [word, text] : words) all[word] = text;
    test::JitModule module(makeTarget(rt::Isa::Avx512));
    module.parse(test::withWords(kLoop, all));
    EXPECT_TRUE(module.schedule(*module.module().getFunction("f")));
    const bool in_place = module.hasFunction(FunctionKind::ProductInPlace);
    EXPECT_NE(module.hasFunction(FunctionKind::PackA), in_place);
    EXPECT_NE(module.hasFunction(FunctionKind::PackB), in_place);
    return in_place;
  }
};

TEST_F(InPlaceTest, RowsInWorkgroupMemory) { EXPECT_TRUE(readsInPlace({})); }

TEST_F(InPlaceTest, NotWhatIsWrittenBeforeItIsMultiplied) {
  EXPECT_FALSE(readsInPlace({{"BETWEEN", "store float 1.0, ptr %shared"}}));
  EXPECT_FALSE(readsInPlace({{"BETWEEN", "call void @tessera.barrier()"}}));
}

TEST_F(InPlaceTest, NotColumns) { EXPECT_FALSE(readsInPlace({{"LAYOUT", "1"}})); }

TEST_F(InPlaceTest, NotRowsOfWhichOnlyTheShaderKnowsWhere) {
  EXPECT_FALSE(readsInPlace({{"STRIDE_A", "%stride"}}));
  EXPECT_FALSE(readsInPlace({{"STRIDE_C", "256"}}))
      << "while those of the other tile are 128 apart";
}

TEST_F(InPlaceTest, NotRowsThatCompeteForACachesSets) {
  EXPECT_TRUE(readsInPlace({{"STRIDE_A", "1024"}}));
  EXPECT_FALSE(readsInPlace({{"STRIDE_A", "4096"}}));
}

TEST_F(InPlaceTest, NotWhatMayEndWithinTheTile) { EXPECT_FALSE(readsInPlace({{"LIMIT", "1024"}})); }

}  // namespace
}  // namespace jit::coopmat
