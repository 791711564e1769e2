// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/rare_uses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/ir/uses.h"
#include "jit/passes/masks/rare_branches.h"

namespace jit {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

// Copies of one instruction; a value that more blocks need stays, so that code does not grow.
constexpr size_t kMaxCopies = 8;

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
  Copier(llvm::Function& function, llvm::LoopInfo& loops) : function_(function), loops_(loops) {
    for (BasicBlock* block : llvm::ReversePostOrderTraversal(&function))
      if (isRare(*block)) rare_.insert(block);
  }

  unsigned run() {
    unsigned made = 0;
    // Users first, so that what only copies need follows them. There are more blocks in the end.
    const llvm::SmallVector<BasicBlock*> order(llvm::post_order(&function_));
    for (BasicBlock* block : order) {
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
    llvm::SmallMapVector<Place, llvm::SmallVector<llvm::Use*>, kMaxCopies> places;
    for (llvm::Use& use : instruction.uses()) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(use.getUser());
      Place place{blockOf(use), nullptr};
      if (!rare_.contains(place.first)) {
        if (phi == nullptr || !isRarePath(*place.first, *phi->getParent())) return 0;
        place.second = phi->getParent();
      }
      places[place].push_back(&use);
      if (places.size() > kMaxCopies) return 0;
    }
    for (auto& [place, uses] : places) {
      BasicBlock* block = place.second == nullptr ? place.first : blockOn(place);
      Instruction* copied = instruction.clone();
      copied->insertBefore(firstUser(*block, uses));
      for (llvm::Use* use : uses) use->set(copied);
      copied->setName(instruction.getName());
    }
    if (places.empty()) return 0;
    instruction.eraseFromParent();
    return unsigned(places.size());
  }

  // A rare block, or a path from one that is not to another block that it goes to rarely.
  using Place = std::pair<BasicBlock*, BasicBlock*>;

  bool isRarePath(const BasicBlock& from, const BasicBlock& to) const {
    return to.getSinglePredecessor() == nullptr && llvm::count(llvm::successors(&from), &to) == 1 &&
           loops_.getLoopFor(&from) == loops_.getLoopFor(&to) && !loops_.isLoopHeader(&to) &&
           isRarelyTaken(from, to);
  }

  // A block of its own on such a path.
  BasicBlock* blockOn(const Place& path) {
    BasicBlock* block = llvm::SplitEdge(path.first, path.second, nullptr, &loops_);
    rare_.insert(block);
    return block;
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
  llvm::LoopInfo& loops_;
  llvm::SmallPtrSet<const BasicBlock*, 16> rare_;
};

}  // namespace

unsigned computeAtRareUses(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return Copier(function, analyses.getResult<llvm::LoopAnalysis>(function)).run();
}

}  // namespace jit
