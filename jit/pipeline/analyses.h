// SPDX-License-Identifier: Apache-2.0

// The analyses that the passes of jit/pipeline/passes.cpp ask for, registered by hand: LLVM's
// PassBuilder would bring every pass there is into the driver.
#pragma once

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
}

namespace jit {

class Analyses {
 public:
  explicit Analyses(llvm::TargetMachine& machine);

  llvm::FunctionAnalysisManager& functions() { return functions_; }

 private:
  llvm::PassInstrumentationCallbacks callbacks_;  // the passes heed the time limit
  llvm::FunctionAnalysisManager functions_;
  llvm::ModuleAnalysisManager modules_;
};

}  // namespace jit
