// SPDX-License-Identifier: Apache-2.0

// What K-loop scheduling takes and what it leaves, on small functions.
#include "tests/jit/coopmat/k_loop_fixture.h"

namespace jit::coopmat {
namespace {

TEST_F(KLoopShapeTest, NestWithBarrierAndStoreIsOneProduct) {
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %q, %latch ]
  %more = icmp ult i32 %i, %x
  br i1 %more, label %stage, label %exit
stage:
  call void @tessera.barrier()
  store i32 0, ptr %shared
  br label %inner
inner:
  %j = phi i32 [ 0, %stage ], [ %j1, %body ]
  %q = phi <256 x float> [ %p, %stage ], [ %m, %body ]
  %again = icmp ult i32 %j, %y
  br i1 %again, label %body, label %latch
body:
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %q)
  %j1 = add i32 %j, 1
  br label %inner
latch:
  %i1 = add i32 %i, 1
  br label %outer
exit:
  STORE(<256 x float> %p, ptr %out, i64 64, i64 -1)
  ret void
)"),
            0);
}

TEST_F(KLoopShapeTest, ConditionalMultiplyAddCountsOnlyWhenDone) {
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %join ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %v, %join ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %join
then:
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  br label %join
join:
  %v = phi <256 x float> [ %p, %loop ], [ %m, %then ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %v, ptr %out, i64 64, i64 -1)
  ret void
)"),
            0);
  EXPECT_EQ(run().front(), 32) << "two of the five iterations";
}

TEST_F(KLoopShapeTest, TwoAccumulatorsThatShareNothing) {
  EXPECT_EQ(left(R"(
entry:
  %other = getelementptr i8, ptr %d, i64 512
  %out = getelementptr i8, ptr %d, i64 1024
  %out2 = getelementptr i8, ptr %d, i64 2048
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  %q = phi <256 x float> [ zeroinitializer, %entry ], [ %n, %loop ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %b = LOAD(ptr %other, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %n = MULADD(<256 x half> %b, <256 x half> %b, <256 x float> %q)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  STORE(<256 x float> %n, ptr %out2, i64 64, i64 -1)
  ret void
)"),
            0);
  std::vector<float> result = run();
  for (float value : result) EXPECT_EQ(value, 80);
}

TEST_F(KLoopShapeTest, OperandThatIsAValueIsPackedFromTheValue) {
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  %a = LOAD(ptr %d, i64 32, i64 -1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  %t = fadd <256 x half> %a, %a
  %m = MULADD(<256 x half> %t, <256 x half> %a, <256 x float> %p)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)"),
            0);
  EXPECT_EQ(run().front(), 160);
}

TEST_F(KLoopShapeTest, AccumulatorThatTheLoopReadsStays) {
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  ret void
)"),
            1);
  EXPECT_EQ(run().front(), 80);
}

TEST_F(KLoopShapeTest, AccumulatorThatIsScaledStays) {
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %s = fadd <256 x float> %p, %p
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %s)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)"),
            1);
  EXPECT_EQ(run().front(), 16 * 31);
}

TEST_F(KLoopShapeTest, OldVersionThatIsUsedAgainStays) {
  // The second multiply-add starts from the version before the first.
  EXPECT_EQ(left(R"(
entry:
  %out = getelementptr i8, ptr %d, i64 1024
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %join ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %v, %join ]
  %a = LOAD(ptr %d, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %a, <256 x float> %p)
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %v = phi <256 x float> [ %m, %loop ], [ %p, %then ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %v, ptr %out, i64 64, i64 -1)
  ret void
)"),
            1);
  EXPECT_EQ(run().front(), 48);
}

}  // namespace
}  // namespace jit::coopmat
