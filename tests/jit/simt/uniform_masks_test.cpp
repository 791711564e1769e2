// SPDX-License-Identifier: Apache-2.0

// Which loops' masks go, and that the loops do what they did.
#include "jit/simt/uniform_masks.h"

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
using ::testing::HasSubstr;
using ::testing::Not;

// A kernel of four lanes: %entered are the lanes whose bits %y has, %words the memory.
std::string kernelText(const std::string& body) {
  return R"(
    declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %words = load ptr, ptr %dispatch
      %y4 = trunc i32 %y to i4
      %entered = bitcast i4 %y4 to <4 x i1>
      br label %loop
    loop:
    )" + body +
         "}";
}

// The text after the pass; the results of the code before and after it are the same, for several
// limits %x and all sets of lanes %y.
std::string simplified(const std::string& body, bool expected) {
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  std::vector<std::vector<uint32_t>> results[2];
  std::string text;
  for (int after : {0, 1}) {
    IrModule module(kernelText(body));
    Analyses analyses(**machine);
    if (after) {
      EXPECT_EQ(simplifyUniformMasks(*module->getFunction("kernel"), analyses.functions()),
                expected);
    }
    EXPECT_EQ(module.complaints(), "") << module.text();
    text = module.text();
    auto kernel = module.load("kernel");
    if (!kernel) {
      ADD_FAILURE() << llvm::toString(kernel.takeError());
      return text;
    }
    for (uint32_t limit : {0u, 1u, 7u}) {
      for (uint32_t lanes = 0; lanes < 16; ++lanes) {
        KernelMemory memory(64, 0, 0);
        memory.run(*kernel, {limit, lanes, 0});
        results[after].push_back(memory.words);
      }
    }
  }
  EXPECT_EQ(results[0], results[1]) << text;
  return text;
}

// for (i = 0; all lanes: i < x; ++i) words[4 i + lane] = i + 1; with `mask` in front.
std::string countingLoop(const std::string& mask, const std::string& exit) {
  return "%live = phi <4 x i1> [ " + mask + R"(, %entry ], [ %go, %body ]
      %i = phi i32 [ 0, %entry ], [ %next, %body ]
      %below = icmp ult i32 %i, %x
      %below0 = insertelement <4 x i1> poison, i1 %below, i32 0
      %all = shufflevector <4 x i1> %below0, <4 x i1> poison, <4 x i32> zeroinitializer
      %go = and <4 x i1> %live, %all
      %number = bitcast <4 x i1> %go to i4
      )" +
         exit + R"(
    body:
      %next = add i32 %i, 1
      %v0 = insertelement <4 x i32> poison, i32 %next, i32 0
      %v = shufflevector <4 x i32> %v0, <4 x i32> poison, <4 x i32> zeroinitializer
      %index = mul i32 %i, 4
      %at = getelementptr i32, ptr %words, i32 %index
      call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %at, i32 4, <4 x i1> %go)
      br label %loop
    done:
      %last = zext <4 x i1> %go to <4 x i32>
      %end = getelementptr i32, ptr %words, i32 60
      store <4 x i32> %last, ptr %end, align 4
      ret void
  )";
}

constexpr char kExitOnNone[] =
    "%none = icmp eq i4 %number, 0\n br i1 %none, label %done, label %body";
constexpr char kStayOnAny[] = "%any = icmp ne i4 %number, 0\n br i1 %any, label %body, label %done";

TEST(UniformMasks, LoopsThatAllLanesEnter) {
  for (const char* exit : {kExitOnNone, kStayOnAny}) {
    const std::string text = simplified(countingLoop("splat (i1 true)", exit), true);
    EXPECT_THAT(text, HasSubstr("<4 x i1> splat (i1 true))")) << "the store's mask";
    EXPECT_THAT(text, Not(HasSubstr("phi <4 x i1>")));
  }
}

TEST(UniformMasks, LoopsThatSomeLanesOrNoneEnter) {
  for (const char* exit : {kExitOnNone, kStayOnAny}) {
    const std::string text = simplified(countingLoop("%entered", exit), true);
    EXPECT_THAT(text, HasSubstr("<4 x i1> %entered)"));
    EXPECT_THAT(text, Not(HasSubstr("phi <4 x i1>")));
  }
}

TEST(UniformMasks, ConditionsOfEachLaneStay) {
  simplified(R"(
      %live = phi <4 x i1> [ splat (i1 true), %entry ], [ %go, %body ]
      %i = phi i32 [ 0, %entry ], [ %next, %body ]
      %i0 = insertelement <4 x i32> poison, i32 %i, i32 0
      %is = shufflevector <4 x i32> %i0, <4 x i32> poison, <4 x i32> zeroinitializer
      %own = icmp ult <4 x i32> %is, <i32 1, i32 4, i32 2, i32 3>
      %go = and <4 x i1> %live, %own
      %number = bitcast <4 x i1> %go to i4
      %none = icmp eq i4 %number, 0
      br i1 %none, label %done, label %body
    body:
      %next = add i32 %i, 1
      %index = mul i32 %i, 4
      %at = getelementptr i32, ptr %words, i32 %index
      call void @llvm.masked.store.v4i32.p0(<4 x i32> %is, ptr %at, i32 4, <4 x i1> %go)
      br label %loop
    done:
      ret void
  )",
             false);
}

// The way around the test leads on without lanes.
TEST(UniformMasks, LoopsThatGoOnWithoutTheirTestStay) {
  simplified(R"(
      %live = phi <4 x i1> [ splat (i1 true), %entry ], [ %go, %latch ]
      %i = phi i32 [ 0, %entry ], [ %next, %latch ]
      %below = icmp ult i32 %i, %x
      %below0 = insertelement <4 x i1> poison, i1 %below, i32 0
      %all = shufflevector <4 x i1> %below0, <4 x i1> poison, <4 x i32> zeroinitializer
      %go = and <4 x i1> %live, %all
      %number = bitcast <4 x i1> %go to i4
      %next = add i32 %i, 1
      %early = icmp ult i32 %i, 3
      br i1 %early, label %latch, label %test
    test:
      %none = icmp eq i4 %number, 0
      br i1 %none, label %done, label %latch
    latch:
      %index = mul i32 %i, 4
      %at = getelementptr i32, ptr %words, i32 %index
      call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 1), ptr %at, i32 4, <4 x i1> %go)
      br label %loop
    done:
      ret void
  )",
             false);
}

}  // namespace
}  // namespace jit::simt
