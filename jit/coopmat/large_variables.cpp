// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/large_variables.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/coopmat/accumulator_web.h"
#include "jit/coopmat/large_values.h"
#include "jit/coopmat/matrix_variables.h"

namespace jit::coopmat {

void keepLargeVariablesInFrame(llvm::Function& function, uint32_t lanes, KernelFrame& frame,
                               llvm::FunctionAnalysisManager& analyses) {
  const MatrixValues matrices(function);
  auto is_large = [&](const llvm::Instruction& access) {
    return isTooLarge(llvm::getLoadStoreType(&access), lanes, matrices.isWhole(access));
  };
  llvm::SmallVector<llvm::AllocaInst*> moved;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && VariableUses(*variable, is_large).wholeAndInParts()) moved.push_back(variable);
  }
  if (moved.empty()) return;
  simplifyLoops(function, analyses);
  for (llvm::AllocaInst* variable : moved) {
    VariableUses uses(*variable, is_large);
    uses.splitAroundLoops(analyses.getResult<llvm::LoopAnalysis>(function),
                          [](const llvm::Loop&) { return true; });
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::AllocaInst* variable : moved) {
    const uint64_t bytes = variable->getAllocationSize(layout)->getFixedValue();
    llvm::IRBuilder<> builder(variable);
    llvm::Value* address = builder.CreatePtrAdd(function.getArg(kFrameArgument),
                                                builder.getInt64(frame.allocate(bytes, 64)));
    address->takeName(variable);
    variable->replaceAllUsesWith(address);
    variable->eraseFromParent();
  }
}

}  // namespace jit::coopmat
