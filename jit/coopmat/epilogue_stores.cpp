// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/epilogue_stores.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <utility>

#include "jit/coopmat/shared_operands.h"
#include "jit/ir/memories.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

// The stores of accumulators that may be what becomes of them.
class Candidates {
 public:
  explicit Candidates(llvm::ArrayRef<llvm::PHINode*> accumulators) : found_(accumulators.size()) {
    for (auto [index, accumulator] : llvm::enumerate(accumulators)) {
      for (llvm::User* user : accumulator->users()) {
        std::optional<StoreCall> store = matchStore(llvm::cast<Instruction>(user));
        if (store && store->layout == Layout::Row && leadsOnlyTo(*store->base, kClient))
          in_block_[store->call->getParent()].push_back({index, *store});
      }
    }
  }

  bool areIn(const BasicBlock* block) const { return in_block_.contains(block); }
  // Finds those in a block. False if an accumulator has several.
  bool take(const BasicBlock* block) {
    for (const auto& [index, store] : in_block_.lookup(block)) {
      if (std::exchange(found_[index], store)) return false;
      ++count_;
    }
    return true;
  }
  bool areAllFound() const { return count_ == found_.size(); }
  StoreCall found(size_t index) const { return *found_[index]; }

 private:
  llvm::DenseMap<const BasicBlock*, llvm::SmallVector<std::pair<size_t, StoreCall>, 4>> in_block_;
  llvm::SmallVector<std::optional<StoreCall>> found_;
  size_t count_ = 0;
};

// A path from a block on, on which one condition, if any, is tested, as often as it may be.
class Path {
 public:
  explicit Path(BasicBlock* start) : blocks_{start} {}

  // Takes the next block: where there is a choice for the first time, one with candidates.
  bool goOn(const Candidates& candidates) {
    using namespace llvm::PatternMatch;
    Instruction* branch = blocks_.back()->getTerminator();
    Value* condition = nullptr;
    BasicBlock *next = nullptr, *other = nullptr;
    if (match(branch, m_Br(m_Value(condition), next, other))) {
      if (!condition_) {
        condition_ = condition;
        is_true_ = candidates.areIn(next);
      }
      if (condition != condition_) return false;
      if (!is_true_) std::swap(next, other);
      left_.emplace_back(blocks_.back(), other);
    } else if (!match(branch, m_UnconditionalBr(next))) {
      return false;
    }
    if (llvm::is_contained(blocks_, next)) return false;
    blocks_.push_back(next);
    return true;
  }

  // Whether control that comes to the use has left the path.
  bool isLeftBefore(const llvm::Use& use, const llvm::DominatorTree& dominators) const {
    return llvm::any_of(left_, [&](auto& edge) { return dominators.dominates(edge, use); });
  }

  const llvm::SmallVector<BasicBlock*>& blocks() const { return blocks_; }
  Value* condition() const { return condition_; }
  bool isConditionTrue() const { return is_true_; }

 private:
  llvm::SmallVector<BasicBlock*> blocks_;
  llvm::SmallVector<llvm::BasicBlockEdge, 2> left_;  // by which control leaves it
  Value* condition_ = nullptr;
  bool is_true_ = false;
};

bool isUnnoticed(const Instruction& instruction) {
  if (llvm::isa<llvm::AssumeInst>(instruction)) return true;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
}

// Completes what is known of `stores` by what is on their path.
void followPath(EpilogueStores& stores) {
  llvm::DenseMap<const Instruction*, unsigned> indices;
  for (auto [index, store] : llvm::enumerate(stores.calls)) indices[store.call] = index;
  stores.may_come_first = true;
  for (const BasicBlock* block : stores.path) {
    for (const Instruction& instruction : *block) {
      auto found = indices.find(&instruction);
      if (found != indices.end()) {
        stores.order.push_back(found->second);
        if (stores.order.size() == indices.size()) return;
      } else if (!isUnnoticed(instruction)) {
        stores.may_come_first = false;
      }
    }
  }
}

// Copies of what values are computed by on a path, at its beginning.
class EarlierCopies {
 public:
  explicit EarlierCopies(llvm::ArrayRef<BasicBlock*> path) {
    for (auto [index, block] : llvm::enumerate(path)) position_[block] = index;
  }

  // Notes what `value` is computed by. False if some of it cannot be computed twice, or, after the
  // first block, whose successors may never be reached, not in any case.
  bool collect(Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    auto position = instruction ? position_.find(instruction->getParent()) : position_.end();
    if (position == position_.end()) return true;
    const bool is_certain = position->second == 0;
    if (llvm::isa<llvm::PHINode>(instruction)) return is_certain;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    const bool is_repeatable = load ? load->isSimple()
                                    : !instruction->mayReadOrWriteMemory() &&
                                          !llvm::isa<llvm::CallBase, llvm::AllocaInst>(instruction);
    if (!is_repeatable || !(is_certain || llvm::isSafeToSpeculativelyExecute(instruction)))
      return false;
    if (!instructions_.insert(instruction).second) return true;
    return llvm::all_of(instruction->operands(),
                        [&](llvm::Use& operand) { return collect(operand.get()); });
  }

  void emit(llvm::IRBuilderBase& builder) {
    llvm::SmallVector<Instruction*> ordered(instructions_.begin(), instructions_.end());
    llvm::sort(ordered, [&](Instruction* a, Instruction* b) {
      return a->getParent() == b->getParent()
                 ? a->comesBefore(b)
                 : position_.at(a->getParent()) < position_.at(b->getParent());
    });
    for (Instruction* instruction : ordered) {
      Instruction* copy = builder.Insert(instruction->clone(), instruction->getName());
      for (llvm::Use& operand : copy->operands()) operand.set(of(operand.get()));
      copies_[instruction] = copy;
    }
  }

  Value* of(Value* value) const {
    Value* copy = copies_.lookup(value);
    return copy == nullptr ? value : copy;
  }

 private:
  llvm::DenseMap<const BasicBlock*, size_t> position_;  // on the path
  llvm::SmallPtrSet<Instruction*, 32> instructions_;
  llvm::DenseMap<Value*, Value*> copies_;
};

}  // namespace

std::optional<EpilogueStores> epilogueStoresOf(llvm::ArrayRef<llvm::PHINode*> accumulators,
                                               const llvm::DominatorTree& dominators) {
  Candidates candidates(accumulators);
  Path path(accumulators.front()->getParent());
  while (candidates.take(path.blocks().back()) && !candidates.areAllFound())
    if (!path.goOn(candidates)) return std::nullopt;
  if (!candidates.areAllFound()) return std::nullopt;
  EpilogueStores stores{.path = path.blocks(),
                        .condition = path.condition(),
                        .is_condition_true = path.isConditionTrue()};
  for (auto [index, accumulator] : llvm::enumerate(accumulators)) {
    const StoreCall store = candidates.found(index);
    for (const llvm::Use& use : accumulator->uses())
      if (use.getUser() != store.call && !path.isLeftBefore(use, dominators)) return std::nullopt;
    stores.calls.push_back(store);
  }
  followPath(stores);
  return stores;
}

std::optional<Destinations> computeEarlier(llvm::IRBuilderBase& builder,
                                           const EpilogueStores& stores) {
  EarlierCopies copies(stores.path);
  for (const StoreCall& store : stores.calls) {
    for (Value* value : {store.base, store.stride_bytes, store.limit_bytes})
      if (!copies.collect(value)) return std::nullopt;
  }
  if (stores.condition && !copies.collect(stores.condition)) return std::nullopt;
  copies.emit(builder);
  Destinations destinations;
  for (const StoreCall& store : stores.calls) {
    destinations.of_accumulators.push_back(
        {copies.of(store.base), copies.of(store.stride_bytes), copies.of(store.limit_bytes)});
  }
  destinations.are_stored = builder.getTrue();
  if (stores.condition) {
    Value* condition = copies.of(stores.condition);
    destinations.are_stored = stores.is_condition_true ? condition : builder.CreateNot(condition);
  }
  return destinations;
}

}  // namespace jit::coopmat
