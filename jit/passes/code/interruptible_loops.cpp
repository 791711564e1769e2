// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/interruptible_loops.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

#include "runtime/kernel_abi.h"

namespace jit {
namespace {

// Iterations of an innermost loop that take no time worth speaking of.
constexpr unsigned kShort = 1024;

// Whether a number in the loop is `undef`: the analysis of trip counts chooses one that suits it,
// and code generation another.
bool hasUndefined(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      for (const llvm::Value* operand : instruction.operands())
        if (llvm::isa<llvm::UndefValue>(operand) && !operand->getType()->isVectorTy()) return true;
  return false;
}

bool isShort(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || hasUndefined(loop)) return false;
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return most != 0 && most <= kShort;
}

// Blocks of which every endless path through the function runs through one again and again. LLVM's
// loops are not all that there is to go round in: where a barrier stands on one path through a
// loop, a subgroup's next round begins in the loop's midst, and nothing dominates what goes round
// there.
llvm::SmallSetVector<llvm::BasicBlock*, 8> cycleHeaders(llvm::Function& kernel,
                                                        llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(kernel);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back;
  llvm::FindFunctionBackedges(kernel, back);
  llvm::SmallSetVector<llvm::BasicBlock*, 8> points;
  for (const auto& [from, to] : back) {
    const llvm::Loop* loop = loops.getLoopFor(to);
    const bool of_loop = loop != nullptr && loop->getHeader() == to && loop->contains(from);
    if (!of_loop || !isShort(*loop, evolution)) points.insert(const_cast<llvm::BasicBlock*>(to));
  }
  return points;
}

}  // namespace

void makeLoopsInterruptible(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  const auto headers = cycleHeaders(kernel, analyses);
  if (headers.empty()) return;

  llvm::LLVMContext& context = kernel.getContext();
  llvm::IRBuilder<> ir(&*kernel.getEntryBlock().getFirstInsertionPt());
  llvm::Value* stop = ir.CreateAlignedLoad(
      ir.getPtrTy(),
      ir.CreateConstGEP1_64(ir.getInt8Ty(), kernel.getArg(0), offsetof(rt::DispatchArgs, stop)),
      llvm::Align(8), "stop");
  auto* stopped = llvm::BasicBlock::Create(context, "stopped", &kernel);
  llvm::ReturnInst::Create(context, stopped);
  llvm::MDNode* likely = llvm::MDBuilder(context).createLikelyBranchWeights();
  for (llvm::BasicBlock* header : headers) {
    llvm::BasicBlock* iteration =
        header->splitBasicBlock(header->getFirstInsertionPt(), "iteration");
    ir.SetInsertPoint(header->getTerminator());
    llvm::LoadInst* value = ir.CreateAlignedLoad(ir.getInt64Ty(), stop, llvm::Align(8));
    value->setAtomic(llvm::AtomicOrdering::Monotonic);
    ir.CreateCondBr(ir.CreateICmpEQ(value, ir.getInt64(0)), iteration, stopped)
        ->setMetadata(llvm::LLVMContext::MD_prof, likely);
    header->getTerminator()->eraseFromParent();
  }
}

}  // namespace jit
