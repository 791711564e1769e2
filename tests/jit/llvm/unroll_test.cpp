// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/unroll.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/analyses.h"
#include "jit/llvm/codegen.h"
#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// The number of loops that are left of a loop of `trips` iterations, counted by %i, around `body`,
// which starts in the loop's header and ends by falling into the latch. %array is local, %z a
// parameter.
size_t loopsLeft(const std::string& trips, const std::string& body,
                 const std::string& attribute = "") {
  IrModule module(R"(
    define void @kernel(ptr %memory, i64 %z) {
    entry:
      %array = alloca [256 x i32]
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %latch ]
      )" + body + R"(
      br label %latch
    latch:
      %next = add i64 %i, 1
      %more = icmp ult i64 %next, )" +
                  trips + R"(
      br i1 %more, label %loop, label %exit)" +
                  attribute + R"(
    exit:
      ret void
    }
    !0 = distinct !{!0, !1}
    !1 = !{!"llvm.loop.unroll.disable"})");
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  Analyses analyses(**machine);
  llvm::Function& function = *module->getFunction("kernel");
  const auto count = [&] {
    llvm::DominatorTree dominators(function);
    return llvm::LoopInfo(dominators).getLoopsInPreorder().size();
  };
  const size_t before = count();
  const bool changed = unrollLoopsOverLocalArrays(function, analyses.functions());
  EXPECT_EQ(module.complaints(), "") << module.text();
  EXPECT_EQ(changed, count() != before) << module.text();
  return count();
}

// A loop of %z iterations in the body, counted by %j.
std::string innerLoop(const std::string& body) {
  return R"(
      br label %inner
    inner:
      %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]
      )" +
         body + R"(
      %j.next = add i64 %j, 1
      %j.more = icmp ult i64 %j.next, %z
      br i1 %j.more, label %inner, label %outer
    outer:)";
}

TEST(Unroll, LoopsThatWalkOverLocalArrays) {
  const std::string walk =
      "%at = getelementptr i32, ptr %array, i64 %i\n"
      "store i32 1, ptr %at";
  EXPECT_EQ(loopsLeft("4", walk), 0u);
  EXPECT_EQ(loopsLeft("64", walk), 0u);
  EXPECT_EQ(loopsLeft("65", walk), 1u) << "too many iterations";
  EXPECT_EQ(loopsLeft("%z", walk), 1u) << "an unknown number of iterations";
  EXPECT_EQ(loopsLeft("4", walk, ", !llvm.loop !0"), 1u) << "told to stay";
}

TEST(Unroll, LoopsThatRunOnce) {
  EXPECT_EQ(loopsLeft("1", "store i32 1, ptr %memory"), 0u);
  EXPECT_EQ(loopsLeft("2", "store i32 1, ptr %memory"), 1u);
  EXPECT_EQ(loopsLeft("1",
                      "%done = icmp eq i64 %i, 1\n"
                      "br i1 %done, label %exit, label %body\n"
                      "body:\n"
                      "store i32 1, ptr %memory"),
            0u);
}

TEST(Unroll, OtherAccessesAreNoReason) {
  EXPECT_EQ(loopsLeft("4",
                      "%at = getelementptr i32, ptr %memory, i64 %i\n"
                      "store i32 1, ptr %at"),
            1u)
      << "memory that is not local";
  EXPECT_EQ(loopsLeft("4", "store i32 1, ptr %array"), 1u) << "the same place each time";
  EXPECT_EQ(loopsLeft("4",
                      "%at = getelementptr i32, ptr %array, i64 8\n"
                      "store i32 1, ptr %at"),
            1u)
      << "the same place each time, computed in the loop";
}

TEST(Unroll, ArraysThatInnerLoopsWalkOver) {
  EXPECT_EQ(loopsLeft("4", innerLoop("%at = getelementptr i32, ptr %array, i64 %j\n"
                                     "store i32 1, ptr %at")),
            2u)
      << "every iteration walks over all of the array";
  EXPECT_EQ(loopsLeft("4", innerLoop("%row = mul i64 %i, 16\n"
                                     "%index = add i64 %row, %j\n"
                                     "%at = getelementptr i32, ptr %array, i64 %index\n"
                                     "store i32 1, ptr %at")),
            2u)
      << "every iteration walks over a part";
  EXPECT_EQ(loopsLeft("4", innerLoop("%at = getelementptr i32, ptr %array, i64 %i\n"
                                     "store i32 1, ptr %at")),
            4u)
      << "one place in the inner loop, so each copy of that has its own";
}

}  // namespace
}  // namespace jit
