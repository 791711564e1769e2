// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/equal_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using testing::ElementsAre;
using testing::HasSubstr;

// Names of the functions that are left, in order.
std::vector<std::string> merged(IrModule& module) {
  llvm::SmallVector<llvm::Function*> functions;
  for (llvm::Function& function : *module)
    if (function.hasInternalLinkage()) functions.push_back(&function);
  std::vector<std::string> names;
  for (llvm::Function* function : mergeEqualFunctions(functions))
    names.push_back(function->getName().str());
  EXPECT_EQ(module.complaints(), "") << module.text();
  for (const llvm::Function& function : *module) {
    if (!function.hasInternalLinkage()) continue;
    EXPECT_THAT(names, testing::Contains(function.getName().str()));
  }
  return names;
}

// What is left of two functions whose bodies these are.
std::vector<std::string> mergedOf(const std::string& a, const std::string& b,
                                  const std::string& rest = "") {
  IrModule module("define internal void @a(ptr %p, i32 %x) {\n" + a +
                  "\n}\ndefine internal void @b(ptr %q, i32 %y) {\n" + b + "\n}\n" + rest);
  return merged(module);
}

TEST(EqualFunctions, CallersOfAllCallTheFirst) {
  IrModule module(R"(
    define void @kernel(ptr %memory) {
      call void @a(ptr %memory)
      call void @b(ptr %memory)
      ret void
    }
    define internal void @a(ptr %p) {
      store i32 1, ptr %p
      ret void
    }
    define internal void @b(ptr %q) {
      store i32 1, ptr %q
      ret void
    })");
  EXPECT_THAT(merged(module), ElementsAre("a"));
  EXPECT_THAT(module.text(), HasSubstr("call void @a(ptr %memory)\n  call void @a(ptr %memory)"));
}

TEST(EqualFunctions, WhatDiffersIsKept) {
  const std::string one = "store i32 %x, ptr %p\nret void";
  EXPECT_THAT(mergedOf(one, "store i32 %y, ptr %q\nret void"), ElementsAre("a"));
  EXPECT_THAT(mergedOf(one, "store i32 1, ptr %q\nret void"), ElementsAre("a", "b"));
  EXPECT_THAT(mergedOf(one, "store volatile i32 %y, ptr %q\nret void"), ElementsAre("a", "b"));
  EXPECT_THAT(mergedOf(one, "store i32 %y, ptr %q, align 1\nret void"), ElementsAre("a", "b"));
  const auto sum = [](const std::string& flags, const std::string& x, const std::string& p) {
    return "%s = add " + flags + " i32 " + x + ", 1\nstore i32 %s, ptr " + p + "\nret void";
  };
  EXPECT_THAT(mergedOf(sum("", "%x", "%p"), sum("", "%y", "%q")), ElementsAre("a"));
  EXPECT_THAT(mergedOf(sum("", "%x", "%p"), sum("nsw", "%y", "%q")), ElementsAre("a", "b"));
}

TEST(EqualFunctions, OperandsStandInTheSamePlaces) {
  const auto difference = [](const std::string& operands, const std::string& p) {
    return "%s = sub i32 " + operands + "\nstore i32 %s, ptr " + p + "\nret void";
  };
  EXPECT_THAT(mergedOf(difference("%x, 3", "%p"), difference("%y, 3", "%q")), ElementsAre("a"));
  EXPECT_THAT(mergedOf(difference("%x, 3", "%p"), difference("3, %y", "%q")),
              ElementsAre("a", "b"));
}

TEST(EqualFunctions, AttributesCount) {
  IrModule module(R"(
    define internal void @a(ptr noalias %p) { ret void }
    define internal void @b(ptr %p) { ret void })");
  EXPECT_THAT(merged(module), ElementsAre("a", "b"));
}

// `step` is added in a loop that has a name of its own, as loops do that are not to be unrolled.
std::string loopAdding(const std::string& step, const std::string& x, const std::string& name) {
  return R"(
      entry:
        br label %loop
      loop:
        %i = phi i32 [ 0, %entry ], [ %next, %loop ]
        %next = add i32 %i, )" +
         step + R"(
        %more = icmp ult i32 %next, )" +
         x + R"(
        br i1 %more, label %loop, label %exit, !llvm.loop )" +
         name + R"(
      exit:
        ret void)";
}

TEST(EqualFunctions, LoopsAreCompared) {
  const std::string names = R"(
    !0 = distinct !{!0, !2}
    !1 = distinct !{!1, !2}
    !2 = !{!"llvm.loop.unroll.disable"})";
  EXPECT_THAT(mergedOf(loopAdding("1", "%x", "!0"), loopAdding("1", "%y", "!1"), names),
              ElementsAre("a"));
  EXPECT_THAT(mergedOf(loopAdding("1", "%x", "!0"), loopAdding("2", "%y", "!1"), names),
              ElementsAre("a", "b"));
  const std::string unlike = R"(
    !0 = distinct !{!0, !2}
    !1 = distinct !{!1}
    !2 = !{!"llvm.loop.unroll.disable"})";
  EXPECT_THAT(mergedOf(loopAdding("1", "%x", "!0"), loopAdding("1", "%y", "!1"), unlike),
              ElementsAre("a", "b"));
}

TEST(EqualFunctions, DataIsComparedByContents) {
  const auto reads = [](const std::string& data, const std::string& p) {
    return "%v = load i32, ptr @" + data + "\nstore i32 %v, ptr " + p + "\nret void";
  };
  const std::string data = R"(
    @five = private constant i32 5
    @again = private constant i32 5
    @six = private constant i32 6
    @variable = internal global i32 5)";
  EXPECT_THAT(mergedOf(reads("five", "%p"), reads("again", "%q"), data), ElementsAre("a"));
  EXPECT_THAT(mergedOf(reads("five", "%p"), reads("six", "%q"), data), ElementsAre("a", "b"));
  EXPECT_THAT(mergedOf(reads("five", "%p"), reads("variable", "%q"), data), ElementsAre("a", "b"));
}

// @a and @c call each other, as @b and @d do, whose part differs by `step`.
std::vector<std::string> mergedOfPairs(const std::string& step) {
  IrModule module(R"(
    define internal void @a(i32 %x) {
      %done = icmp eq i32 %x, 0
      br i1 %done, label %exit, label %on
    on:
      call void @c(i32 %x)
      ret void
    exit:
      ret void
    }
    define internal void @b(i32 %x) {
      %done = icmp eq i32 %x, 0
      br i1 %done, label %exit, label %on
    on:
      call void @d(i32 %x)
      ret void
    exit:
      ret void
    }
    define internal void @c(i32 %x) {
      %y = sub i32 %x, 1
      call void @a(i32 %y)
      ret void
    }
    define internal void @d(i32 %x) {
      %y = sub i32 %x, )" +
                  step + R"(
      call void @b(i32 %y)
      ret void
    })");
  return merged(module);
}

TEST(EqualFunctions, FunctionsThatCallEachOtherAreEqualTogether) {
  EXPECT_THAT(mergedOfPairs("1"), ElementsAre("a", "c"));
  EXPECT_THAT(mergedOfPairs("2"), ElementsAre("a", "b", "c", "d"));
}

}  // namespace
}  // namespace jit
