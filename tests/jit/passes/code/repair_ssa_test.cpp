// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/repair_ssa.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

// Words: 0 takes the branch, 1 is the operand, 2 gets the result.
TEST(RepairSsa, UseBehindASkippedDefinition) {
  IrModule module(R"(
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %words = load ptr, ptr %dispatch
      %taken = load i32, ptr %words
      %c = icmp ne i32 %taken, 0
      br i1 %c, label %then, label %merge
    then:
      %operand.at = getelementptr i32, ptr %words, i64 1
      %operand = load i32, ptr %operand.at
      %v = mul i32 %operand, 3
      br label %merge
    merge:
      %result = select i1 %c, i32 %v, i32 7
      %result.at = getelementptr i32, ptr %words, i64 2
      store i32 %result, ptr %result.at
      ret void
    })");
  EXPECT_NE(module.complaints(), "");
  EXPECT_EQ(repairSsa(*module->getFunction("kernel")), 1u);
  ASSERT_EQ(module.complaints(), "");
  auto kernel = module.load("kernel");
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  KernelMemory memory(3, 0, 0);
  memory.words = {1, 5, 0};
  memory.run(*kernel);
  EXPECT_EQ(memory.words[2], 15u);
  memory.words = {0, 5, 0};
  memory.run(*kernel);
  EXPECT_EQ(memory.words[2], 7u);
}

TEST(RepairSsa, LoopsAndPhis) {
  IrModule module(R"(
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %words = load ptr, ptr %dispatch
      br label %head
    head:
      %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
      %before = add i32 %i, %v
      %odd = and i32 %i, 1
      %c = icmp eq i32 %odd, 0
      br i1 %c, label %define, label %join
    define:
      %v = mul i32 %i, 100
      br label %join
    join:
      br i1 %c, label %latch, label %other
    other:
      br label %latch
    latch:
      %w = phi i32 [ %v, %join ], [ 11, %other ]
      %at = getelementptr i32, ptr %words, i32 %i
      store i32 %w, ptr %at
      %unseen = select i1 true, i32 0, i32 %before
      %i0 = add i32 %i, %unseen
      %i1 = add i32 %i0, 1
      %more = icmp ult i32 %i1, 6
      br i1 %more, label %head, label %done
    done:
      ret void
    })");
  EXPECT_NE(module.complaints(), "");
  EXPECT_EQ(repairSsa(*module->getFunction("kernel")), 1u);
  ASSERT_EQ(module.complaints(), "");
  auto kernel = module.load("kernel");
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  KernelMemory memory(6, 0, 0);
  memory.run(*kernel);
  EXPECT_EQ(memory.words, (std::vector<uint32_t>{0, 11, 200, 11, 400, 11}));
}

TEST(RepairSsa, LeavesValidCodeAlone) {
  IrModule module(R"(
    define i32 @f(i32 %a) {
      %b = add i32 %a, 1
      ret i32 %b
    })");
  std::string before = module.text();
  EXPECT_EQ(repairSsa(*module->getFunction("f")), 0u);
  EXPECT_EQ(module.text(), before);
}

// 100000 instructions, a tenth of them behind conditions: no quadratic behaviour.
TEST(RepairSsa, LongFunctions) {
  llvm::LLVMContext context;
  llvm::Module module("long", context);
  llvm::IRBuilder<> ir(context);
  auto* type = llvm::FunctionType::get(ir.getInt32Ty(), {ir.getInt32Ty()}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
  ir.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Value* sum = function->getArg(0);
  for (int i = 0; i < 10000; ++i) {
    auto* then = llvm::BasicBlock::Create(context, "then", function);
    auto* merge = llvm::BasicBlock::Create(context, "merge", function);
    ir.CreateCondBr(ir.CreateICmpEQ(function->getArg(0), ir.getInt32(i)), then, merge);
    ir.SetInsertPoint(then);
    llvm::Value* skipped = ir.CreateMul(function->getArg(0), sum);
    ir.CreateBr(merge);
    ir.SetInsertPoint(merge);
    for (int k = 0; k < 8; ++k) sum = ir.CreateXor(sum, skipped);
  }
  ir.CreateRet(sum);
  EXPECT_EQ(repairSsa(*function), 10000u);
}

}  // namespace
}  // namespace jit::simt
