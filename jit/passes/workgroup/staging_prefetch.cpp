// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/staging_prefetch.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/ir/function_kind.h"
#include "jit/ir/helper_function.h"
#include "jit/ir/memories.h"
#include "jit/passes/access/advance.h"
#include "jit/passes/access/masked_access.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Instruction;
using llvm::Value;

// Loads of less are many for what they fetch.
constexpr uint64_t kLeastBytes = 16;

}  // namespace

bool prefetchStagedLoads(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::Function* barrier =
      findFunction(*function.getParent(), FunctionKey(FunctionKind::Barrier));
  if (!barrier) return false;
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallPtrSet<const llvm::Loop*, 4> staging;  // innermost loops around barriers
  for (const llvm::User* call : barrier->users())
    staging.insert(loops.getLoopFor(llvm::cast<Instruction>(call)->getParent()));

  bool changed = false;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const llvm::Loop* loop = loops.getLoopFor(instruction.getParent());
    while (loop && !staging.contains(loop)) loop = loop->getParentLoop();
    Value* pointer = loop ? vectorReadFrom(instruction) : nullptr;
    if (!pointer) continue;
    const uint64_t bytes = instruction.getDataLayout().getTypeStoreSize(instruction.getType());
    if (bytes < kLeastBytes || !leadsOnlyTo(*pointer, kDescribed)) continue;
    Value* advance = Advance(*loop).of(pointer);
    if (!advance || match(advance, m_Zero())) continue;
    llvm::IRBuilder<> builder(&instruction);
    Value* next = builder.CreatePtrAdd(pointer, advance);
    // The next tile beside the current one would not fit the first level.
    ukernel::emitPrefetchesToSecondLevel(builder, next, 0, static_cast<int64_t>(bytes));
    changed = true;
  }
  return changed;
}

}  // namespace jit::simt
