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

}  // namespace
}  // namespace jit
