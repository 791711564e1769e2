// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/large_blocks.h"

#include <gtest/gtest.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/llvm/codegen.h"
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

// LLVM's CodeGenPrepare merges what branches connect as soon as it has changed anything:
// here it moves the comparison to the branch.
TEST(LargeBlocks, StayCutUntilSelection) {
  std::string text = block(0, 100);
  text.insert(text.find("%x0"), "%bit = icmp eq ptr %from, null\n");
  text.replace(text.find("ret void"), 8,
               "br i1 %bit, label %a, label %b\na: ret void\nb: ret void");
  IrModule module(text);
  llvm::Function& function = *module->getFunction("f");
  cutBlock(function.getEntryBlock(), kVectorBytes, 50);
  const size_t blocks = function.size();
  ASSERT_GT(blocks, 5u);
  auto machine = createTargetMachine(makeTarget(rt::hostIsa()));
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  setDataLayout(*module, **machine);
  llvm::legacy::PassManager passes;
  passes.add((*machine)->createPassConfig(passes));
  passes.add(llvm::createCodeGenPrepareLegacyPass());
  passes.run(*module);
  EXPECT_EQ(function.size(), blocks) << module.text();
  for (llvm::Instruction& instruction : function.getEntryBlock())
    EXPECT_FALSE(llvm::isa<llvm::ICmpInst>(instruction))
        << "nothing was changed: " << module.text();
}

}  // namespace
}  // namespace jit
