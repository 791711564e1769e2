// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/machine_cost.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace jit {
namespace {

// Of a gather of 32 lanes' numbers of so many bits.
uint64_t costOfGather(unsigned bits, uint32_t vector_bytes) {
  llvm::LLVMContext context;
  llvm::Module module("gather", context);
  llvm::IRBuilder<> ir(context);
  auto* pointers = llvm::FixedVectorType::get(ir.getPtrTy(), 32);
  llvm::Function* function =
      llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), {pointers}, false),
                             llvm::Function::InternalLinkage, "f", module);
  ir.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  auto* numbers = llvm::FixedVectorType::get(ir.getIntNTy(bits), 32);
  llvm::CallInst* gather =
      ir.CreateMaskedGather(numbers, function->getArg(0), llvm::Align(bits / 8));
  ir.CreateRetVoid();
  return machineCost(*gather, module.getDataLayout(), vector_bytes);
}

TEST(MachineCost, OfGathersIsByRegistersOfAddressesWithAvx512) {
  EXPECT_EQ(costOfGather(32, 64), 8u * 4);
  EXPECT_EQ(costOfGather(64, 64), 8u * 4);
}

TEST(MachineCost, OfGathersThatNoInstructionDoesIsByLanes) {
  EXPECT_EQ(costOfGather(32, 32), 3u * 32);
  EXPECT_EQ(costOfGather(16, 64), 3u * 32) << "words are the least that AVX-512 gathers";
}

}  // namespace
}  // namespace jit
