// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/workgroup_order.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace jit::simt {
namespace {

bool tellsOrder(const llvm::Instruction& i) {
  // Volatile gathers and scatters stand behind a fence of one thread (Emission::keepInPlace).
  if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&i))
    return fence->getSyncScopeID() == llvm::SyncScope::SingleThread;
  return i.isAtomic() || i.isVolatile();
}

}  // namespace

bool canTellOrder(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), tellsOrder);
  });
}

}  // namespace jit::simt
