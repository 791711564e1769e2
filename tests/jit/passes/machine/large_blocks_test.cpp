// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/large_blocks.h"

#include <gtest/gtest.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/codegen/codegen.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;

// LLVM's CodeGenPrepare merges what branches connect as soon as it has changed anything:
// here it moves the comparison to the branch.
TEST(LargeBlocks, StayCutUntilSelection) {
  std::string text = "define void @f(ptr %from) {\n%bit = icmp eq ptr %from, null\n";
  for (unsigned k = 0; k < 100; ++k)
    text += "%x" + std::to_string(k) + " = load <32 x i32>, ptr %from\n";
  IrModule module(text + "br i1 %bit, label %a, label %b\na: ret void\nb: ret void\n}\n");
  llvm::Function& function = *module->getFunction("f");
  cutBlock(function.getEntryBlock(), /*vector_bytes=*/64, 50);
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
