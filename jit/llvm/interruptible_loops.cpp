#include "jit/llvm/interruptible_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

#include "runtime/kernel_abi.h"

namespace jit {
namespace {

// Turns of an innermost loop that take no time worth speaking of.
constexpr unsigned kShort = 1024;

bool isShort(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost()) return false;
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return most != 0 && most <= kShort;
}

}  // namespace

void makeLoopsInterruptible(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(kernel);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  llvm::SmallVector<llvm::BasicBlock*> headers;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (!isShort(*loop, evolution)) headers.push_back(loop->getHeader());
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
    llvm::BasicBlock* turn = header->splitBasicBlock(header->getFirstInsertionPt(), "turn");
    ir.SetInsertPoint(header->getTerminator());
    llvm::LoadInst* value = ir.CreateAlignedLoad(ir.getInt64Ty(), stop, llvm::Align(8));
    value->setAtomic(llvm::AtomicOrdering::Monotonic);
    ir.CreateCondBr(ir.CreateICmpEQ(value, ir.getInt64(0)), turn, stopped)
        ->setMetadata(llvm::LLVMContext::MD_prof, likely);
    header->getTerminator()->eraseFromParent();
  }
}

}  // namespace jit
