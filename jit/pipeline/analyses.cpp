// SPDX-License-Identifier: Apache-2.0

#include "jit/pipeline/analyses.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Target/TargetMachine.h>
#if LLVM_VERSION_MAJOR >= 20
#include <llvm/Analysis/LastRunTrackingAnalysis.h>
#endif

#include "jit/base/containment.h"
#include "jit/pipeline/memory_aliases.h"

namespace jit {

Analyses::Analyses(llvm::TargetMachine& machine) {
  callbacks_.registerBeforeNonSkippedPassCallback(
      [](llvm::StringRef, const llvm::Any&) { heedTimeLimit(); });
  functions_.registerPass([&] { return machine.getTargetIRAnalysis(); });
  functions_.registerPass([&] {
    // Kernels call no C library: no pass may take a function for one of its, or make calls of it.
    llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
    library.disableAllFunctions();
    return llvm::TargetLibraryAnalysis(library);
  });
  functions_.registerPass([] {
    llvm::AAManager aliases;
    aliases.registerFunctionAnalysis<llvm::BasicAA>();
    aliases.registerFunctionAnalysis<llvm::ScopedNoAliasAA>();
    aliases.registerFunctionAnalysis<MemoryAliasAnalysis>();
    return aliases;
  });
  functions_.registerPass([] { return llvm::BasicAA(); });
  functions_.registerPass([] { return llvm::ScopedNoAliasAA(); });
  functions_.registerPass([] { return MemoryAliasAnalysis(); });
  functions_.registerPass([] { return llvm::AssumptionAnalysis(); });
  functions_.registerPass([] { return llvm::BlockFrequencyAnalysis(); });
  functions_.registerPass([] { return llvm::BranchProbabilityAnalysis(); });
  functions_.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  functions_.registerPass([] { return llvm::PostDominatorTreeAnalysis(); });
  functions_.registerPass([] { return llvm::LoopAnalysis(); });
  functions_.registerPass([] { return llvm::ScalarEvolutionAnalysis(); });
  functions_.registerPass([] { return llvm::MemorySSAAnalysis(); });
  functions_.registerPass([] { return llvm::OptimizationRemarkEmitterAnalysis(); });
  functions_.registerPass([&] { return llvm::PassInstrumentationAnalysis(&callbacks_); });
#if LLVM_VERSION_MAJOR >= 20
  functions_.registerPass([] { return llvm::LastRunTrackingAnalysis(); });
#endif
  functions_.registerPass([&] { return llvm::ModuleAnalysisManagerFunctionProxy(modules_); });
  modules_.registerPass([] { return llvm::ProfileSummaryAnalysis(); });
  modules_.registerPass([&] { return llvm::PassInstrumentationAnalysis(&callbacks_); });
}

}  // namespace jit
