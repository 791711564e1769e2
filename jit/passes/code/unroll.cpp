// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/unroll.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace jit {
namespace {

constexpr unsigned kMaxTripCount = 64;
constexpr unsigned kMaxInstructions = 8192;  // after unrolling

bool staysLoop(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.disable");
}

// The outermost loop around `block` inside of `loop`, if there is one.
const llvm::Loop* innerLoop(const llvm::BasicBlock* block, const llvm::Loop& loop,
                            const llvm::LoopInfo& loops) {
  const llvm::Loop* found = nullptr;
  for (const llvm::Loop* inner = loops.getLoopFor(block); inner && inner != &loop;
       inner = inner->getParentLoop())
    found = inner;
  return found;
}

// Whether unrolling `loop` gives each copy of the code of `block` elements of its own in a local
// array. What moves in an inner loop too, one that is still there, stays in memory however often
// the code is copied.
bool movesInLocalArray(llvm::Value* pointer, const llvm::BasicBlock* block, const llvm::Loop& loop,
                       const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  if (!pointer->getType()->isPointerTy() || loop.isLoopInvariant(pointer)) return false;
  if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) return false;
  const llvm::SCEV* address = evolution.getSCEV(pointer);
  if (evolution.isLoopInvariant(address, &loop)) return false;
  const llvm::Loop* inner = innerLoop(block, loop, loops);
  return inner == nullptr || evolution.isLoopInvariant(address, inner);
}

bool walksOverLocalArray(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                         llvm::ScalarEvolution& evolution) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      for (const llvm::Use& operand : instruction.operands()) {
        if (movesInLocalArray(operand, block, loop, loops, evolution)) return true;
      }
    }
  }
  return false;
}

// Loops over one tile, above all: their header decides, and what is behind it runs once.
bool runsOnce(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  return trips == 1 || (trips == 2 && loop.getExitingBlock() == loop.getHeader());
}

// Where an inner loop was unrolled, its last copy still has a branch that is never taken, to code
// behind this loop.
void dropExitsNeverTaken(llvm::Loop& loop, llvm::DominatorTree& dominators,
                         llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<llvm::BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  llvm::DomTreeUpdater updater(dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager);
  bool changed = false;
  for (llvm::BasicBlock* block : exiting) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    auto* condition = branch != nullptr && branch->isConditional()
                          ? llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition())
                          : nullptr;
    if (condition == nullptr || loop.contains(branch->getSuccessor(condition->isOne() ? 1 : 0)))
      continue;
    changed |=
        llvm::ConstantFoldTerminator(block, /*DeleteDeadConditions=*/false, nullptr, &updater);
  }
  if (changed) evolution.forgetTopmostLoop(&loop);
}

unsigned instructionCount(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += block->size();
  return count;
}

}  // namespace

bool unrollLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                 llvm::function_ref<bool(llvm::Loop&)> is_wanted) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return false;
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto& remarks = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);

  bool changed = false;
  // Outer loops come first in pre-order; unrolling takes only the loop itself out of the list,
  // since inner ones that are left are copied with it.
  llvm::SmallVector<llvm::Loop*> order = loops.getLoopsInPreorder();
  for (llvm::Loop* loop : llvm::reverse(order)) {
    dropExitsNeverTaken(*loop, dominators, evolution);
    if (staysLoop(*loop) || !is_wanted(*loop)) continue;
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr,
                       /*PreserveLCSSA=*/false);
    unsigned trips = evolution.getSmallConstantTripCount(loop);
    if (trips == 0 || trips > kMaxTripCount) continue;
    if (instructionCount(*loop) * trips > kMaxInstructions) continue;
    llvm::formLCSSARecursively(*loop, dominators, &loops, &evolution);
    llvm::UnrollLoopOptions options{};
    options.Count = trips;
    options.Force = true;
    options.ForgetAllSCEV = true;
    llvm::LoopUnrollResult result =
        llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &costs,
                         &remarks, /*PreserveLCSSA=*/true);
    changed |= result != llvm::LoopUnrollResult::Unmodified;
  }
  return changed;
}

bool unrollLoopsOverLocalArrays(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return unrollLoops(function, analyses, [&](llvm::Loop& loop) {
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    return runsOnce(loop, evolution) ||
           walksOverLocalArray(loop, analyses.getResult<llvm::LoopAnalysis>(function), evolution);
  });
}

}  // namespace jit
