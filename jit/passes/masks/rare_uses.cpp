// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/rare_uses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>

namespace jit {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

// One of so many times, or less often, is rare.
constexpr uint64_t kRarely = 1000;

// Copies of one instruction; a value that more blocks need stays, so that code does not grow.
constexpr size_t kMaxCopies = 8;

// Whether the branch at the end of `from` takes its path to `to` rarely.
bool isRarelyTaken(const BasicBlock& from, const BasicBlock& to) {
  const Instruction* branch = from.getTerminator();
  llvm::SmallVector<uint32_t> weights;
  if (!llvm::extractBranchWeights(*branch, weights) || weights.size() != branch->getNumSuccessors())
    return false;
  uint64_t there = 0, all = 0;
  for (unsigned i = 0; i < weights.size(); ++i) {
    all += weights[i];
    if (branch->getSuccessor(i) == &to) there += weights[i];
  }
  return there * kRarely <= all;
}

bool isCheap(const Instruction& instruction) {
  if (!instruction.getType()->isVectorTy()) return false;
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FDiv:
    case Instruction::FRem:
      return false;
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                       llvm::GetElementPtrInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(
          instruction);
  }
}

class Copier {
 public:
  Copier(llvm::Function& function, const llvm::LoopInfo& loops)
      : function_(function), loops_(loops) {
    for (BasicBlock* block : llvm::ReversePostOrderTraversal(&function))
      if (isRare(*block)) rare_.insert(block);
  }

  unsigned run() {
    if (rare_.empty()) return 0;
    unsigned made = 0;
    // Users first, so that what only copies need follows them.
    for (BasicBlock* block : llvm::post_order(&function_)) {
      if (rare_.contains(block)) continue;
      for (Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (isCheap(instruction)) made += copy(instruction);
    }
    return made;
  }

 private:
  // Whether all paths into a block are rare, in each iteration of the loop that it is in.
  bool isRare(const BasicBlock& block) const {
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    if (llvm::pred_empty(&block) || (loop && loop->getHeader() == &block)) return false;
    return llvm::all_of(llvm::predecessors(&block), [&](const BasicBlock* from) {
      return loops_.getLoopFor(from) == loop &&
             (rare_.contains(from) || isRarelyTaken(*from, block));
    });
  }

  unsigned copy(Instruction& instruction) {
    llvm::SmallMapVector<BasicBlock*, llvm::SmallVector<llvm::Use*>, kMaxCopies> blocks;
    for (llvm::Use& use : instruction.uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (!rare_.contains(block)) return 0;
      blocks[block].push_back(&use);
      if (blocks.size() > kMaxCopies) return 0;
    }
    for (auto& [block, uses] : blocks) {
      Instruction* copied = instruction.clone();
      copied->insertBefore(firstUser(*block, uses));
      for (llvm::Use* use : uses) use->set(copied);
      copied->setName(instruction.getName());
    }
    if (blocks.empty()) return 0;
    instruction.eraseFromParent();
    return unsigned(blocks.size());
  }

  static BasicBlock::iterator firstUser(BasicBlock& block, llvm::ArrayRef<llvm::Use*> uses) {
    Instruction* first = block.getTerminator();
    for (const llvm::Use* use : uses) {
      auto* user = llvm::cast<Instruction>(use->getUser());
      if (user->getParent() == &block && !llvm::isa<llvm::PHINode>(user) &&
          user->comesBefore(first))
        first = user;
    }
    return first->getIterator();
  }

  llvm::Function& function_;
  const llvm::LoopInfo& loops_;
  llvm::SmallPtrSet<const BasicBlock*, 16> rare_;
};

}  // namespace

unsigned computeAtRareUses(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return Copier(function, analyses.getResult<llvm::LoopAnalysis>(function)).run();
}

}  // namespace jit
