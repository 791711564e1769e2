// SPDX-License-Identifier: Apache-2.0

// What LLVM's passes are told of the memories that pointers lead to (jit/ir/memories.h).
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/PassManager.h>

namespace jit {

// Accesses of different memories are apart: a store to workgroup memory leaves what is read of the
// application's buffers as it was. Those are one memory, by whatever pointer.
class MemoryAliases : public llvm::AAResultBase {
 public:
  // LLVM finds these by name: NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b,
                          llvm::AAQueryInfo& query, const llvm::Instruction* at);
  bool invalidate(llvm::Function& function, const llvm::PreservedAnalyses& preserved,
                  llvm::FunctionAnalysisManager::Invalidator& invalidator);
};

class MemoryAliasAnalysis : public llvm::AnalysisInfoMixin<MemoryAliasAnalysis> {
 public:
  using Result = MemoryAliases;
  MemoryAliases run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  friend llvm::AnalysisInfoMixin<MemoryAliasAnalysis>;
  static llvm::AnalysisKey Key;  // NOLINT(readability-identifier-naming): LLVM's name
};

}  // namespace jit
