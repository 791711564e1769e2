// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/select_bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

TEST(SelectBits, VectorsOfBfloatAreChosenAsIntegers) {
  test::IrModule module(R"(
define <8 x bfloat> @f(i1 %one, <8 x i1> %each, <8 x bfloat> %a, <8 x bfloat> %b, <8 x half> %h) {
  %x = select i1 %one, <8 x bfloat> %a, <8 x bfloat> zeroinitializer
  %y = select <8 x i1> %each, <8 x bfloat> %x, <8 x bfloat> %b
  %z = select i1 %one, <8 x half> %h, <8 x half> zeroinitializer
  ret <8 x bfloat> %y
})");
  llvm::Function& function = *module->getFunction("f");
  selectBits(function);
  EXPECT_EQ(module.complaints(), "");
  int integers = 0, floats = 0;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::SelectInst>(instruction)) continue;
    llvm::Type* scalar = instruction.getType()->getScalarType();
    EXPECT_FALSE(scalar->isBFloatTy());
    (scalar->isIntegerTy(16) ? integers : floats) += 1;
  }
  EXPECT_EQ(integers, 2);
  EXPECT_EQ(floats, 1);
}

// Loops, other blocks, phis of phis, constants and arguments; inside of a block nothing changes.
TEST(CarryBits, ValuesLeaveTheirBlocksAsIntegers) {
  test::IrModule module(R"(
define void @f(i1 %again, <8 x bfloat> %a, ptr %from, ptr %to) {
entry:
  %x = load <8 x bfloat>, ptr %from, align 2
  %own = fneg <8 x bfloat> %x
  store <8 x bfloat> %own, ptr %to, align 2
  br label %loop
loop:
  %p = phi <8 x bfloat> [ %x, %entry ], [ %q, %loop ]
  %q = phi <8 x bfloat> [ zeroinitializer, %entry ], [ %p, %loop ]
  %r = phi <8 x bfloat> [ %a, %entry ], [ %next, %loop ]
  %next = load <8 x bfloat>, ptr %to, align 2
  br i1 %again, label %loop, label %end
end:
  store <8 x bfloat> %p, ptr %to, align 2
  store <8 x bfloat> %r, ptr %from, align 2
  store <8 x bfloat> %next, ptr %from, align 2
  store <8 x bfloat> %x, ptr %to, align 2
  ret void
})");
  llvm::Function& function = *module->getFunction("f");
  carryBits(function);
  EXPECT_EQ(module.complaints(), "");
  int phis = 0;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    phis += llvm::isa<llvm::PHINode>(instruction);
    if (!instruction.getType()->getScalarType()->isBFloatTy()) continue;
    EXPECT_FALSE(llvm::isa<llvm::PHINode>(instruction));
    for (llvm::User* user : instruction.users())
      EXPECT_EQ(llvm::cast<llvm::Instruction>(user)->getParent(), instruction.getParent());
  }
  EXPECT_EQ(phis, 3);
  EXPECT_NE(module.text().find("fneg <8 x bfloat> %x"), std::string::npos);
}

}  // namespace
}  // namespace jit
