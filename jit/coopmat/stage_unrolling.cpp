// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/stage_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/in_place.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/passes/code/unroll.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;

bool isInnerLoop(const llvm::Loop& loop) { return loop.isInnermost() && loop.getParentLoop(); }

bool hasMultiplyAdds(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](BasicBlock* block) {
    return llvm::any_of(*block, [](auto& instruction) { return matchMulAdd(&instruction); });
  });
}

// How often the body runs; 0 where that is not known. A header that leaves the loop runs once more.
unsigned iterations(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  const BasicBlock* header = loop.getHeader();
  const bool leaves = loop.getExitingBlock() == header && loop.getLoopLatch() != header;
  return trips != 0 && leaves ? trips - 1 : trips;
}

bool gainsByUnrolling(const llvm::Loop& loop, const Target& target,
                      llvm::ScalarEvolution& evolution) {
  if (!isInnerLoop(loop) || !hasMultiplyAdds(loop)) return false;
  const unsigned count = iterations(loop, evolution);
  if (count == 0) return false;
  const std::vector<AccumulatorWeb> webs = findAccumulatorWebs(loop, blocksInOrder(loop), target);
  return llvm::any_of(arrangeInGrids(webs), [&](const TileGrid& grid) {
    const ukernel::Row& row = *ukernel::select(grid.op(), target);
    return !operandsInPlace(grid, row) && operandsInPlace(grid, row, count);
  });
}

}  // namespace

bool unrollStages(llvm::Function& function, const Target& target,
                  llvm::FunctionAnalysisManager& analyses) {
  const auto& found = analyses.getResult<llvm::LoopAnalysis>(function);
  if (llvm::none_of(found.getLoopsInPreorder(), [](const llvm::Loop* loop) {
        return isInnerLoop(*loop) && hasMultiplyAdds(*loop);
      }))
    return false;
  simplifyLoops(function, analyses);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  return unrollLoops(function, analyses,
                     [&](llvm::Loop& loop) { return gainsByUnrolling(loop, target, evolution); });
}

}  // namespace jit::coopmat
