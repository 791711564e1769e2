// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/masks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace jit {
namespace {

using llvm::CmpInst;
using llvm::Instruction;
using llvm::Value;

// With fewer, masks do not run short, and the compared vector would live longer for nothing.
constexpr size_t kFewestComparisons = 8;

// In instructions. Nearer users share a mask.
constexpr uint32_t kFar = 32;

// The vector that is compared with a constant; null where it is something else.
Value* comparedVector(Instruction& instruction) {
  auto* comparison = llvm::dyn_cast<CmpInst>(&instruction);
  if (!comparison || !comparison->getType()->isVectorTy()) return nullptr;
  Value *left = comparison->getOperand(0), *right = comparison->getOperand(1);
  if (llvm::isa<llvm::Constant>(right) && !llvm::isa<llvm::Constant>(left)) return left;
  if (llvm::isa<llvm::Constant>(left) && !llvm::isa<llvm::Constant>(right)) return right;
  return nullptr;
}

class Mover {
 public:
  explicit Mover(llvm::Function& function) : function_(function) {}

  unsigned run() {
    llvm::MapVector<Value*, llvm::SmallVector<Instruction*>> comparisons;
    for (llvm::BasicBlock& block : function_)
      for (Instruction& instruction : block) {
        positions_[&instruction] = uint32_t(positions_.size());
        if (Value* vector = comparedVector(instruction))
          comparisons[vector].push_back(&instruction);
      }
    bool any = false;
    for (auto& [vector, list] : comparisons) any |= list.size() >= kFewestComparisons;
    if (!any) return 0;
    const llvm::DominatorTree dominators(function_);
    const llvm::LoopInfo loops(dominators);
    unsigned moved = 0;
    for (auto& [vector, list] : comparisons)
      if (list.size() >= kFewestComparisons)
        for (Instruction* comparison : list) moved += move(*comparison, loops);
    return moved;
  }

 private:
  // A use that the comparison may stand before: no deeper in loops, and no phi.
  bool canMoveTo(const Instruction& comparison, const Instruction& user,
                 const llvm::LoopInfo& loops) const {
    if (llvm::isa<llvm::PHINode>(user)) return false;
    if (user.getParent() == comparison.getParent()) return true;
    return loops.getLoopFor(user.getParent()) == loops.getLoopFor(comparison.getParent());
  }

  unsigned move(Instruction& comparison, const llvm::LoopInfo& loops) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : comparison.uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      const bool near = user->getParent() == comparison.getParent() &&
                        positions_.lookup(user) < positions_.lookup(&comparison) + kFar;
      if (!near && canMoveTo(comparison, *user, loops)) uses.push_back(&use);
    }
    llvm::sort(uses, [&](llvm::Use* a, llvm::Use* b) {
      return positions_.lookup(llvm::cast<Instruction>(a->getUser())) <
             positions_.lookup(llvm::cast<Instruction>(b->getUser()));
    });
    unsigned made = 0;
    Instruction* last = nullptr;
    Instruction* last_user = nullptr;
    for (llvm::Use* use : uses) {
      auto* user = llvm::cast<Instruction>(use->getUser());
      const bool shared = last && last->getParent() == user->getParent() &&
                          positions_.lookup(user) < positions_.lookup(last_user) + kFar;
      if (!shared) {
        last = comparison.clone();
        last->insertBefore(user->getIterator());
        last_user = user;
        ++made;
      }
      use->set(last);
    }
    if (comparison.use_empty()) comparison.eraseFromParent();
    return made;
  }

  llvm::Function& function_;
  llvm::DenseMap<const Instruction*, uint32_t> positions_;
};

// The mask that is empty if the condition holds, or (`holds` false) if it does not; null: there is
// none.
Value* emptyMask(Value* condition, bool& holds) {
  using namespace llvm::PatternMatch;
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  Value* mask = nullptr;
  if (comparison == nullptr || !comparison->isEquality() ||
      !match(comparison->getOperand(0), m_BitCast(m_Value(mask))) ||
      !match(comparison->getOperand(1), m_Zero()) || !mask->getType()->isVectorTy() ||
      !mask->getType()->getScalarType()->isIntegerTy(1))
    return nullptr;
  holds = comparison->getPredicate() == llvm::ICmpInst::ICMP_EQ;
  return mask;
}

// What a selection gives where `mask` is empty; null: it depends.
Value* whereEmpty(llvm::SelectInst& choice, Value* mask) {
  using namespace llvm::PatternMatch;
  Value* condition = choice.getCondition();
  if (condition == mask) return choice.getFalseValue();
  if (match(condition, m_Not(m_Specific(mask))) || match(mask, m_Not(m_Specific(condition))))
    return choice.getTrueValue();
  return nullptr;
}

}  // namespace

unsigned dropChoicesByEmptyMasks(llvm::Function& function) {
  unsigned dropped = 0;
  for (llvm::BasicBlock& block : function) {
    for (Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* outer = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (!outer || outer->getCondition()->getType()->isVectorTy()) continue;
      bool holds = false;
      Value* mask = emptyMask(outer->getCondition(), holds);
      if (!mask) continue;
      Value* untouched = holds ? outer->getTrueValue() : outer->getFalseValue();
      Value* changed = holds ? outer->getFalseValue() : outer->getTrueValue();
      auto* inner = llvm::dyn_cast<llvm::SelectInst>(changed);
      if (!inner || whereEmpty(*inner, mask) != untouched) continue;
      outer->replaceAllUsesWith(inner);
      auto* condition = llvm::cast<Instruction>(outer->getCondition());
      outer->eraseFromParent();
      llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
      ++dropped;
    }
  }
  return dropped;
}

unsigned compareAtUses(llvm::Function& function) { return Mover(function).run(); }

}  // namespace jit
