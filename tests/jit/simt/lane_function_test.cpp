// SPDX-License-Identifier: Apache-2.0

// Which places share a function.
#include "jit/simt/lane_function.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

// A function of two vectors, which a test's calls are added to.
class LaneFunction : public testing::Test {
 protected:
  LaneFunction() { simt.ir.SetInsertPoint(function().getEntryBlock().getTerminator()); }

  llvm::Function& function() { return *module->getFunction("f"); }
  llvm::Value* twice(unsigned argument, uint64_t number = 0) {
    llvm::Value* v = function().getArg(argument);
    const auto key = FunctionKey(FunctionKind::Lanes).add(number);
    return callLaneFunction(simt, key, v, v->getType(), [](SimtBuilder& inside, llvm::Value* x) {
      return inside.ir.CreateFAdd(x, x);
    });
  }
  size_t functions() const { return std::distance(module->begin(), module->end()) - 1; }
  size_t calls() {
    size_t count = 0;
    for (llvm::Instruction& instruction : llvm::instructions(function()))
      count += llvm::isa<llvm::CallInst>(instruction);
    return count;
  }

  test::IrModule ir{"define void @f(<16 x float> %a, <16 x half> %b) {\n ret void\n}\n"};
  llvm::Module* module = &*ir;
  SimtBuilder simt{module->getContext(), 16};
};

TEST_F(LaneFunction, PlacesShareIt) {
  for (int k = 0; k < 5; ++k) twice(0);
  EXPECT_EQ(ir.complaints(), "");
  EXPECT_EQ(functions(), 1u);
  EXPECT_EQ(calls(), 5u);
}

TEST_F(LaneFunction, KeysTypesAndFlagsTellThemApart) {
  twice(0);
  twice(1);
  twice(0, 1);
  llvm::FastMathFlags contract;
  contract.setAllowContract();
  simt.ir.setFastMathFlags(contract);
  twice(0);
  EXPECT_EQ(functions(), 4u);
  EXPECT_EQ(ir.complaints(), "");
}

// Of 16 bits as integers, which every machine has registers for.
TEST_F(LaneFunction, SmallFloatsGoAsIntegers) {
  EXPECT_TRUE(twice(1)->getType()->isFPOrFPVectorTy());
  for (llvm::Function& made : *module) {
    if (&made == &function()) continue;
    EXPECT_TRUE(made.getReturnType()->isIntOrIntVectorTy());
    EXPECT_TRUE(made.getArg(0)->getType()->isIntOrIntVectorTy());
  }
}

}  // namespace
}  // namespace jit::simt
