// SPDX-License-Identifier: Apache-2.0

// Which loops over the K steps of a stage are unrolled, on small functions.
#include "jit/coopmat/stage_unrolling.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <map>
#include <string>

#include "jit/matrix/component.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

// Stages of END of K in shared memory, 16 of K at a time, with 2x2 accumulators. The inner loop is
// left in its header. Words in capitals stand for what tests vary.
constexpr char kLoops[] = R"(
declare !tessera.matrix !{!"load", i32 4, i32 16, i32 16, i32 0} <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 4, i32 4, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd(<256 x float>, <256 x float>, <256 x float>) memory(none) nounwind willreturn
declare !tessera.function !{!"barrier"} void @tessera.barrier()
define void @f(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %subgroup) !tessera.function !{!"subgroup"} {
entry:
  %stride = zext i32 %y to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %staged ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %p1, %staged ]
  %q = phi <256 x float> [ zeroinitializer, %entry ], [ %q1, %staged ]
  %r = phi <256 x float> [ zeroinitializer, %entry ], [ %r1, %staged ]
  %s = phi <256 x float> [ zeroinitializer, %entry ], [ %s1, %staged ]
  call void @tessera.barrier()
  br label %stage
stage:
  %l = phi i64 [ 0, %loop ], [ %l1, %step ]
  %p1 = phi <256 x float> [ %p, %loop ], [ %pm, %step ]
  %q1 = phi <256 x float> [ %q, %loop ], [ %qm, %step ]
  %r1 = phi <256 x float> [ %r, %loop ], [ %rm, %step ]
  %s1 = phi <256 x float> [ %s, %loop ], [ %sm, %step ]
  %inside = icmp ult i64 %l, END
  br i1 %inside, label %step, label %staged
step:
  %a_at = getelementptr float, ptr %shared, i64 %l
  %a2_at = getelementptr i8, ptr %a_at, i64 2048
  %row = mul i64 %l, 128
  %row_at = getelementptr i8, ptr %shared, i64 %row
  %b_at = getelementptr i8, ptr %row_at, i64 8192
  %b2_at = getelementptr i8, ptr %row_at, i64 8256
  %a = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %a_at, i64 STRIDE, i64 -1)
  %a2 = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %a2_at, i64 STRIDE, i64 -1)
  %b = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %b_at, i64 128, i64 -1)
  %b2 = call <256 x float> @tessera.matrix.load.v256float.16.16.0(ptr %b2_at, i64 128, i64 -1)
  BETWEEN
  %pm = call <256 x float> @tessera.matrix.muladd(<256 x float> %a, <256 x float> %b, <256 x float> %p1)
  %qm = call <256 x float> @tessera.matrix.muladd(<256 x float> %a, <256 x float> %b2, <256 x float> %q1)
  %rm = call <256 x float> @tessera.matrix.muladd(<256 x float> %a2, <256 x float> %b, <256 x float> %r1)
  %sm = call <256 x float> @tessera.matrix.muladd(<256 x float> %a2, <256 x float> %b2, <256 x float> %s1)
  %l1 = add i64 %l, 16
  br label %stage
staged:
  call void @tessera.barrier()
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  %d2 = getelementptr i8, ptr %d, i64 1024
  %d3 = getelementptr i8, ptr %d, i64 2048
  %d4 = getelementptr i8, ptr %d, i64 3072
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %p1, ptr %d, i64 64, i64 -1)
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %q1, ptr %d2, i64 64, i64 -1)
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %r1, ptr %d3, i64 64, i64 -1)
  call void @tessera.matrix.store.v256float.16.16.0(<256 x float> %s1, ptr %d4, i64 64, i64 -1)
  ret void
}
)";

class StageUnrollingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (rt::hostIsa() < rt::Isa::Avx512) GTEST_SKIP() << "blocks have another number of rows";
  }

  // Whether the inner loop, with these words in place of those in capitals, is unrolled. If so, the
  // loop must be scheduled without packing.
  static bool unrolls(const std::map<std::string, std::string>& words) {
    std::map<std::string, std::string> all{{"END", "32"}, {"STRIDE", "128"}, {"BETWEEN", ""}};
    for (const auto& [word, text] : words) all[word] = text;
    test::JitModule module(makeTarget(rt::Isa::Avx512));
    module.parse(test::withWords(kLoops, all));
    llvm::Function& function = *module.module().getFunction("f");
    const bool unrolled = module.unrollStages(function);
    llvm::DominatorTree dominators(function);
    EXPECT_EQ(llvm::LoopInfo(dominators).getLoopsInPreorder().size(), unrolled ? 1u : 2u);
    EXPECT_TRUE(module.schedule(function));
    EXPECT_EQ(module.hasFunction(FunctionKind::ProductInPlace), unrolled);
    return unrolled;
  }
};

TEST_F(StageUnrollingTest, StepsThatAreReadInPlaceSideBySide) { EXPECT_TRUE(unrolls({})); }

TEST_F(StageUnrollingTest, NotStepsThatArePackedAllTheSame) {
  EXPECT_FALSE(unrolls({{"STRIDE", "%stride"}})) << "rows of which only the shader knows where";
  EXPECT_FALSE(unrolls({{"BETWEEN", "call void @tessera.barrier()"}})) << "written before";
  EXPECT_FALSE(unrolls({{"END", "16"}})) << "a single step";
}

TEST_F(StageUnrollingTest, NotStepsOfWhichOnlyTheShaderKnowsHowMany) {
  EXPECT_FALSE(unrolls({{"END", "%stride"}}));
}

TEST_F(StageUnrollingTest, NotMoreStepsThanAreWorthTheirCode) {
  EXPECT_FALSE(unrolls({{"END", "2048"}}));
}

}  // namespace
}  // namespace jit::coopmat
