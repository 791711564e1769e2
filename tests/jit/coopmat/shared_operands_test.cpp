// SPDX-License-Identifier: Apache-2.0

// Which K loops look for panels that other workgroups packed, and which have none that could serve
// others.
#include "tests/jit/coopmat/k_loop_fixture.h"

namespace jit::coopmat {
namespace {

using SharedOperandsTest = KLoopShapeTest;

// A K loop between other code.
std::string loopBetween(const std::string& before, const std::string& after,
                        const std::string& operand = "%client") {
  return R"(
entry:
  %client = load ptr, ptr %d
  %out = getelementptr i8, ptr %client, i64 1024
  %own = alloca i32
)" + before +
         R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  %a = LOAD(ptr %client, i64 32, i64 -1)
  %b = LOAD(ptr )" +
         operand + R"(, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %p)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
)" + after +
         "\n  ret void\n";
}

TEST_F(SharedOperandsTest, WorkgroupsThatOnlyReadShare) {
  EXPECT_TRUE(shares(loopBetween("store i32 1, ptr %own", "store i32 1, ptr %out")));
}

TEST_F(SharedOperandsTest, WorkgroupsThatWroteBeforeDoNotShare) {
  EXPECT_FALSE(shares(loopBetween("store i32 1, ptr %out", "")));
}

TEST_F(SharedOperandsTest, WorkgroupsThatWaitedBeforeDoNotShare) {
  EXPECT_FALSE(shares(loopBetween("call void @tessera.barrier()", "")));
}

TEST_F(SharedOperandsTest, WorkgroupsWithAtomicsBeforeDoNotShare) {
  EXPECT_FALSE(shares(loopBetween("%old = atomicrmw add ptr %out, i32 1 monotonic", "")));
}

TEST_F(SharedOperandsTest, WorkgroupsWithAtomicsAfterwardsShare) {
  EXPECT_TRUE(shares(loopBetween("", "%old = atomicrmw add ptr %out, i32 1 monotonic")));
}

TEST_F(SharedOperandsTest, OnlyWhatSumsAreStoredToIsPrefetched) {
  auto prefetches = [&](const std::string& body) {
    EXPECT_EQ(left(body), 0);
    return module_.module().getFunction(ukernel::kPrefetchColumn) != nullptr;
  };
  const std::string stored = loopBetween("", "");
  EXPECT_TRUE(prefetches(stored));
  EXPECT_FALSE(prefetches(stored.substr(0, stored.find("STORE")) + "  ret void\n"));
}

// What a workgroup has in its frame or in shared memory is its own, wherever another has the like.
TEST_F(SharedOperandsTest, OperandsOfTheWorkgroupsOwnAreNotShared) {
  EXPECT_FALSE(shares(loopBetween("", "", "%frame")));
}

TEST_F(SharedOperandsTest, OperandsInWorkgroupMemoryAreNotShared) {
  EXPECT_FALSE(shares(loopBetween("", "", "%shared")));
}

TEST_F(SharedOperandsTest, OperandsThatMayBeTheWorkgroupsOwnAreNotShared) {
  EXPECT_FALSE(
      shares(loopBetween("%odd = trunc i32 %y to i1\n"
                         "%either = select i1 %odd, ptr %client, ptr %frame",
                         "", "%either")));
}

// A K loop with an operand of which the workgroup makes itself a copy in `copy`, in some
// iterations.
std::string loopThatCopies(const std::string& before_load, const std::string& in_loop = "",
                           const std::string& copy = "%frame") {
  return R"(
entry:
  %client = load ptr, ptr %d
  %out = getelementptr i8, ptr %client, i64 1024
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %load ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %load ]
  %inside = icmp ult i32 %i, %y
  br i1 %inside, label %load, label %copy
copy:
  call void @copy(ptr %client, ptr )" +
         copy + R"()
  br label %load
load:
  %base = phi ptr [ %client, %loop ], [ )" +
         copy + R"(, %copy ]
)" + before_load +
         R"(
  %a = LOAD(ptr %base, i64 32, i64 -1)
  %b = LOAD(ptr %client, i64 32, i64 -1)
  %m = MULADD(<256 x half> %a, <256 x half> %b, <256 x float> %p)
)" + in_loop +
         R"(
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
)";
}

TEST_F(SharedOperandsTest, LoopsThatCopyToTheirFrameShare) {
  EXPECT_TRUE(shares(loopThatCopies("")));
}

TEST_F(SharedOperandsTest, LoopsThatCopyForOthersDoNotShare) {
  EXPECT_FALSE(shares(loopThatCopies("", "", "%out")));
}

TEST_F(SharedOperandsTest, CopiesThatChangeBeforeTheyAreLoadedAreNotShared) {
  EXPECT_FALSE(shares(loopThatCopies("store i32 1, ptr %frame")));
}

TEST_F(SharedOperandsTest, WorkgroupsThatWriteInTheLoopDoNotShare) {
  EXPECT_FALSE(shares(loopThatCopies("", "store i32 1, ptr %out")));
}

// A K loop with an operand that is a value and one that is loaded, which calls a function of the
// shader with the frame and the client's memory.
std::string loopThatCalls(const std::string& function_body, const std::string& before = "") {
  return R"(
entry:
  %client = load ptr, ptr %d
  %out = getelementptr i8, ptr %client, i64 1024
  %a = LOAD(ptr %client, i64 32, i64 -1)
)" + before +
         R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi <256 x float> [ zeroinitializer, %entry ], [ %m, %loop ]
  call void @decode(ptr %d, ptr %shared, ptr %frame, i32 %i, ptr %frame, ptr %client)
  %t = fadd <256 x half> %a, %a
  %b = LOAD(ptr %client, i64 32, i64 -1)
  %m = MULADD(<256 x half> %t, <256 x half> %b, <256 x float> %p)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %x
  br i1 %more, label %loop, label %exit
exit:
  STORE(<256 x float> %m, ptr %out, i64 64, i64 -1)
  ret void
}
declare void @llvm.x86.tdpbf16ps(i8 immarg, i8 immarg, i8 immarg)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
define internal void @decode(ptr %d, ptr %shared, ptr %frame, i32 %i, ptr %mine, ptr %client) !tessera.function !{!"shared_code"} {
)" + function_body +
         R"(
  ret void
)";
}

TEST_F(SharedOperandsTest, FunctionsThatWriteToTheFrameShare) {
  EXPECT_TRUE(shares(loopThatCalls("store i32 %i, ptr %frame")));
}

TEST_F(SharedOperandsTest, FunctionsThatWriteToTheFrameByAnArgumentShare) {
  EXPECT_TRUE(shares(loopThatCalls(
      "%next = getelementptr i8, ptr %mine, i64 64\n"
      "call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %next, i32 4, "
      "<4 x i1> <i1 1, i1 0, i1 1, i1 1>)")));
}

// A function of functions, which writes where `pointer` leads.
std::string loopThatCallsTwice(const std::string& pointer) {
  return loopThatCalls("call void @inner(ptr %d, ptr %shared, ptr %frame, ptr " + pointer +
                       R"()
  ret void
}
define internal void @inner(ptr %d, ptr %shared, ptr %frame, ptr %to) !tessera.function !{!"shared_code"} {
  store i32 1, ptr %to)");
}

TEST_F(SharedOperandsTest, FunctionsInFunctionsThatWriteToTheFrameShare) {
  EXPECT_TRUE(shares(loopThatCallsTwice("%mine")));
}

TEST_F(SharedOperandsTest, FunctionsInFunctionsThatWriteForOthersDoNotShare) {
  EXPECT_FALSE(shares(loopThatCallsTwice("%client")));
}

TEST_F(SharedOperandsTest, FunctionsThatWriteForOthersDoNotShare) {
  EXPECT_FALSE(shares(loopThatCalls("store i32 %i, ptr %shared")));
}

TEST_F(SharedOperandsTest, FunctionsThatWriteForOthersByAnArgumentDoNotShare) {
  EXPECT_FALSE(shares(loopThatCalls("store i32 %i, ptr %client")));
}

TEST_F(SharedOperandsTest, FunctionsThatWriteForOthersUnderAMaskDoNotShare) {
  EXPECT_FALSE(shares(loopThatCalls(
      "call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %client, i32 4, "
      "<4 x i1> <i1 1, i1 0, i1 1, i1 1>)")));
}

TEST_F(SharedOperandsTest, FunctionsWithAtomicsDoNotShare) {
  EXPECT_FALSE(shares(loopThatCalls("%old = atomicrmw add ptr %frame, i32 1 monotonic")));
}

TEST_F(SharedOperandsTest, ProductsByTilesBeforeShare) {
  EXPECT_TRUE(shares(loopThatCalls("store i32 %i, ptr %frame",
                                   "call void @llvm.x86.tdpbf16ps(i8 0, i8 1, i8 2)")));
}

}  // namespace
}  // namespace jit::coopmat
