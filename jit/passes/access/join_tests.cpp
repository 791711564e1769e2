// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/join_tests.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

#include "jit/ir/marks.h"
#include "jit/passes/access/lane_addresses.h"
#include "jit/passes/access/masked_access.h"

namespace jit::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

// A copy has no more instructions than this.
constexpr size_t kMostInstructions = 2000;
// What a test is made of, behind the first one.
constexpr size_t kMostHoisted = 200;

// head: if (test) together else apart; behind
struct TestedAccess {
  llvm::BranchInst* test;
  BasicBlock *together, *apart, *behind;
};

std::optional<TestedAccess> testedAccess(BasicBlock& head) {
  auto* test = llvm::dyn_cast<llvm::BranchInst>(head.getTerminator());
  if (test == nullptr || !test->isConditional()) return std::nullopt;
  BasicBlock *together = test->getSuccessor(0), *apart = test->getSuccessor(1);
  BasicBlock* behind = together->getSingleSuccessor();
  if (behind == nullptr || behind != apart->getSingleSuccessor() || behind == &head ||
      together->getSinglePredecessor() != &head || apart->getSinglePredecessor() != &head ||
      !behind->hasNPredecessors(2) ||
      llvm::none_of(*apart, [](Instruction& i) { return i.hasMetadata(kBehindTest); }))
    return std::nullopt;
  return TestedAccess{test, together, apart, behind};
}

// A gather or scatter that no pass makes a vector access of: beside it tests cost nothing.
bool staysApart(const Instruction& i) {
  const std::optional<MaskedAccess> access = matchMaskedAccess(i);
  if (!access || !access->isApart()) return false;
  const LaneAddresses at =
      laneAddressesOf(access->pointers, i.getDataLayout(), /*in_objects=*/false);
  return at.lanes == nullptr || at.index != nullptr;
}

// Tests in a row, of which all can be made in front of the first one.
class Chain {
 public:
  explicit Chain(BasicBlock& head) : head_(head) {
    for (auto next = testedAccess(head); next; next = testedAccess(*next->behind)) {
      slice_.clear();
      if (!tests_.empty()) {
        const BasicBlock& between = *tests_.back().behind;
        if (!canCopy(between) || !canHoist(next->test->getCondition())) break;
        size_ += between.size();
      }
      size_ += next->together->size();
      if (size_ > kMostInstructions) break;
      hoisted_.insert(slice_.begin(), slice_.end());
      tests_.push_back(*next);
      for (BasicBlock* block : {next->together, next->apart, next->behind}) blocks_.insert(block);
    }
    // What is made of the last access, unless that is a test again.
    if (tests_.empty() || testedAccess(*end())) return;
    size_ += end()->size();
    copies_end_ = size_ <= kMostInstructions && canCopy(*end());
  }

  size_t length() const { return tests_.size(); }
  // Where it ends.
  BasicBlock* end() const { return tests_.back().behind; }

  // Returns where it goes on.
  BasicBlock* join() {
    llvm::IRBuilder<> ir(head_.getTerminator());
    // In the order in which they are made.
    for (const TestedAccess& tested : tests_)
      for (Instruction& i : llvm::make_early_inc_range(*tested.behind))
        if (hoisted_.contains(&i)) i.moveBefore(head_.getTerminator()->getIterator());
    ir.SetInsertPoint(head_.getTerminator());
    Value* all = nullptr;
    for (const TestedAccess& tested : tests_) {
      Value* test = ir.CreateFreeze(tested.test->getCondition());
      all = all == nullptr ? test : ir.CreateAnd(all, test);
    }
    BasicBlock* end = tests_.back().behind;
    BasicBlock* after = llvm::SplitBlock(
        end, copies_end_ ? end->getTerminator()->getIterator() : end->getFirstNonPHIIt());
    llvm::Function& function = *head_.getParent();
    auto* joined =
        BasicBlock::Create(function.getContext(), "joined", &function, tests_.front().together);
    auto* apart =
        BasicBlock::Create(function.getContext(), "tested", &function, tests_.front().together);
    head_.getTerminator()->moveBefore(*apart, apart->end());
    ir.SetInsertPoint(&head_);
    ir.CreateCondBr(all, joined, apart,
                    llvm::MDBuilder(function.getContext()).createLikelyBranchWeights());
    copyInto(*joined);
    ir.SetInsertPoint(joined);
    ir.CreateBr(after);
    bringTogether(*after, *end, *joined);
    return after;
  }

 private:
  // Barriers and operations on matrices are there once.
  static bool canCopy(const BasicBlock& block) {
    return llvm::none_of(block, [](const Instruction& i) {
      const bool calls = llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i);
      return (calls && i.mayHaveSideEffects()) || staysApart(i);
    });
  }

  bool isInChain(const Instruction& i) const { return blocks_.contains(i.getParent()); }

  // Whether a value can be made in front of the chain; what of it has to be moved there goes to
  // `slice_`.
  bool canHoist(Value* value) {
    auto* i = llvm::dyn_cast<Instruction>(value);
    if (i == nullptr || !isInChain(*i) || hoisted_.contains(i) || !slice_.insert(i).second)
      return true;
    if (slice_.size() > kMostHoisted) return false;
    const bool is_behind = llvm::any_of(
        tests_, [&](const TestedAccess& tested) { return tested.behind == i->getParent(); });
    return is_behind && !llvm::isa<llvm::PHINode>(i) && !i->mayReadOrWriteMemory() &&
           llvm::isSafeToSpeculativelyExecute(i) &&
           llvm::all_of(i->operands(), [&](Value* operand) { return canHoist(operand); });
  }

  void copyInto(BasicBlock& joined) {
    auto copy = [&](BasicBlock& block) {
      for (Instruction& i : block) {
        if (i.isTerminator() || llvm::isa<llvm::PHINode>(i)) continue;
        Instruction* clone = i.clone();
        clone->insertInto(&joined, joined.end());
        if (i.hasName()) clone->setName(i.getName());
        llvm::RemapInstruction(clone, copies_,
                               llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        copies_[&i] = clone;
      }
    };
    for (const TestedAccess& tested : tests_) {
      copy(*tested.together);
      for (llvm::PHINode& phi : tested.behind->phis()) {
        Value* usual = phi.getIncomingValueForBlock(tested.together);
        const auto copied = copies_.find(usual);
        copies_[&phi] = copied == copies_.end() ? usual : static_cast<Value*>(copied->second);
      }
      if (&tested != &tests_.back() || copies_end_) copy(*tested.behind);
    }
  }

  // What the chain has made and others use.
  void bringTogether(BasicBlock& after, BasicBlock& end, BasicBlock& joined) {
    for (const TestedAccess& tested : tests_)
      for (Instruction& i : *tested.behind) {
        llvm::PHINode* phi = nullptr;
        for (llvm::Use& use : llvm::make_early_inc_range(i.uses())) {
          auto* user = llvm::cast<Instruction>(use.getUser());
          if (isInChain(*user) || user->getParent() == &joined) continue;
          if (phi == nullptr) {
            phi = llvm::PHINode::Create(i.getType(), 2, i.getName(), after.begin());
            phi->addIncoming(copies_.lookup(&i), &joined);
          }
          use.set(phi);
        }
        if (phi != nullptr) phi->addIncoming(&i, &end);
      }
  }

  BasicBlock& head_;
  llvm::SmallVector<TestedAccess, 8> tests_;
  llvm::SmallPtrSet<const BasicBlock*, 32> blocks_;
  llvm::SmallPtrSet<Instruction*, 32> hoisted_, slice_;
  size_t size_ = 0;
  bool copies_end_ = false;
  llvm::ValueToValueMapTy copies_;
};

}  // namespace

bool joinTests(llvm::Function& function) {
  bool changed = false;
  // What unrolling has left.
  for (BasicBlock& block : llvm::make_early_inc_range(function))
    changed |= llvm::MergeBlockIntoPredecessor(&block);
  llvm::SmallVector<BasicBlock*> heads;
  llvm::SmallPtrSet<BasicBlock*, 32> behind;  // another one, not a beginning
  for (BasicBlock& block : function) {
    if (const auto tested = testedAccess(block)) {
      heads.push_back(&block);
      behind.insert(tested->behind);
    }
  }
  for (BasicBlock* head : heads) {
    if (behind.contains(head)) continue;
    for (BasicBlock* next = head; next != nullptr;) {
      Chain chain(*next);
      changed |= chain.length() > 1;
      next = chain.length() == 0 ? nullptr : chain.length() == 1 ? chain.end() : chain.join();
    }
  }
  return changed;
}

}  // namespace jit::simt
