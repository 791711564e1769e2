// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/large_blocks.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// A function of one block, which begins with `variables` variables and goes on with `loads` loads.
std::string block(unsigned variables, unsigned loads) {
  std::string text = "define void @f(ptr %from) {\n";
  for (unsigned k = 0; k < variables; ++k) text += "%v" + std::to_string(k) + " = alloca i32\n";
  for (unsigned k = 0; k < loads; ++k)
    text += "%x" + std::to_string(k) + " = load <32 x i32>, ptr %from\n";
  return text + "ret void\n}\n";
}

constexpr uint32_t kVectorBytes = 64;  // a load takes two registers

TEST(LargeBlocks, AreCutWhereTheirCostsAddUp) {
  IrModule module(block(0, 100));
  llvm::Function& function = *module->getFunction("f");
  cutBlock(function.getEntryBlock(), kVectorBytes, 50);
  EXPECT_EQ(module.complaints(), "");
  EXPECT_EQ(function.size(), 4u);
  for (llvm::BasicBlock& part : function) EXPECT_LE(part.size(), 26u);
}

TEST(LargeBlocks, SmallOnesStay) {
  IrModule module(block(0, 20));
  llvm::Function& function = *module->getFunction("f");
  cutBlock(function.getEntryBlock(), kVectorBytes, 50);
  EXPECT_EQ(function.size(), 1u);
}

TEST(LargeBlocks, AllOfAFunctionAreCut) {
  IrModule module(block(0, 1000));
  llvm::Function& function = *module->getFunction("f");
  cutLargeBlocks(function, kVectorBytes);
  EXPECT_EQ(module.complaints(), "");
  EXPECT_EQ(function.size(), (2 * 1000 + kMostBlockCost - 1) / kMostBlockCost);
}

// Elsewhere they would be made again whenever control comes there.
TEST(LargeBlocks, VariablesStayInTheEntryBlock) {
  IrModule module(block(1000, 100));
  llvm::Function& function = *module->getFunction("f");
  cutBlock(function.getEntryBlock(), kVectorBytes, 50);
  EXPECT_EQ(module.complaints(), "");
  EXPECT_EQ(function.size(), 4u);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      EXPECT_TRUE(variable->isStaticAlloca());
    }
  }
}

}  // namespace
}  // namespace jit
