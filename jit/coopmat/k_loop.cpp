// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/k_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/k_blocked_gemm.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/ir/remarks.h"

namespace jit::coopmat {
namespace {

bool hasMatrixLoops(llvm::Function& function, const llvm::LoopInfo& loops) {
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    return loops.getLoopFor(instruction.getParent()) && matchMulAdd(&instruction);
  });
}

// What a multiply-add of a loop adds to: a phi of the loop's header, or else what is there instead.
llvm::Value* accumulatorOf(const MulAddCall& step, const llvm::Loop& loop) {
  llvm::Value* value = step.c;
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  while (seen.insert(value).second) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || !loop.contains(instruction)) break;
    if (std::optional<MulAddCall> earlier = matchMulAdd(instruction)) {
      value = earlier->c;
    } else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
               phi != nullptr && phi->getParent() != loop.getHeader()) {
      value = phi->getIncomingValue(0);
    } else {
      break;
    }
  }
  return value;
}

// Why a multiply-add is not deferred.
std::string whyNot(const MulAddCall& step, const llvm::Loop& loop) {
  llvm::Value* accumulator = accumulatorOf(step, loop);
  auto* phi = llvm::dyn_cast<llvm::PHINode>(accumulator);
  if (phi != nullptr && phi->getParent() == loop.getHeader()) {
    llvm::StringRef why;
    if (findAccumulatorWeb(phi, loop, blocksInOrder(loop), &why))
      return "no microkernel takes blocks of these types";
    return why.str();
  }
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(accumulator);
  if (instruction == nullptr || !loop.contains(instruction))
    return "it adds to what the loop does not change, so that nothing is summed up";
  return "its accumulator is in memory: an array of matrices at an index that is not known when "
         "the "
         "shader is compiled, or a matrix that the loop changes otherwise";
}

// Remarks on the multiply-adds of loops that are left.
void remarkOnProducts(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Loop* loop = loops.getLoopFor(instruction.getParent());
    if (loop == nullptr || !loop->isLoopSimplifyForm()) continue;
    if (std::optional<MulAddCall> step = matchMulAdd(&instruction))
      declined("schedule-k-loops", RemarkKind::ProductNotDeferred, instruction,
               [&] { return whyNot(*step, *loop); });
  }
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
    llvm::append_range(variables, deferMultiplyAdds(arrangeInGrids(webs), *loop, freedom, loops,
                                                    dominators, target, frame));
  }
  if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  remarkOnProducts(function, analyses);
  return true;
}

}  // namespace jit::coopmat
