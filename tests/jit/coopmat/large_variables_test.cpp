// SPDX-License-Identifier: Apache-2.0

// Which variables of large matrices become memory of the frame, and in which loops they are local
// all the same.
#include "jit/coopmat/large_variables.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/analyses.h"
#include "jit/llvm/codegen.h"
#include "tests/jit/llvm/ir_kernel.h"

namespace jit::coopmat {
namespace {

using test::IrModule;

// A loop of `n` turns, which does `in_loop` with the matrix in %v, and `behind` after it.
std::string function(const std::string& in_loop, const std::string& behind) {
  return R"(
      declare void @use(ptr)
      define void @main(i32 %n, i32 %other, ptr %frame) {
      entry:
        %v = alloca [4096 x i8], align 64
        store <1024 x float> zeroinitializer, ptr %v, align 4
        br label %loop
      loop:
        %i = phi i32 [ 0, %entry ], [ %next, %loop ]
        )" +
         in_loop + R"(
        %next = add i32 %i, 1
        %more = icmp ult i32 %next, %n
        br i1 %more, label %loop, label %exit
      exit:
        )" +
         behind + R"(
        ret void
      })";
}

const std::string kAdd = R"(
        %at = getelementptr i8, ptr %v, i64 0
        %before = load <1024 x float>, ptr %at, align 4
        %after = fadd <1024 x float> %before, splat (float 1.0)
        store <1024 x float> %after, ptr %v, align 4)";
const std::string kPart = R"(
        %place = getelementptr i8, ptr %v, i64 64
        store <32 x float> zeroinitializer, ptr %place, align 4)";

// How many local variables there are afterwards.
size_t locals(const std::string& text) {
  IrModule module(text);
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  Analyses analyses(**machine);
  KernelFrame frame;
  llvm::Function& main = *module->getFunction("main");
  keepLargeVariablesInFrame(main, {1024}, frame, analyses.functions());
  EXPECT_EQ(module.complaints(), "") << module.text();
  EXPECT_EQ(frame.bytes(), module.text().find("%v = alloca") == std::string::npos ? 4096 : 0);
  return static_cast<size_t>(llvm::count_if(llvm::instructions(main), [](auto& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  }));
}

TEST(LargeVariables, AreLocalWhereNoPartIsReached) {
  EXPECT_EQ(locals(function(kAdd, "")), 1u) << "a local one stays";
  EXPECT_EQ(locals(function(kPart, "")), 0u);
  EXPECT_EQ(locals(function(kAdd, kPart)), 1u) << "in the loop";
  EXPECT_EQ(locals(function(kAdd + kPart, "")), 0u);
  // What is only read there is read where it is.
  EXPECT_EQ(locals(function("%read = load <1024 x float>, ptr %v, align 4", kPart)), 0u);
  // Two matrices of a larger variable.
  EXPECT_EQ(locals(function(kAdd + R"(
        %second = getelementptr i8, ptr %v, i64 2048
        store <1024 x float> %before, ptr %second, align 4)",
                            kPart)),
            0u);
}

TEST(LargeVariables, StayWhereOthersMayReachThem) {
  EXPECT_EQ(locals(function(kAdd, kPart + "call void @use(ptr %v)")), 0u);
}

}  // namespace
}  // namespace jit::coopmat
