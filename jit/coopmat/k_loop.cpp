// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/k_loop.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/delayed_loads.h"
#include "jit/coopmat/k_blocked_gemm.h"
#include "jit/coopmat/product_order.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/ir/marks.h"
#include "jit/ir/remarks.h"

namespace jit::coopmat {
namespace {

bool hasMultiplyAdds(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](llvm::Instruction& instruction) {
    return matchMulAdd(&instruction).has_value();
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
    std::optional<AccumulatorWeb> web = findAccumulatorWeb(phi, loop, blocksInOrder(loop), &why);
    if (!web) return why.str();
    const bool is_printed = llvm::any_of(web->reads, [](const llvm::Use* use) {
      return llvm::cast<llvm::Instruction>(use->getUser())->hasMetadata(kPrinted);
    });
    if (is_printed) return "the loop prints the accumulator, so that it is needed in each round";
    if (!web->reads.empty() || !web->writes.empty())
      return "the loop reads or changes the accumulator before it adds the next product, and no "
             "other accumulator of the loop shares the operands";
    return "no microkernel takes blocks of these types";
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
  if (!hasMultiplyAdds(function)) return false;
  simplifyLoops(function, analyses);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  orderProducts(function, loops, dominators);
  const WorkgroupReads reads(function);
  delayLoads(function, reads);
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::SmallVector<llvm::BasicBlock*> order = blocksInOrder(*loop);
    std::vector<AccumulatorWeb> webs = findAccumulatorWebs(*loop, order, target);
    if (webs.empty()) continue;
    const OperandFreedom freedom{isPure(order), reads.areTheSameIn(*loop->getHeader())};
    deferMultiplyAdds(arrangeInGrids(webs), loop, freedom, loops, dominators, target, frame,
                      variables);
  }
  const WorkgroupReads reads_of_chains(function);
  for (llvm::BasicBlock* block :
       llvm::SmallVector<llvm::BasicBlock*>(llvm::make_pointer_range(function))) {
    std::vector<AccumulatorWeb> chains = findChains(*block, target);
    if (chains.empty()) continue;
    const OperandFreedom freedom{isPure({block}), reads_of_chains.areTheSameIn(*block)};
    deferMultiplyAdds(arrangeInGrids(chains), nullptr, freedom, loops, dominators, target, frame,
                      variables);
  }
  if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  remarkOnProducts(function, analyses);
  return true;
}

}  // namespace jit::coopmat
