// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/uniform_induction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/analyses.h"
#include "jit/llvm/codegen.h"
#include "tests/jit/llvm/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

// A kernel of four lanes over words; lanes start at 0, 1, 2, 3.
std::string kernelText(const std::string& body) {
  return R"(
    declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
    declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
    declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %words = load ptr, ptr %dispatch
      %limit0 = insertelement <4 x i32> poison, i32 %y, i32 0
      %limit = shufflevector <4 x i32> %limit0, <4 x i32> poison, <4 x i32> zeroinitializer
      %step0 = insertelement <4 x i32> poison, i32 %x, i32 0
      %step = shufflevector <4 x i32> %step0, <4 x i32> poison, <4 x i32> zeroinitializer
      br label %loop
    loop:
    )" + body +
         "}";
}

// Whether the pass changed anything; the results of the code before and after it are the same.
bool splits(const std::string& body, uint32_t step, uint32_t limit) {
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  std::vector<uint32_t> results[2];
  bool changed = false;
  for (int after : {0, 1}) {
    IrModule module(kernelText(body));
    Analyses analyses(**machine);
    if (after)
      changed = splitUniformInductions(*module->getFunction("kernel"), analyses.functions());
    EXPECT_EQ(module.complaints(), "") << module.text();
    auto kernel = module.load("kernel");
    if (!kernel) {
      ADD_FAILURE() << llvm::toString(kernel.takeError());
      return false;
    }
    KernelMemory memory(64, 0, 0);
    for (uint32_t i = 0; i < 64; ++i) memory.words[i] = 100 + i;
    memory.run(*kernel, {step, limit, 0});
    results[after] = memory.words;
  }
  EXPECT_EQ(results[0], results[1]);
  return changed;
}

// for (i = lane; i < y; i += x) words[i] += i;
TEST(UniformInduction, CountersOfLanesThatLeaveOneByOne) {
  const char* body = R"(
      %live = phi <4 x i1> [ splat (i1 true), %entry ], [ %go, %body ]
      %i = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %entry ], [ %next, %body ]
      %below = icmp ult <4 x i32> %i, %limit
      %go = and <4 x i1> %live, %below
      %any = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %go)
      br i1 %any, label %body, label %done
    body:
      %at = getelementptr i32, ptr %words, <4 x i32> %i
      %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %at, i32 4, <4 x i1> %go,
                                                         <4 x i32> zeroinitializer)
      %w = add <4 x i32> %v, %i
      call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %w, <4 x ptr> %at, i32 4, <4 x i1> %go)
      %sum = add <4 x i32> %i, %step
      %next = select <4 x i1> %go, <4 x i32> %sum, <4 x i32> %i
      br label %loop
    done:
      ret void
  )";
  EXPECT_TRUE(splits(body, 4, 18));
  EXPECT_TRUE(splits(body, 5, 31));
}

// do { words[i] += 1; i += x; } while (uniform)
TEST(UniformInduction, CountersOfAllLanes) {
  EXPECT_TRUE(splits(R"(
      %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
      %i = phi <4 x i32> [ <i32 3, i32 1, i32 9, i32 5>, %entry ], [ %next, %loop ]
      %at = getelementptr i32, ptr %words, <4 x i32> %i
      call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %i, <4 x ptr> %at, i32 4,
                                                <4 x i1> splat (i1 true))
      %next = add <4 x i32> %i, %step
      %n1 = add i32 %n, 1
      %more = icmp ult i32 %n1, 5
      br i1 %more, label %loop, label %done
    done:
      store <4 x i32> %next, ptr %words, align 4
      ret void
  )",
                     10, 0));
}

// The flag stops the counting of a lane, not the lane: it goes on writing.
TEST(UniformInduction, LanesThatStopCountingButStay) {
  EXPECT_FALSE(splits(R"(
      %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
      %counts = phi <4 x i1> [ splat (i1 true), %entry ], [ %still, %loop ]
      %i = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %entry ], [ %next, %loop ]
      %below = icmp ult <4 x i32> %i, %limit
      %still = and <4 x i1> %counts, %below
      %at0 = mul i32 %n, 4
      %at = getelementptr i32, ptr %words, i32 %at0
      store <4 x i32> %i, ptr %at, align 4
      %sum = add <4 x i32> %i, %step
      %next = select <4 x i1> %still, <4 x i32> %sum, <4 x i32> %i
      %n1 = add i32 %n, 1
      %more = icmp ult i32 %n1, 5
      br i1 %more, label %loop, label %done
    done:
      ret void
  )",
                      2, 5));
}

// After the loop each lane looks at where it stopped.
TEST(UniformInduction, CountersThatAreNeededAfterTheLoop) {
  EXPECT_FALSE(splits(R"(
      %live = phi <4 x i1> [ splat (i1 true), %entry ], [ %go, %body ]
      %i = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %entry ], [ %next, %body ]
      %below = icmp ult <4 x i32> %i, %limit
      %go = and <4 x i1> %live, %below
      %any = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %go)
      br i1 %any, label %body, label %done
    body:
      %sum = add <4 x i32> %i, %step
      %next = select <4 x i1> %go, <4 x i32> %sum, <4 x i32> %i
      br label %loop
    done:
      store <4 x i32> %i, ptr %words, align 4
      ret void
  )",
                      4, 6));
}

}  // namespace
}  // namespace jit::simt
