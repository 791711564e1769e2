// SPDX-License-Identifier: Apache-2.0

// What K-loop scheduling takes, what it leaves, and what it shares, on small functions.
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "jit/coopmat/k_loop.h"
#include "jit/ukernel/packed_gemm.h"
#include "tests/jit/coopmat/gemm_kernel.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::coopmat {
namespace {

using enum Component;

// The pass on small functions: what is scheduled, and what is left as it is. Matrices are 16x16
// f16 and f32, `frame` is 4 KiB and more of zeros besides.
class KLoopShapeTest : public testing::Test {
 protected:
  static constexpr char kPrologue[] = R"(
declare !tessera.matrix !{!"load", i32 0, i32 16, i32 16, i32 0} <256 x half> @tessera.matrix.load.v256half.16.16.0(ptr, i64, i64) memory(argmem: read) nounwind willreturn
declare !tessera.matrix !{!"store", i32 4, i32 16, i32 16, i32 0} void @tessera.matrix.store.v256float.16.16.0(<256 x float>, ptr, i64, i64) memory(argmem: write) nounwind willreturn
declare !tessera.matrix !{!"muladd", i32 16, i32 16, i32 16, i32 0, i32 0, i32 4, i32 4, i32 0, i32 1} <256 x float> @tessera.matrix.muladd(<256 x half>, <256 x half>, <256 x float>) memory(none) nounwind willreturn
declare !tessera.function !{!"barrier"} void @tessera.barrier()
declare void @copy(ptr readonly, ptr) memory(argmem: readwrite) nounwind willreturn
define void @f(ptr %d, ptr %shared, ptr %frame, i32 %x, i32 %y, i32 %z, i32 %subgroup) !tessera.function !{!"subgroup"} {
)";

  // Multiply-adds that are left after scheduling `body`.
  int left(std::string body) {
    auto replace = [&](const std::string& from, const std::string& to) {
      for (size_t at; (at = body.find(from)) != std::string::npos;)
        body.replace(at, from.size(), to);
    };
    replace("MULADD(", "call <256 x float> @tessera.matrix.muladd(");
    replace("LOAD", "call <256 x half> @tessera.matrix.load.v256half.16.16.0");
    replace("STORE", "call void @tessera.matrix.store.v256float.16.16.0");
    body = kPrologue + body + "}\n";
    module_.parse(body);
    llvm::Function& function = *module_.module().getFunction("f");
    module_.schedule(function);
    int count = 0;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      count += matchMulAdd(&instruction).has_value();
    }
    EXPECT_EQ(module_.lower(), "");
    return count;
  }

  // Whether `body`, all of whose multiply-adds are scheduled, looks for panels that other
  // workgroups packed.
  bool shares(const std::string& body) {
    EXPECT_EQ(left(body), 0);
    return module_.module().getFunction(ukernel::kFindPanel) != nullptr;
  }

  // Runs what `left` made, with A and B tiles of ones: `d` starts with two tiles of half ones,
  // and room for two f32 tiles lies 1 KiB after.
  std::vector<float> run() {
    auto* function = reinterpret_cast<test::SubgroupFunction>(module_.compile("f"));
    std::vector<uint16_t> memory(512 + 1024, 0x3c00);
    std::fill(memory.begin() + 512, memory.end(), 0);
    std::unique_ptr<void, decltype(&std::free)> frame(
        std::aligned_alloc(64, module_.frame.bytes() + 64), &std::free);
    function(memory.data(), nullptr, frame.get(), 5, 3, 0, 0);
    std::vector<float> result(512);
    std::memcpy(result.data(), memory.data() + 512, 2048);
    return result;
  }

  // Tiles announce themselves where they are stored.
  test::JitModule module_{withoutHardwareTiles(makeTarget(rt::hostIsa()))};
};

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

TEST_F(KLoopShapeTest, WorkgroupsThatOnlyReadShare) {
  EXPECT_TRUE(shares(loopBetween("store i32 1, ptr %own", "store i32 1, ptr %out")));
}

TEST_F(KLoopShapeTest, WorkgroupsThatWroteBeforeDoNotShare) {
  EXPECT_FALSE(shares(loopBetween("store i32 1, ptr %out", "")));
}

TEST_F(KLoopShapeTest, WorkgroupsThatWaitedBeforeDoNotShare) {
  EXPECT_FALSE(shares(loopBetween("call void @tessera.barrier()", "")));
}

TEST_F(KLoopShapeTest, KernelsWithAtomicsDoNotShare) {
  EXPECT_FALSE(shares(loopBetween("", "%old = atomicrmw add ptr %out, i32 1 monotonic")));
}

TEST_F(KLoopShapeTest, OnlyWhatSumsAreStoredToIsPrefetched) {
  auto prefetches = [&](const std::string& body) {
    EXPECT_EQ(left(body), 0);
    return module_.module().getFunction(ukernel::kPrefetchColumn) != nullptr;
  };
  const std::string stored = loopBetween("", "");
  EXPECT_TRUE(prefetches(stored));
  EXPECT_FALSE(prefetches(stored.substr(0, stored.find("STORE")) + "  ret void\n"));
}

// What a workgroup has in its frame or in shared memory is its own, wherever another has the like.
TEST_F(KLoopShapeTest, OperandsOfTheWorkgroupsOwnAreNotShared) {
  EXPECT_FALSE(shares(loopBetween("", "", "%frame")));
}

TEST_F(KLoopShapeTest, OperandsInWorkgroupMemoryAreNotShared) {
  EXPECT_FALSE(shares(loopBetween("", "", "%shared")));
}

TEST_F(KLoopShapeTest, OperandsThatMayBeTheWorkgroupsOwnAreNotShared) {
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

TEST_F(KLoopShapeTest, LoopsThatCopyToTheirFrameShare) { EXPECT_TRUE(shares(loopThatCopies(""))); }

TEST_F(KLoopShapeTest, LoopsThatCopyForOthersDoNotShare) {
  EXPECT_FALSE(shares(loopThatCopies("", "", "%out")));
}

TEST_F(KLoopShapeTest, CopiesThatChangeBeforeTheyAreLoadedAreNotShared) {
  EXPECT_FALSE(shares(loopThatCopies("store i32 1, ptr %frame")));
}

TEST_F(KLoopShapeTest, WorkgroupsThatWriteInTheLoopDoNotShare) {
  EXPECT_FALSE(shares(loopThatCopies("", "store i32 1, ptr %out")));
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
