// SPDX-License-Identifier: Apache-2.0

#include "jit/pipeline/memory_aliases.h"

#include <llvm/Analysis/MemoryLocation.h>

#include "jit/ir/memories.h"

namespace jit {
namespace {

Memories memoriesOf(const llvm::MemoryLocation& location) {
  const Memories memories = memoriesBehind(*location.Ptr);
  return (memories & kClient) != 0 ? memories | kClient : memories;
}

}  // namespace

llvm::AliasResult MemoryAliases::alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                                       llvm::AAQueryInfo&, const llvm::Instruction*) {
  const bool are_apart = (memoriesOf(a) & memoriesOf(b)) == 0;
  return are_apart ? llvm::AliasResult::NoAlias : llvm::AliasResult::MayAlias;
}

// It has no state.
bool MemoryAliases::invalidate(llvm::Function&, const llvm::PreservedAnalyses&,
                               llvm::FunctionAnalysisManager::Invalidator&) {
  return false;
}

MemoryAliases MemoryAliasAnalysis::run(llvm::Function&, llvm::FunctionAnalysisManager&) {
  return MemoryAliases();
}

llvm::AnalysisKey MemoryAliasAnalysis::Key;

}  // namespace jit
