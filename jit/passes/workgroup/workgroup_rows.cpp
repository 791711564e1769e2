// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/workgroup_rows.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/ir/marks.h"

namespace jit::simt {
namespace {

// Of all loops around an instruction together.
constexpr unsigned kMaxIterationsInRow = 32;

// Right as-if: no invocation can observe when it runs.
bool isAlone(const llvm::Instruction& i) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
    return (llvm::isa<llvm::IntrinsicInst>(call) || call->doesNotAccessMemory()) &&
           !call->isConvergent();
  return !i.isAtomic() && !i.isVolatile();
}

// Lanes that are far from each other are as near to those of the next row.
bool isFarApart(const llvm::Instruction& i) {
  const auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return access != nullptr &&
         (access->getIntrinsicID() == llvm::Intrinsic::masked_gather ||
          access->getIntrinsicID() == llvm::Intrinsic::masked_scatter) &&
         !access->hasMetadata(kBehindTest);
}

bool hasFewIterations(const llvm::Loop& loop, llvm::ScalarEvolution& iterations, unsigned most) {
  const unsigned count = iterations.getSmallConstantMaxTripCount(&loop);
  if (count == 0 || count > most) return false;
  return llvm::all_of(loop, [&](const llvm::Loop* inner) {
    return hasFewIterations(*inner, iterations, most / count);
  });
}

}  // namespace

bool canRunInRows(llvm::Function& subgroup, llvm::FunctionAnalysisManager& analyses) {
  constexpr unsigned kShared = 1;  // the argument (jit/emit/emitter.h)
  if (!subgroup.getArg(kShared)->use_empty() ||
      !llvm::all_of(llvm::instructions(subgroup),
                    [](const llvm::Instruction& i) { return isAlone(i) && !isFarApart(i); }))
    return false;
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(subgroup);
  if (loops.empty()) return true;
  auto& iterations = analyses.getResult<llvm::ScalarEvolutionAnalysis>(subgroup);
  return llvm::all_of(loops, [&](const llvm::Loop* loop) {
    return hasFewIterations(*loop, iterations, kMaxIterationsInRow);
  });
}

}  // namespace jit::simt
