// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/short_rows.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Module.h>

#include "jit/passes/access/loop_steps.h"
#include "jit/passes/access/masked_access.h"
#include "jit/passes/code/unroll.h"

namespace jit::simt {
namespace {

constexpr unsigned kMaxIterations = 16;
constexpr size_t kMaxUnrolled = 1024;  // after unrolling

bool walksOverNeighbours(llvm::Loop& loop) {
  LoopSteps steps(loop);
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& i : *block) {
      const auto access = matchMaskedAccess(i);
      if (!access || !access->isApart()) continue;
      const auto step = steps.of(*access->pointers);
      const llvm::TypeSize bytes =
          i.getDataLayout().getTypeStoreSize(access->type()->getElementType());
      if (step && step->step == static_cast<int64_t>(bytes.getFixedValue())) return true;
    }
  }
  return false;
}

}  // namespace

bool unrollShortRows(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return unrollLoops(function, analyses, [&](llvm::Loop& loop) {
    if (!loop.isInnermost() || loop.getLoopLatch() == nullptr) return false;
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    unsigned iterations = evolution.getSmallConstantTripCount(&loop);
    // Their last time is only the test.
    if (loop.getExitingBlock() == loop.getHeader() && iterations > 0) --iterations;
    if (iterations < 2 || iterations > kMaxIterations) return false;
    size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) instructions += block->size();
    return instructions * iterations <= kMaxUnrolled && walksOverNeighbours(loop);
  });
}

}  // namespace jit::simt
