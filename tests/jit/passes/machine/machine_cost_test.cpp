// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/machine_cost.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "tests/jit/ir/ir_kernel.h"

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
  EXPECT_EQ(costOfGather(32, 64), 4u * 4);
  EXPECT_EQ(costOfGather(64, 64), 4u * 4);
}

TEST(MachineCost, OfGathersThatNoInstructionDoesIsByLanes) {
  EXPECT_EQ(costOfGather(32, 32), 3u * 32);
  EXPECT_EQ(costOfGather(16, 64), 3u * 32) << "words are the least that AVX-512 gathers";
}

// Of what a function computes from vectors of 16 and of 4 words.
uint64_t costOf(const std::string& instructions, uint32_t vector_bytes) {
  test::IrModule module("define void @f(<16 x i32> %a, <16 x i32> %b, <4 x i32> %c) {\n" +
                        instructions + "\nret void\n}");
  uint64_t cost = 0;
  for (const llvm::Instruction& instruction : module->getFunction("f")->front())
    if (!instruction.isTerminator())
      cost += machineCost(instruction, module->getDataLayout(), vector_bytes);
  return cost;
}

TEST(MachineCost, OfOtherNamesForRegistersIsNone) {
  EXPECT_EQ(
      costOf("%d = bitcast <16 x i32> %a to <64 x i8>\n"
             "%e = shufflevector <16 x i32> %a, <16 x i32> %b, <32 x i32> <"
             "i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, "
             "i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, "
             "i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, "
             "i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>\n"
             "%g = call <16 x i32> @llvm.vector.extract.v16i32.v32i32(<32 x i32> %e, i64 16)\n"
             "%h = freeze <16 x i32> %g",
             64),
      0u);
}

TEST(MachineCost, OfPartsOfRegistersIsOne) {
  EXPECT_EQ(costOf("%d = shufflevector <4 x i32> %c, <4 x i32> %c, <8 x i32> <"
                   "i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>",
                   32),
            1u)
      << "two parts are put together";
  EXPECT_EQ(costOf("%d = bitcast <16 x i32> %a to <32 x i16>\n"
                   "%e = add <32 x i16> %d, %d\n"
                   "%m = icmp eq <32 x i16> %e, zeroinitializer\n"
                   "%n = bitcast <32 x i1> %m to i32",
                   64),
            3u)
      << "a mask moves to the other registers";
}

}  // namespace
}  // namespace jit
