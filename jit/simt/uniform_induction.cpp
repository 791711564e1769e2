// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/uniform_induction.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

constexpr int kMaxDepth = 8;
constexpr size_t kMaxUsers = 512;

// Whether each lane set in `lanes` is set in `mask`.
bool implies(Value* lanes, Value* mask, int depth = 0) {
  if (lanes == mask) return true;
  Value *a = nullptr, *b = nullptr;
  if (depth > kMaxDepth || !match(lanes, m_LogicalAnd(m_Value(a), m_Value(b)))) return false;
  return implies(a, mask, depth + 1) || implies(b, mask, depth + 1);
}

// counter = phi [start, before], [step, latch], where step adds `amount` to the lanes that
// `condition` has (null: all) and leaves the others.
struct Induction {
  PHINode* counter;
  Value* start;
  Value* amount;  // scalar
  Instruction* step;
  Value* condition;
};

std::optional<Induction> matchInduction(PHINode& phi, const llvm::Loop& loop) {
  llvm::BasicBlock* latch = loop.getLoopLatch();
  if (!latch || phi.getNumIncomingValues() != 2) return std::nullopt;
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
  if (!vector || !vector->getElementType()->isIntegerTy() || vector->getScalarSizeInBits() < 8) {
    return std::nullopt;
  }
  const unsigned from_latch = phi.getIncomingBlock(0) == latch ? 0 : 1;
  auto* step = llvm::dyn_cast<Instruction>(phi.getIncomingValue(from_latch));
  if (!step || phi.getIncomingBlock(from_latch) != latch) return std::nullopt;
  Value *condition = nullptr, *sum = step, *added = nullptr;
  if (!match(step, m_Select(m_Value(condition), m_Value(sum), m_Specific(&phi)))) {
    condition = nullptr;
    sum = step;
  }
  if (condition && !condition->getType()->isVectorTy()) return std::nullopt;
  if (!match(sum, m_c_Add(m_Specific(&phi), m_Value(added)))) return std::nullopt;
  Value* amount = llvm::getSplatValue(added);
  if (!amount || !loop.isLoopInvariant(amount)) return std::nullopt;
  return Induction{&phi, phi.getIncomingValue(1 - from_latch), amount, step, condition};
}

bool isElementwise(const Instruction& user, unsigned operand) {
  switch (user.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return operand == 0;  // another divisor could trap
    case Instruction::Select:
      return operand != 0 || user.getOperand(0)->getType()->isVectorTy();
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst,
                       llvm::GetElementPtrInst>(user) &&
             !llvm::isa<llvm::BitCastInst>(user);
  }
}

// The mask of a masked access; null for anything else.
Value* accessMask(const Instruction& user) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  if (!intrinsic) return nullptr;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      return intrinsic->getArgOperand(intrinsic->arg_size() - 2);
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return intrinsic->getArgOperand(intrinsic->arg_size() - 1);
    default:
      return nullptr;
  }
}

// Whether lanes of the counter that `mask` does not have can be anything: each use of it, and of
// what is computed of it lane by lane, ends where such lanes are masked off.
bool onlyMattersUnder(Value* mask, const Induction& induction, const llvm::Loop& loop) {
  llvm::SmallVector<Instruction*> work{induction.counter};
  llvm::SmallPtrSet<Instruction*, 32> seen{induction.counter, induction.step};
  while (!work.empty()) {
    if (seen.size() > kMaxUsers) return false;
    Instruction* value = work.pop_back_val();
    for (const llvm::Use& use : value->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (user == induction.step) continue;
      if (!loop.contains(user)) return false;
      Value *a = nullptr, *b = nullptr;
      if (match(user, m_LogicalAnd(m_Value(a), m_Value(b))) && implies(a == value ? b : a, mask)) {
        continue;
      }
      if (match(user, m_Select(m_Value(a), m_Specific(value), m_Value())) && implies(a, mask)) {
        continue;
      }
      Value* access_mask = accessMask(*user);
      if (access_mask && access_mask != value && implies(access_mask, mask)) continue;
      if (!isElementwise(*user, use.getOperandNo())) return false;
      if (seen.insert(user).second) work.push_back(user);
    }
  }
  // The stepped value itself, beside what the phi does with it.
  return llvm::all_of(induction.step->users(),
                      [&](const llvm::User* user) { return user == induction.counter; });
}

// A lane that the mask phi has in some iteration was in `condition` in all earlier ones, when
// each condition lies within the mask and the next mask within the condition.
bool stepsWithItsMask(const Induction& induction, const llvm::Loop& loop) {
  for (PHINode& mask : loop.getHeader()->phis()) {
    if (mask.getType() != induction.condition->getType()) continue;
    Value* next = mask.getIncomingValueForBlock(loop.getLoopLatch());
    if (implies(induction.condition, &mask) && implies(next, induction.condition) &&
        onlyMattersUnder(&mask, induction, loop)) {
      return true;
    }
  }
  return false;
}

void split(const Induction& induction, const llvm::Loop& loop) {
  PHINode* counter = induction.counter;
  llvm::BasicBlock* latch = loop.getLoopLatch();
  llvm::Type* type = induction.amount->getType();
  llvm::IRBuilder<> builder(counter);
  PHINode* scalar = builder.CreatePHI(type, 2, counter->getName());
  builder.SetInsertPoint(latch->getTerminator());
  scalar->addIncoming(builder.CreateAdd(scalar, induction.amount), latch);
  const unsigned from_latch = counter->getIncomingBlock(0) == latch ? 0 : 1;
  scalar->addIncoming(llvm::ConstantInt::get(type, 0), counter->getIncomingBlock(1 - from_latch));

  builder.SetInsertPoint(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
  auto* vector = llvm::cast<llvm::FixedVectorType>(counter->getType());
  Value* moved = builder.CreateAdd(induction.start,
                                   builder.CreateVectorSplat(vector->getNumElements(), scalar));
  // Without a condition the step may have other uses; it is an ordinary addition then.
  counter->replaceAllUsesWith(moved);
  counter->eraseFromParent();
  if (induction.step->use_empty()) induction.step->eraseFromParent();
}

}  // namespace

bool splitUniformInductions(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    for (PHINode& phi : llvm::make_early_inc_range(loop->getHeader()->phis())) {
      std::optional<Induction> induction = matchInduction(phi, *loop);
      if (!induction) continue;
      if (induction->condition && !stepsWithItsMask(*induction, *loop)) continue;
      split(*induction, *loop);
      changed = true;
    }
  }
  return changed;
}

}  // namespace jit::simt
