// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/product_order.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "jit/ir/matrix_ops.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

// Multiply-adds of a block on the longest way to an instruction: multiply-adds of equal levels do
// not need each other.
class Levels {
 public:
  explicit Levels(BasicBlock& block) {
    for (Instruction& instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
      instructions_.push_back(&instruction);
      if (matchMulAdd(&instruction)) products_.insert(&instruction);
    }
    if (products_.size() < 2) return;
    findEarliest();
    delayOperands();
    findFollowers();
  }

  // Moves them into the order of their levels, and returns the first of each row of instructions
  // before which the block is to be split.
  llvm::SmallVector<Instruction*> order(bool& changed) {
    llvm::SmallVector<Instruction*> before(instructions_);
    if (products_.size() >= 2) {
      std::ranges::stable_sort(instructions_, {}, [&](Instruction* instruction) {
        const unsigned phase = followers_.contains(instruction)  ? 2
                               : products_.contains(instruction) ? 1
                                                                 : 0;
        return std::pair(levels_.at(instruction), phase);
      });
    }
    if (instructions_ != before) {
      changed = true;
      BasicBlock& block = *instructions_.front()->getParent();
      for (Instruction* instruction : instructions_)
        instruction->moveBefore(block.getTerminator()->getIterator());
    }
    return readersOfProducts();
  }

 private:
  static bool hasEffect(const Instruction& instruction) {
    return instruction.mayHaveSideEffects() ||
           !llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction);
  }

  // As early as what it is computed by, and what may not be passed, allows.
  void findEarliest() {
    unsigned last_effect = 0, last_access = 0;
    for (Instruction* instruction : instructions_) {
      unsigned level = 0;
      for (const llvm::Use& operand : instruction->operands()) {
        auto* source = llvm::dyn_cast<Instruction>(operand.get());
        auto found = levels_.find(source);
        if (found != levels_.end())
          level = std::max(level, found->second + (products_.contains(source) ? 1 : 0));
      }
      const bool has_effect = hasEffect(*instruction);
      if (has_effect) {
        level = std::max({level, last_effect, last_access});
        last_effect = level;
      } else if (instruction->mayReadFromMemory()) {
        level = std::max(level, last_effect);
      }
      if (has_effect || instruction->mayReadFromMemory())
        last_access = std::max(last_access, level);
      levels_[instruction] = level;
    }
  }

  // What only later levels need comes with them, so that it is alive no longer than it was. Effects
  // that stood behind products stay behind them, but for those that have a read behind them which
  // an earlier level needs.
  void delayOperands() {
    llvm::DenseMap<const Instruction*, unsigned> passed;  // the highest level before each effect
    unsigned highest = 0;
    for (const Instruction* instruction : instructions_) {
      if (products_.contains(instruction)) highest = std::max(highest, levels_.at(instruction));
      if (hasEffect(*instruction)) passed[instruction] = highest;
    }
    unsigned next_effect = ~0u, next_access = ~0u;
    for (Instruction* instruction : llvm::reverse(instructions_)) {
      unsigned& level = levels_[instruction];
      if (hasEffect(*instruction)) {
        const unsigned first_use = std::min(firstUse(*instruction), next_access);
        level = std::max(level, std::min(passed.at(instruction), first_use));
        next_effect = next_access = level;
        continue;
      }
      if (products_.contains(instruction)) continue;
      const bool reads = instruction->mayReadFromMemory();
      unsigned first_use = instruction->use_empty() ? level : firstUse(*instruction);
      if (reads) first_use = std::min(first_use, next_effect);
      level = std::max(level, first_use);
      if (reads) next_access = std::min(next_access, level);
    }
  }

  // The lowest level of what uses it in this block; at most its own where something else does, too.
  unsigned firstUse(const Instruction& instruction) const {
    const unsigned level = levels_.at(&instruction);
    unsigned first = ~0u;
    for (const llvm::User* user : instruction.users()) {
      const auto found = levels_.find(llvm::cast<Instruction>(user));
      const bool is_here = found != levels_.end() && !llvm::isa<llvm::PHINode>(user);
      first = std::min(first, is_here ? found->second : level);
    }
    return first;
  }

  // What stood behind all products of its level stays there, a barrier after which others write to
  // what the products read, for one. All that needs it stood there too, or is of a later level.
  void findFollowers() {
    llvm::DenseMap<unsigned, size_t> products;  // of each level, that are still to come
    for (const Instruction* product : products_) ++products[levels_.at(product)];
    for (const Instruction* instruction : instructions_) {
      const auto found = products.find(levels_.at(instruction));
      if (found == products.end()) continue;
      if (products_.contains(instruction))
        --found->second;
      else if (found->second == 0)
        followers_.insert(instruction);
    }
  }

  // The first instruction of each level that reads results of the one before but to add to them.
  llvm::SmallVector<Instruction*> readersOfProducts() const {
    llvm::SmallVector<Instruction*> first;
    llvm::SmallPtrSet<const Instruction*, 16> since;  // products after the last split
    bool reads = false;
    Instruction* start = nullptr;  // of what follows the last product
    auto finish = [&] {
      if (reads) {
        first.push_back(start);
        since.clear();
      }
      reads = false;
      start = nullptr;
    };
    for (Instruction* instruction : instructions_) {
      if (products_.contains(instruction)) {
        const MulAddCall product = *matchMulAdd(instruction);
        for (llvm::Value* operand : {product.a, product.b}) reads = reads || isIn(since, operand);
        // What others need too is no sum that goes on here.
        const bool goes_on = product.c->hasOneUse() && isSameOperation(product, product.c);
        reads = reads || (isIn(since, product.c) && !goes_on);
        if (reads && start == nullptr) start = instruction;
        finish();
        since.insert(instruction);
        continue;
      }
      if (start == nullptr && !since.empty()) start = instruction;
      for (const llvm::Use& operand : instruction->operands())
        reads = reads || isIn(since, operand.get());
    }
    finish();
    return first;
  }

  static bool isSameOperation(const MulAddCall& product, llvm::Value* other) {
    std::optional<MulAddCall> other_product = matchMulAdd(other);
    return other_product && other_product->op == product.op;
  }

  static bool isIn(const llvm::SmallPtrSetImpl<const Instruction*>& set, llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    return instruction != nullptr && set.contains(instruction);
  }

  llvm::SmallVector<Instruction*> instructions_;
  llvm::SmallPtrSet<const Instruction*, 16> products_, followers_;
  llvm::DenseMap<const Instruction*, unsigned> levels_;
};

}  // namespace

bool orderProducts(llvm::Function& function, llvm::LoopInfo& loops,
                   llvm::DominatorTree& dominators) {
  bool changed = false;
  llvm::SmallVector<BasicBlock*> blocks(llvm::make_pointer_range(function));
  for (BasicBlock* block : blocks) {
    for (Instruction* first : Levels(*block).order(changed)) {
      block = llvm::SplitBlock(block, first->getIterator(), &dominators, &loops);
      changed = true;
    }
  }
  return changed;
}

}  // namespace jit::coopmat
