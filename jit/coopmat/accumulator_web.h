// SPDX-License-Identifier: Apache-2.0

// Accumulators of a loop: the values of a matrix that only multiply-adds change.
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

// A phi of a loop's header with everything that flows from it inside the loop: multiply-adds that
// add to it, and phis. At every point exactly one version of it is alive, so the matrix can live in
// memory and its multiply-adds can be done later, in order.
struct AccumulatorWeb {
  llvm::PHINode* root;
  llvm::Value* initial;  // from the preheader
  MulAdd op;
  llvm::SmallVector<llvm::Instruction*, 8> values;  // root, phis and multiply-adds
  std::vector<MulAddGroup> groups;                  // in reverse post-order
  llvm::SmallVector<llvm::PHINode*, 2> exit_phis;   // LCSSA phis that stand for its last version
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

}  // namespace jit::coopmat
