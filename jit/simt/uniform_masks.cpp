// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/uniform_masks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Value;

// mask = phi [entry, before], [next, latch]; next = mask and a splat of `condition`; and the loop
// goes on, over the edge `go_on`, only where `next` has a lane.
struct UniformMask {
  llvm::PHINode* mask;
  Value* entry;
  Value* next;
  Value* condition;  // scalar
  llvm::BranchInst* exit;
  unsigned go_on;  // successor of `exit`
};

// Whether `value` is a comparison of `mask`, taken as a number, with 0; and the predicate.
bool comparesWithNone(Value* value, Value* mask, llvm::CmpPredicate& predicate) {
  return match(value, m_ICmp(predicate, m_BitCast(m_Specific(mask)), m_Zero())) &&
         llvm::ICmpInst::isEquality(predicate);
}

std::optional<UniformMask> matchMask(llvm::PHINode& phi, const llvm::Loop& loop,
                                     const llvm::DominatorTree& dominators) {
  BasicBlock* latch = loop.getLoopLatch();
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
  if (!latch || phi.getNumIncomingValues() != 2 || !type || !type->getElementType()->isIntegerTy(1))
    return std::nullopt;
  const unsigned from_latch = phi.getIncomingBlock(0) == latch ? 0 : 1;
  Value* next = phi.getIncomingValue(from_latch);
  Value* lanes = nullptr;
  if (!match(next, m_c_And(m_Specific(&phi), m_Value(lanes))) &&
      !match(next, m_c_LogicalAnd(m_Specific(&phi), m_Value(lanes))))
    return std::nullopt;
  Value* condition = llvm::getSplatValue(lanes);
  if (!condition) return std::nullopt;
  for (llvm::User* user : next->users()) {
    if (!llvm::isa<llvm::BitCastInst>(user)) continue;
    for (llvm::User* compare : user->users()) {
      llvm::CmpPredicate predicate;
      if (!comparesWithNone(compare, next, predicate)) continue;
      for (llvm::User* terminator : compare->users()) {
        auto* exit = llvm::dyn_cast<llvm::BranchInst>(terminator);
        if (!exit || !dominators.dominates(exit->getParent(), latch)) continue;
        const unsigned go_on = predicate == llvm::CmpInst::ICMP_NE ? 0 : 1;
        if (loop.contains(exit->getSuccessor(1 - go_on)) ||
            !loop.contains(exit->getSuccessor(go_on)))
          continue;
        return UniformMask{&phi, phi.getIncomingValue(1 - from_latch), next, condition, exit,
                           go_on};
      }
    }
  }
  return std::nullopt;
}

// Whoever goes on has found `condition` true, or `next` would be empty; so `next` is the mask
// there, and the mask what it was in the turn before, which is what the loop was entered with.
void simplify(const UniformMask& found, const llvm::DominatorTree& dominators) {
  llvm::IRBuilder<> builder(found.exit);
  auto* type = llvm::cast<llvm::FixedVectorType>(found.mask->getType());
  Value* number = builder.CreateBitCast(found.entry, builder.getIntNTy(type->getNumElements()));
  Value* stays = builder.CreateAnd(
      found.condition,
      builder.CreateICmpNE(number, llvm::Constant::getNullValue(number->getType())));
  found.exit->setCondition(found.go_on == 0 ? stays : builder.CreateNot(stays));

  const llvm::BasicBlockEdge goes_on(found.exit->getParent(),
                                     found.exit->getSuccessor(found.go_on));
  found.next->replaceUsesWithIf(found.entry,
                                [&](llvm::Use& use) { return dominators.dominates(goes_on, use); });
  found.mask->replaceAllUsesWith(found.entry);
  found.mask->eraseFromParent();
}

}  // namespace

bool simplifyUniformMasks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    for (llvm::PHINode& phi : llvm::make_early_inc_range(loop->getHeader()->phis())) {
      std::optional<UniformMask> mask = matchMask(phi, *loop, dominators);
      if (!mask) continue;
      simplify(*mask, dominators);
      changed = true;
    }
  }
  return changed;
}

}  // namespace jit::simt
