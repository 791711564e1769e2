// SPDX-License-Identifier: Apache-2.0

// Accumulators: the values that one matrix has while multiply-adds are added to it.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <optional>
#include <vector>

#include "jit/base/target.h"
#include "jit/ir/matrix_ops.h"

namespace jit::coopmat {

// The multiply-adds of a web in one basic block, in order.
struct MulAddGroup {
  llvm::BasicBlock* block;
  llvm::SmallVector<MulAddCall, 4> steps;
};

// What flows from a phi of a loop's header, or into it, inside the loop through multiply-adds that
// add to it and through phis; or a chain of multiply-adds in one block. At every point at most one
// version of it is needed, so the matrix can live in memory and its multiply-adds can be done
// later, in order, as long as they are done before something else reads it, or writes it.
struct AccumulatorWeb {
  llvm::PHINode* root;   // null for a chain
  llvm::Value* initial;  // from the preheader, or what a chain begins with
  MulAdd op;
  llvm::SmallVector<llvm::Instruction*, 8> values;  // root, phis and multiply-adds
  std::vector<MulAddGroup> groups;                  // in reverse post-order
  llvm::SmallVector<llvm::PHINode*, 2> exit_phis;   // LCSSA phis that stand for its last version
  // Uses of its values by other instructions, in the loop or behind a chain.
  llvm::SmallVector<llvm::Use*, 2> reads;
  // Uses by its phis and multiply-adds, in the loop, of values that are none of its own: each is
  // the next version.
  llvm::SmallVector<llvm::Use*, 2> writes;
};

// Puts the loops of a function into the form that is wanted below.
void simplifyLoops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

// The blocks of a loop in reverse post-order.
llvm::SmallVector<llvm::BasicBlock*> blocksInOrder(const llvm::Loop& loop);

// The web of `root`, a phi of the header of `loop`; nothing when it does not qualify, and then
// `why` (unless it is null) is given the reason, as the end of a sentence. The loop is in
// simplified and LCSSA form; `order` are its blocks in reverse post-order.
std::optional<AccumulatorWeb> findAccumulatorWeb(llvm::PHINode* root, const llvm::Loop& loop,
                                                 llvm::ArrayRef<llvm::BasicBlock*> order,
                                                 llvm::StringRef* why = nullptr);

// The webs of all phis of the header that qualify and have a microkernel.
std::vector<AccumulatorWeb> findAccumulatorWebs(const llvm::Loop& loop,
                                                llvm::ArrayRef<llvm::BasicBlock*> order,
                                                const Target& target);

// The chains of multiply-adds of a block that have a microkernel, of one or more. Those of a chain
// but the last have no other use.
std::vector<AccumulatorWeb> findChains(llvm::BasicBlock& block, const Target& target);

// Erases its phis and multiply-adds, whose uses have become others, and loads of operands that
// nothing else needs.
void eraseWeb(const AccumulatorWeb& web);

}  // namespace jit::coopmat
