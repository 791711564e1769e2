// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/k_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/deferred_product.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/coopmat/tile_grid.h"

namespace jit::coopmat {
namespace {

bool hasMatrixLoops(llvm::Function& function, const llvm::LoopInfo& loops) {
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    return loops.getLoopFor(instruction.getParent()) && matchMulAdd(&instruction);
  });
}

}  // namespace

bool runKLoopScheduling(llvm::Function& function, const Target& target, KernelFrame& frame,
                        llvm::FunctionAnalysisManager& analyses) {
  if (!hasMatrixLoops(function, analyses.getResult<llvm::LoopAnalysis>(function))) return false;
  simplifyLoops(function, analyses);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::SmallVector<llvm::BasicBlock*> order = blocksInOrder(*loop);
    std::vector<AccumulatorWeb> webs = findAccumulatorWebs(*loop, order, target);
    if (webs.empty()) continue;
    const OperandFreedom freedom{isPure(order), readsTheSameInAllWorkgroups(function, *loop)};
    llvm::append_range(variables, deferProducts(arrangeInGrids(webs), *loop, freedom, loops,
                                                dominators, target, frame));
  }
  if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return true;
}

}  // namespace jit::coopmat
