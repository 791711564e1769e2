// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/local_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/ir/marks.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using testing::HasSubstr;

// What promotion leaves of a function of `%c`, `%n` and `%to` with this body.
struct Promoted {
  explicit Promoted(const std::string& body)
      : module(
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
            "define void @f(i1 %c, i32 %n, ptr %to) {\n" +
            body + "}\n") {
    count = promoteLocalVariables(*module->getFunction("f"));
    EXPECT_EQ(module.complaints(), "");
    for (llvm::Instruction& instruction : llvm::instructions(*module->getFunction("f"))) {
      variables += llvm::isa<llvm::AllocaInst>(instruction);
      phis += llvm::isa<llvm::PHINode>(instruction);
    }
    text = module.text();
  }
  IrModule module;
  unsigned count = 0, variables = 0, phis = 0;
  std::string text;
};

TEST(LocalVariables, BranchesComeTogetherInOnePhi) {
  const Promoted promoted(R"(
    %x = alloca i32
    store i32 7, ptr %x
    br i1 %c, label %a, label %b
  a:
    %old = load i32, ptr %x
    %new = add i32 %old, %n
    store i32 %new, ptr %x
    br label %b
  b:
    %read = load i32, ptr %x
    %again = load i32, ptr %x
    %sum = add i32 %read, %again
    store i32 %sum, ptr %to
    ret void
)");
  EXPECT_EQ(promoted.count, 1u);
  EXPECT_EQ(promoted.variables, 0u);
  EXPECT_EQ(promoted.phis, 1u);
  EXPECT_THAT(promoted.text, HasSubstr("%new = add i32 7, %n"));
  EXPECT_THAT(promoted.text, HasSubstr("phi i32 [ %new, %a ], [ 7, %0 ]"));
}

constexpr const char* kLoop = R"(
    br label %loop
  loop:
    %k = phi i32 [ 0, %0 ], [ %next, %latch ]
    br i1 %c, label %some, label %latch
  some:
    %old = load i32, ptr %x
    %new = add i32 %old, %k
    store i32 %new, ptr %x
    br label %latch
  latch:
    %read = load i32, ptr %x
    store i32 %read, ptr %to
    %next = add i32 %k, 1
    %more = icmp ult i32 %next, %n
    br i1 %more, label %loop, label %end
  end:
    ret void
)";

TEST(LocalVariables, WhatIsStoredBeforeALoopIsCarriedThroughIt) {
  const Promoted promoted(std::string("%x = alloca i32\nstore i32 0, ptr %x\n") + kLoop);
  EXPECT_EQ(promoted.count, 1u);
  EXPECT_EQ(promoted.phis, 3u);  // %k, and the variable at the header and at the latch
}

// Nothing that counts comes from the iteration before.
TEST(LocalVariables, WhatHasNoValueBeforeALoopIsNotCarriedThroughIt) {
  const Promoted promoted(std::string("%x = alloca i32\n") + kLoop);
  EXPECT_EQ(promoted.count, 1u);
  EXPECT_LE(promoted.phis, 2u);
  EXPECT_THAT(promoted.text, HasSubstr("%new = add i32 undef, %k"));
}

TEST(LocalVariables, AClearedVariableIsZeroInEachIteration) {
  IrModule module(std::string("define void @f(i1 %c, i32 %n, ptr %to) {\n%x = alloca i32\n"
                              "store i32 0, ptr %x\n") +
                  kLoop + "}\n");
  llvm::Function& function = *module->getFunction("f");
  markClearedWhenEntered(*llvm::cast<llvm::AllocaInst>(&function.getEntryBlock().front()));
  EXPECT_EQ(promoteLocalVariables(function), 1u);
  EXPECT_EQ(module.complaints(), "");
  EXPECT_THAT(module.text(), HasSubstr("%new = add i32 0, %k"));
  EXPECT_THAT(module.text(), HasSubstr("[ %new, %some ], [ 0, %loop ]"));
}

TEST(LocalVariables, PartsAtConstantPlacesAreValuesOfTheirOwn) {
  const Promoted promoted(R"(
    %x = alloca [64 x i8]
    call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 64, i1 false)
    %second = getelementptr i8, ptr %x, i64 4
    %third = getelementptr i8, ptr %second, i64 4
    store i32 %n, ptr %second
    %a = load i32, ptr %x
    %b = load i32, ptr %second
    %d = load <2 x float>, ptr %third
    %sum = add i32 %a, %b
    store i32 %sum, ptr %to
    store <2 x float> %d, ptr %to
    ret void
)");
  EXPECT_EQ(promoted.count, 1u);
  EXPECT_EQ(promoted.variables, 0u);
  EXPECT_THAT(promoted.text, HasSubstr("%sum = add i32 0, %n"));
  EXPECT_THAT(promoted.text, HasSubstr("store <2 x float> zeroinitializer"));
}

TEST(LocalVariables, OthersStay) {
  for (const char* use :
       {"store float 1.0, ptr %x",                                     // another type
        "%p = getelementptr i8, ptr %x, i64 2\nstore i32 1, ptr %p",   // parts that overlap
        "%p = getelementptr i8, ptr %x, i32 %n\nstore i32 1, ptr %p",  // a place chosen late
        "store volatile i32 1, ptr %x",
        "store ptr %x, ptr %to",  // its address is known elsewhere
        "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 2, i1 false)",  // half of it
        "call void @llvm.memset.p0.i64(ptr %x, i8 1, i64 8, i1 false)"}) {
    const Promoted promoted(std::string("%x = alloca [8 x i8]\nstore i32 %n, ptr %x\n") + use +
                            "\n%read = load i32, ptr %x\nstore i32 %read, ptr %to\nret void\n");
    EXPECT_EQ(promoted.count, 0u) << use;
    EXPECT_EQ(promoted.variables, 1u) << use;
    EXPECT_THAT(promoted.text, HasSubstr("load i32, ptr %x")) << use;
  }
}

}  // namespace
}  // namespace jit
