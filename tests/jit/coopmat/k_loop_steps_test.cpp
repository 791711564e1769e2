// SPDX-License-Identifier: Apache-2.0

// K loops that do more to accumulators than to add products, and products outside of loops, on
// small functions: all accumulators of a grid are multiplied together up to there.
#include "tests/jit/coopmat/k_loop_fixture.h"

namespace jit::coopmat {
namespace {

using KLoopStepsTest = KLoopShapeTest;

// A loop over two accumulators that share A, whose multiply-adds are %m and %n, from %p and %q.
// `body` comes behind the operands %a and %b, and says what the next %p and %q are: %s and %t;
// `phi` is another one.
std::string twoAccumulators(const std::string& body, const std::string& phi = "") {
  return R"(
entry:
  %other = getelementptr i8, ptr %d, i64 512
  %out = getelementptr i8, ptr %d, i64 1024
  %out2 = getelementptr i8, ptr %d, i64 2048
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %s, %latch ]
  %q = phi <256 x float> [ zeroinitializer, %entry ], [ %t, %latch ]
  )" + phi +
         R"(
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %b = LOAD(ptr %other, i64 32, i64 -1)
)" + body +
         R"(
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %s, ptr %out, i64 64, i64 -1)
  STORE(<256 x float> %t, ptr %out2, i64 64, i64 -1)
  ret void
)";
}

// Both tiles hold `first` and `second` everywhere.
void expectTiles(const std::vector<float>& result, float first, float second) {
  for (size_t i = 0; i < 256; ++i) ASSERT_EQ(result[i], first) << i;
  for (size_t i = 256; i < 512; ++i) ASSERT_EQ(result[i], second) << i;
}

TEST_F(KLoopStepsTest, AccumulatorsThatAreScaledAreMultipliedTogether) {
  EXPECT_EQ(left(twoAccumulators(R"(
  %p2 = fadd <256 x float> %p, %p
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p2)
  %q2 = fadd <256 x float> %q, splat (float 1.0)
  %n = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %q2)
  br label %latch
latch:
  %s = phi <256 x float> [ %m, %loop ]
  %t = phi <256 x float> [ %n, %loop ])")),
            0);
  expectTiles(run(), 16 * 31, 5 * 17);
}

TEST_F(KLoopStepsTest, AccumulatorsThatAreScaledAfterwardsToo) {
  EXPECT_EQ(left(twoAccumulators(R"(
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %m2 = fadd <256 x float> %m, %m
  %n = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %q)
  %n2 = fadd <256 x float> %n, splat (float 1.0)
  br label %latch
latch:
  %s = phi <256 x float> [ %m2, %loop ]
  %t = phi <256 x float> [ %n2, %loop ])")),
            0);
  expectTiles(run(), 16 * 62, 5 * 17);
}

TEST_F(KLoopStepsTest, OneThatIsReadInARareBranchGoesOn) {
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  %out2 = getelementptr i8, ptr %d, i64 2048
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %latch ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %rare = icmp eq i32 %i, 2
  br i1 %rare, label %look, label %latch
look:
  STORE(<256 x float> %m, ptr %out2, i64 64, i64 -1)
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)"),
            0);
  expectTiles(run(), 80, 48);
}

TEST_F(KLoopStepsTest, OneThatIsSetAnewOnAWayGoesOn) {
  // The edge from the loop's header is critical.
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %p = phi <256 x float> [ splat (float 3.0), %entry ], [ %m, %body ]
  %again = icmp ne i32 %i, 3
  br i1 %again, label %keep, label %body
keep:
  br label %body
body:
  %v = phi <256 x float> [ %p, %keep ], [ splat (float 7.0), %loop ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %v)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)"),
            0);
  EXPECT_EQ(run().front(), 7 + 32);
}

TEST_F(KLoopStepsTest, ValueThatIsKeptIsReadWhereItIs) {
  EXPECT_EQ(
      left(twoAccumulators(R"(
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %n = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %q)
  %third = icmp eq i32 %i, 2
  br i1 %third, label %keep, label %latch
keep:
  br label %latch
latch:
  %k1 = phi <256 x float> [ %k, %loop ], [ %m, %keep ]
  %s = phi <256 x float> [ %m, %loop ], [ %m, %keep ]
  %t0 = phi <256 x float> [ %n, %loop ], [ %n, %keep ]
  %last = icmp eq i32 %i, 4
  %t1 = select i1 %last, <256 x float> %k1, <256 x float> %t0
  %t = fadd <256 x float> %t1, zeroinitializer)",
                           "%k = phi <256 x float> [ zeroinitializer, %entry ], [ %k1, %latch ]")),
      0);
  expectTiles(run(), 80, 48);
}

TEST_F(KLoopStepsTest, ChainInOneBlockIsOneProduct) {
  EXPECT_EQ(left(R"(
  %out = getelementptr i8, ptr %d, i64 1024
  %out2 = getelementptr i8, ptr %d, i64 2048
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %other = getelementptr i8, ptr %d, i64 512
  %b = LOAD(ptr %other, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> zeroinitializer)
  %m2 = MULADD(<256 x half> %b, <256 x half> %a, <256 x float> %m)
  %n = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> splat (float 2.0))
  %n2 = MULADD(<256 x half> %b, <256 x half> %b, <256 x float> %n)
  STORE(<256 x float> %m2, ptr %out, i64 64, i64 -1)
  STORE(<256 x float> %n2, ptr %out2, i64 64, i64 -1)
  ret void
)"),
            0);
  expectTiles(run(), 32, 34);
}

TEST_F(KLoopStepsTest, ChainOfACopyOutsideOfLoopsIsPackedWhereTheCopyIs) {
  // An operand that is loaded from global memory, or from a copy of it in the frame.
  EXPECT_EQ(left(R"(
entry:
  %client = load ptr, ptr %d
  %out = getelementptr i8, ptr %client, i64 1024
  %copied = icmp eq i32 %x, 5
  br i1 %copied, label %copies, label %reads
copies:
  call void @copy(ptr %client, ptr %frame)
  br label %both
reads:
  br label %both
both:
  %at = phi ptr [ %frame, %copies ], [ %client, %reads ]
  %a = LOAD(ptr %at, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> zeroinitializer)
  %m2 = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %m)
  STORE(<256 x float> %m2, ptr %out, i64 64, i64 -1)
  ret void
)"),
            0);
}

TEST_F(KLoopStepsTest, OneMultiplyAddByItselfStays) {
  EXPECT_EQ(left(R"(
  %out = getelementptr i8, ptr %d, i64 1024
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> zeroinitializer)
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)"),
            1);
}

TEST_F(KLoopStepsTest, StoreBetweenLoadsKeepsItsPlace) {
  // The second product's operand is what the store before it left.
  EXPECT_EQ(left(R"(
  %out = getelementptr i8, ptr %d, i64 1024
  %out2 = getelementptr i8, ptr %d, i64 2048
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> zeroinitializer)
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 512, i1 false)
  %b = LOAD(ptr %d, i64 32, i64 -1)
  %n = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %m)
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  STORE(<256 x float> %n, ptr %out2, i64 64, i64 -1)
  ret void
)"),
            2);
  expectTiles(run(), 16, 16);
}

// A loop whose operand is loaded an iteration ahead.
std::string loadedAhead(const std::string& between) {
  return R"(
entry:
  %client = load ptr, ptr %d
  %out = getelementptr i8, ptr %client, i64 1024
  %first = LOAD(ptr %client, i64 32, i64 -1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %latch ]
  %a = phi <256 x half> [ %first, %entry ], [ %next, %latch ]
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
)" + between +
         R"(
  br i1 %more, label %ahead, label %latch
ahead:
  %row = mul i32 %i1, 0
  %at = getelementptr i8, ptr %client, i32 %row
  %loaded = LOAD(ptr %at, i64 32, i64 -1)
  br label %latch
latch:
  %next = phi <256 x half> [ %a, %loop ], [ %loaded, %ahead ]
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)";
}

TEST_F(KLoopStepsTest, OperandsLoadedAheadAreShared) { EXPECT_TRUE(shares(loadedAhead(""))); }

TEST_F(KLoopStepsTest, OperandsLoadedAheadOfAStoreStayWhereTheyAre) {
  EXPECT_FALSE(shares(loadedAhead("store i32 1, ptr %out")));
}

TEST_F(KLoopStepsTest, GridWithAMissingCellIsRectangles) {
  // Three of the four products of two rows and two columns.
  EXPECT_EQ(
      left(twoAccumulators(R"(
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %n = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %q)
  %o = MULADD(<256 x half> %b, <256 x half> %a, <256 x float> %u)
  br label %latch
latch:
  %s = phi <256 x float> [ %m, %loop ]
  %t = phi <256 x float> [ %n, %loop ])",
                           "%u = phi <256 x float> [ zeroinitializer, %entry ], [ %o, %latch ]")),
      0);
  expectTiles(run(), 80, 80);
}

}  // namespace
}  // namespace jit::coopmat
