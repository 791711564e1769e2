// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/full_loops.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>
#include <string>

#include "jit/ir/marks.h"
#include "jit/ir/remarks.h"
#include "jit/passes/masks/block_copy.h"
#include "jit/passes/masks/mask_test.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr llvm::StringLiteral kRunFullLoops = "run-full-loops";
// A mark on loops that have a copy in front of them.
constexpr const char* kHasCopy = "tessera.has_full_copy";

// Of the loop that is copied.
constexpr size_t kMaxInLoop = 2048;
constexpr int kMaxConditionDepth = 8;
// Of a function, outer ones and then inner ones. For the freeze of a copy's test LLVM walks up all
// dominators, each time that it looks at it.
constexpr size_t kMaxLoops = 64;

// The parts of a conjunction.
void conditions(Value* mask, llvm::SmallVectorImpl<Value*>& parts, int depth = 0) {
  Value *a = nullptr, *b = nullptr;
  if (depth < kMaxConditionDepth && match(mask, m_LogicalAnd(m_Value(a), m_Value(b)))) {
    conditions(a, parts, depth + 1);
    conditions(b, parts, depth + 1);
  } else if (depth < kMaxConditionDepth && match(mask, m_Freeze(m_Value(a)))) {
    conditions(a, parts, depth + 1);
  } else {
    parts.push_back(mask);
  }
}

class FullLoop {
 public:
  FullLoop(llvm::Loop& loop, const llvm::DominatorTree& dominators)
      : loop_(loop),
        dominators_(dominators),
        before_(loop.getLoopPreheader()),
        header_(loop.getHeader()),
        latch_(loop.getLoopLatch()) {}

  // Whether the loop goes on for as long as a mask is not empty: which it asks at an iteration's
  // beginning, at its end, or in between (`if (i + lane >= n) break;`).
  bool find() {
    if (latch_ == nullptr || before_ == nullptr || llvm::findOptionMDForLoop(&loop_, kHasCopy))
      return false;
    return findAt(*header_) || findAt(*latch_) ||
           llvm::any_of(loop_.blocks(), [&](BasicBlock* block) { return findAt(*block); });
  }

  // Why a copy without masks is of no use, or would be wrong; none: it is.
  std::optional<std::string> objection() const {
    // Those of the next iteration are those at the test, or some of them, which is found at the
    // iteration's end.
    if (!nextMaskIsFull() && (test_ == latch_ || latch_->getTerminator()->getNumSuccessors() != 1))
      return "an invocation leaves it in more than one place";
    const bool counts = llvm::all_of(parts_, [&](Value* part) {
      Value* comparison = part;
      match(part, m_Not(m_Value(comparison)));
      return llvm::isa<llvm::ICmpInst>(comparison) || loop_.isLoopInvariant(comparison);
    });
    if (parts_.empty() || !counts)
      return "how often an invocation goes round is no comparison of integers";
    if (llvm::any_of(parts_, [&](Value* part) { return followsFromFirst(part); }))
      return "it goes round once for each group of invocations";
    // Where the loop takes over at the beginning of an iteration, it begins that iteration again.
    auto acts = [](const Instruction& i) {
      return i.mayHaveSideEffects() && !i.hasMetadata(kForDebuggers);
    };
    if (test_ != latch_ &&
        llvm::any_of(blocksToTest(), [&](BasicBlock* block) { return llvm::any_of(*block, acts); }))
      return "it writes to memory before it asks whether to go on";
    size_t instructions = 0;
    for (BasicBlock* block : loop_.blocks()) {
      if (!isForEachLane(*block)) return "it has a barrier or matrix operations";
      instructions += block->size();
    }
    if (instructions > kMaxInLoop) return "it is long";
    return std::nullopt;
  }

  Instruction& location() const { return *test_->getTerminator(); }

  void write() {
    copy_.emplace(loop_.getBlocks());
    leaveByOtherPaths();
    llvm::Constant* full = llvm::Constant::getAllOnesValue(mask_->getType());
    goOnOrLeave(full);
    if (!nextMaskIsFull()) beginIterationOrLeave();
    // All lanes are live in the copy: from the start, and as long as they stay there.
    Value* start = mask_->getIncomingValueForBlock(before_);
    for (llvm::Use& use : llvm::make_early_inc_range(live_->uses()))
      if (isBehindTest(use)) copyOf(use.getUser())->setOperand(use.getOperandNo(), full);
    auto* copied_mask = llvm::cast<llvm::PHINode>(copyOf(mask_));
    copied_mask->replaceAllUsesWith(full);
    copied_mask->eraseFromParent();
    enter(start);
  }

 private:
  bool findAt(BasicBlock& block) {
    const auto test = maskTest(block);
    if (!test || loop_.contains(block.getTerminator()->getSuccessor(test->when_empty)))
      return false;
    llvm::SmallVector<Value*, 4> parts;
    conditions(test->mask, parts);
    auto* mask = llvm::find_if(parts, [&](Value* part) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(part);
      return phi != nullptr && phi->getParent() == header_;
    });
    if (mask == parts.end()) return false;
    mask_ = llvm::cast<llvm::PHINode>(*mask);
    parts.erase(mask);
    parts_ = std::move(parts);
    test_ = &block;
    live_ = test->mask;
    when_empty_ = test->when_empty;
    return true;
  }

  Value* nextMask() const { return mask_->getIncomingValueForBlock(latch_); }

  // Whether a condition is made of which lane is the first in the mask, which it is not about then
  // (jit/analysis/waterfall_loops.h).
  bool followsFromFirst(Value* condition) const {
    constexpr unsigned kMostSteps = 32;
    llvm::SmallVector<Value*, 8> values = {condition};
    for (unsigned step = 0; step < kMostSteps && !values.empty(); ++step) {
      auto* next = llvm::dyn_cast<Instruction>(values.pop_back_val());
      if (next == nullptr || !loop_.contains(next) || llvm::isa<llvm::PHINode>(next)) continue;
      if (match(next, m_Intrinsic<llvm::Intrinsic::cttz>(m_BitCast(m_Specific(mask_)))))
        return true;
      values.append(next->op_begin(), next->op_end());
    }
    return false;
  }

  // Of the loop, and only come to after the test.
  bool isBehindTest(const llvm::Use& use) const {
    auto* user = llvm::cast<Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    if (!loop_.contains(user) || (phi != nullptr && phi->getParent() == header_)) return false;
    return phi != nullptr ? dominators_.dominates(test_, phi->getIncomingBlock(use))
                          : dominators_.properlyDominates(test_, user->getParent());
  }

  // Whether all lanes begin the next iteration of the copy if nobody left at the test: those that
  // began this one, or those at the test where it came there, whichever way it went.
  bool nextMaskIsFull() const {
    llvm::SmallVector<std::pair<llvm::PHINode*, unsigned>, 8> taken;
    taken.emplace_back(mask_, static_cast<unsigned>(mask_->getBasicBlockIndex(latch_)));
    llvm::SmallPtrSet<llvm::PHINode*, 8> seen;
    while (!taken.empty()) {
      const auto [phi, k] = taken.pop_back_val();
      Value* value = phi->getIncomingValue(k);
      if (value == mask_) continue;
      if (value == live_) {
        if (!dominators_.dominates(test_, phi->getIncomingBlock(k))) return false;
        continue;
      }
      auto* joined = llvm::dyn_cast<llvm::PHINode>(value);
      if (joined == nullptr || joined->getParent() == header_ || !loop_.contains(joined))
        return false;
      if (!seen.insert(joined).second) continue;
      for (unsigned i = 0; i < joined->getNumIncomingValues(); ++i) taken.emplace_back(joined, i);
    }
    return true;
  }

  // Those that an iteration may go through up to its test.
  llvm::SmallVector<BasicBlock*, 8> blocksToTest() const {
    llvm::SmallVector<BasicBlock*, 8> blocks = {test_};
    for (size_t k = 0; k < blocks.size(); ++k)
      if (blocks[k] != header_)
        for (BasicBlock* before : llvm::predecessors(blocks[k]))
          if (!llvm::is_contained(blocks, before)) blocks.push_back(before);
    return blocks;
  }

  template <typename T>
  T* copyOf(T* value) const {
    return copy_->of(value);
  }

  void leaveByOtherPaths() {
    for (BasicBlock* block : loop_.blocks())
      for (unsigned s = 0; s < block->getTerminator()->getNumSuccessors(); ++s) {
        BasicBlock* exit = block->getTerminator()->getSuccessor(s);
        if (!loop_.contains(exit) && (block != test_ || s != when_empty_))
          copy_->arrive(*exit, block, copyOf(block));
      }
  }

  // At the test: where not all lanes go on, the loop itself does, with what there is at this point.
  void goOnOrLeave(llvm::Constant* full) {
    BasicBlock* test = copyOf(test_);
    Instruction* branch = test->getTerminator();
    llvm::IRBuilder<> ir(branch);
    Value* all = nullptr;
    for (Value* part : parts_) {
      Value* whole = areAllLive(ir, copyOf(part));
      all = all == nullptr ? whole : ir.CreateAnd(all, whole);
    }
    all = ir.CreateFreeze(all);
    BasicBlock* on = branch->getSuccessor(1 - when_empty_);
    BasicBlock* from = test;
    // At the beginning of an iteration it tests again whether there is a lane left.
    const bool at_end = test_ == latch_;
    if (at_end) {
      BasicBlock* exit = branch->getSuccessor(when_empty_);
      from = BasicBlock::Create(ir.getContext(), "some", header_->getParent(), header_);
      ir.CreateCondBr(all, on, from);
      llvm::IRBuilder<> some(from);
      Value* condition = nullptr;
      match(branch, m_Br(m_Value(condition), m_BasicBlock(), m_BasicBlock()));
      some.CreateCondBr(condition, when_empty_ == 0 ? exit : header_,
                        when_empty_ == 0 ? header_ : exit);
      copy_->arrive(*exit, test_, from);
    } else {
      ir.CreateCondBr(all, on, header_);
    }
    branch->eraseFromParent();
    for (llvm::PHINode& phi : header_->phis()) phi.addIncoming(handedOver(phi, full, at_end), from);
  }

  // At the end of an iteration: where some lanes do not begin another one.
  void beginIterationOrLeave() {
    BasicBlock* latch = copyOf(latch_);
    Instruction* end = latch->getTerminator();
    llvm::IRBuilder<> ir(end);
    Value* all = ir.CreateFreeze(areAllLive(ir, copyOf(nextMask())));
    ir.CreateCondBr(all, copyOf(header_), header_);
    end->eraseFromParent();
    copy_->arrive(*header_, latch_, latch);
  }

  // What a phi of the loop's header gets from the copy.
  Value* handedOver(llvm::PHINode& phi, llvm::Constant* full, bool at_end) const {
    if (&phi == mask_) return at_end ? copyOf(live_) : full;
    if (at_end) return copyOf(phi.getIncomingValueForBlock(latch_));
    // Nobody looks at what lanes had that are not live.
    const bool unused = llvm::all_of(phi.users(), [&](llvm::User* user) {
      auto* choice = llvm::dyn_cast<llvm::SelectInst>(user);
      return choice != nullptr && choice->getCondition() == mask_ &&
             choice->getFalseValue() == &phi && choice->getTrueValue() != &phi;
    });
    return unused ? llvm::PoisonValue::get(phi.getType()) : static_cast<Value*>(copyOf(&phi));
  }

  // The copy is entered where all lanes are live.
  void enter(Value* start) {
    Instruction* entry = before_->getTerminator();
    BasicBlock* copied = copyOf(header_);
    const auto* constant = llvm::dyn_cast<llvm::Constant>(start);
    if (constant != nullptr && constant->isAllOnesValue()) {
      entry->replaceSuccessorWith(header_, copied);
      for (llvm::PHINode& phi : header_->phis())
        phi.removeIncomingValue(before_, /*DeletePHIIfEmpty=*/false);
    } else {
      llvm::IRBuilder<> ir(entry);
      ir.CreateCondBr(ir.CreateFreeze(areAllLive(ir, start)), copied, header_);
      entry->eraseFromParent();
    }
  }

  llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  BasicBlock *before_, *header_, *latch_;
  BasicBlock* test_ = nullptr;
  unsigned when_empty_ = 0;             // number of the successor of the test
  llvm::PHINode* mask_ = nullptr;       // of the lanes that begin an iteration
  Value* live_ = nullptr;               // those that go on at the test
  llvm::SmallVector<Value*, 4> parts_;  // of `live_` besides `mask_`
  std::optional<BlockCopy> copy_;
};

}  // namespace

// Whether it goes on for as long as there is a lane in a mask.
static bool asksForMask(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [&](BasicBlock* block) {
    const auto test = maskTest(*block);
    return test && !loop.contains(block->getTerminator()->getSuccessor(test->when_empty));
  });
}

// Copies the outermost loops that can be copied, of those that have no copy yet. `is_last`: what
// stays gets to know why.
static bool runFullLoopsOnce(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                             bool is_last) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return false;
  bool changed = false;
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  llvm::SmallVector<llvm::Loop*> chosen;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!asksForMask(*loop)) continue;
    changed |= llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr,
                                  /*PreserveLCSSA=*/false);
    if (llvm::any_of(chosen, [&](llvm::Loop* outer) { return outer->contains(loop); })) continue;
    FullLoop full(*loop, dominators);
    if (!full.find()) continue;
    std::optional<std::string> objection = full.objection();
    if (chosen.size() == kMaxLoops) objection = "many loops before it run without masks";
    if (!objection)
      chosen.push_back(loop);
    else if (is_last && loop->isInnermost())
      declined(kRunFullLoops, RemarkKind::MaskedLoop, full.location(), [&] { return *objection; });
  }
  for (llvm::Loop* loop : chosen) llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr);
  for (llvm::Loop* loop : chosen) {
    FullLoop full(*loop, dominators);
    if (!full.find() || full.objection()) continue;
    llvm::addStringMetadataToLoop(loop, kHasCopy, 1);
    full.write();
  }
  return changed || !chosen.empty();
}

bool runFullLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  // Outer ones first, then those inside of them and of their copies.
  const bool changed = runFullLoopsOnce(function, analyses, /*is_last=*/false);
  if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return runFullLoopsOnce(function, analyses, /*is_last=*/true) || changed;
}

}  // namespace jit::simt
