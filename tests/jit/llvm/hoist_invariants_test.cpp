// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/hoist_invariants.h"

#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/analyses.h"
#include "jit/llvm/codegen.h"
#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// Whether `%value`, which `body` computes in a loop of %y rounds, is in front of the loop
// afterwards.
bool hoists(const std::string& body) {
  IrModule module(R"(
    declare float @llvm.sqrt.f32(float)
    define void @kernel(ptr align 8 dereferenceable(256) %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %next, %again ]
      )" + body + R"(
      br label %again
    again:
      %next = add i32 %i, 1
      %more = icmp ult i32 %next, %y
      br i1 %more, label %loop, label %exit
    exit:
      ret void
    }
    !0 = !{})");
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  EXPECT_TRUE(bool(machine));
  Analyses analyses(**machine);
  llvm::Function& function = *module->getFunction("kernel");
  const bool changed = hoistInvariants(function, analyses.functions());
  EXPECT_EQ(module.complaints(), "") << module.text();
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (instruction.getName() == "value") {
        const bool in_front = block.getName() == "entry";
        EXPECT_EQ(in_front, changed) << module.text();
        return in_front;
      }
  ADD_FAILURE() << "no %value: " << module.text();
  return false;
}

TEST(HoistInvariants, LoadsThatDoNotChange) {
  EXPECT_TRUE(hoists("%value = load i32, ptr %dispatch, !invariant.load !0"));
  EXPECT_TRUE(
      hoists("%at = getelementptr i8, ptr %dispatch, i64 192\n"
             "%value = load i32, ptr %at, !invariant.load !0"));
  EXPECT_FALSE(hoists("%value = load i32, ptr %dispatch"));
  EXPECT_FALSE(hoists("%value = load volatile i32, ptr %dispatch, !invariant.load !0"));
  EXPECT_FALSE(
      hoists("%at = getelementptr i32, ptr %dispatch, i32 %i\n"
             "%value = load i32, ptr %at, !invariant.load !0"));
}

TEST(HoistInvariants, NothingThatCouldFaultWhereItDoesNotRun) {
  // Beyond what is known to be accessible, but reached in each iteration.
  EXPECT_TRUE(
      hoists("%at = getelementptr i8, ptr %dispatch, i64 400\n"
             "%value = load i32, ptr %at, !invariant.load !0"));
  const std::string sometimes = R"(
      %odd = trunc i32 %i to i1
      br i1 %odd, label %some, label %again
    some:
    )";
  EXPECT_TRUE(hoists(sometimes + "%value = load i32, ptr %dispatch, !invariant.load !0"));
  EXPECT_FALSE(hoists(sometimes + "%at = getelementptr i8, ptr %dispatch, i64 400\n"
                                  "%value = load i32, ptr %at, !invariant.load !0"));
  EXPECT_TRUE(hoists("%value = udiv i32 %x, %z"));
  EXPECT_FALSE(hoists(sometimes + "%value = udiv i32 %x, %z"));
}

TEST(HoistInvariants, OnlyWhatIsWorthARegister) {
  EXPECT_TRUE(hoists("%value = call float @llvm.sqrt.f32(float 2.0)"));
  EXPECT_FALSE(hoists("%value = add i32 %x, %z"));
  EXPECT_FALSE(hoists("%value = load <16 x float>, ptr %dispatch, !invariant.load !0"));
}

}  // namespace
}  // namespace jit
