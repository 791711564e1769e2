// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/hoist_invariants.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace jit {
namespace {

// Instructions that one hoisted one may take along.
constexpr size_t kMaxOperands = 16;

bool isWorthARegister(const llvm::Instruction& instruction) {
  if (instruction.getType()->isVectorTy()) return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
      return true;
    case llvm::Instruction::Call:
      return llvm::isa<llvm::IntrinsicInst>(instruction);
    default:
      return false;
  }
}

class Hoister {
 public:
  Hoister(llvm::Loop& loop, llvm::BasicBlock& preheader, const llvm::DominatorTree& dominators,
          llvm::AssumptionCache& assumptions)
      : loop_(loop), preheader_(preheader), dominators_(dominators), assumptions_(assumptions) {
    loop.getExitingBlocks(exiting_);
  }

  bool run() {
    llvm::SmallVector<llvm::Instruction*> candidates;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (isWorthARegister(instruction)) candidates.push_back(&instruction);
      }
    }
    bool changed = false;
    for (llvm::Instruction* candidate : candidates) {
      llvm::SmallVector<llvm::Instruction*> steps;
      if (!loop_.contains(candidate) || !collect(*candidate, steps, 0)) continue;
      for (llvm::Instruction* step : steps) {
        step->moveBefore(preheader_, preheader_.getTerminator()->getIterator());
        step->updateLocationAfterHoist();
      }
      changed = true;
    }
    return changed;
  }

 private:
  bool mayMove(const llvm::Instruction& instruction) const {
    if (instruction.getType()->isVectorTy() || instruction.getType()->isTokenTy()) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!load->isSimple() || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
        return false;
      }
    } else if (instruction.mayReadOrWriteMemory() ||
               llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(instruction) ||
               instruction.isTerminator()) {
      return false;
    }
    if (llvm::isSafeToSpeculativelyExecute(&instruction, preheader_.getTerminator()->getIterator(),
                                           &assumptions_, &dominators_)) {
      return true;
    }
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && call->isConvergent()) return false;
    return runsInEachIteration(*instruction.getParent());
  }

  bool runsInEachIteration(const llvm::BasicBlock& block) const {
    return llvm::all_of(exiting_, [&](const llvm::BasicBlock* exiting) {
      return dominators_.dominates(&block, exiting);
    });
  }

  // What has to move for `instruction` to move, operands first.
  bool collect(llvm::Instruction& instruction, llvm::SmallVectorImpl<llvm::Instruction*>& steps,
               size_t depth) {
    if (!loop_.contains(&instruction) || llvm::is_contained(steps, &instruction)) return true;
    if (steps.size() >= kMaxOperands || depth >= kMaxOperands) return false;
    if (!mayMove(instruction)) return false;
    for (llvm::Value* operand : instruction.operands()) {
      auto* step = llvm::dyn_cast<llvm::Instruction>(operand);
      if (step && !collect(*step, steps, depth + 1)) return false;
    }
    steps.push_back(&instruction);
    return true;
  }

  llvm::Loop& loop_;
  llvm::BasicBlock& preheader_;
  const llvm::DominatorTree& dominators_;
  llvm::AssumptionCache& assumptions_;
  llvm::SmallVector<llvm::BasicBlock*> exiting_;
};

}  // namespace

bool hoistInvariants(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return false;
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  bool changed = false;
  llvm::SmallVector<llvm::Loop*> order = loops.getLoopsInPreorder();
  for (llvm::Loop* loop : llvm::reverse(order)) {  // inner loops first
    llvm::BasicBlock* preheader = loop->getLoopPreheader();
    if (!preheader) {
      preheader = llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false);
      changed |= preheader != nullptr;
    }
    if (preheader) changed |= Hoister(*loop, *preheader, dominators, assumptions).run();
  }
  return changed;
}

}  // namespace jit
