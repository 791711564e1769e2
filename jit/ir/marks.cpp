// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/marks.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/ir/function_kind.h"

namespace jit {
namespace {

void emitMark(llvm::IRBuilderBase& builder, FunctionKind kind) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(declareFunction(module, FunctionKey(kind), type));
}

}  // namespace

void markClearedWhenEntered(llvm::AllocaInst& variable) {
  variable.setMetadata(kClearedWhenEntered, llvm::MDNode::get(variable.getContext(), {}));
}

void emitSharedCodeBegin(llvm::IRBuilderBase& builder) {
  emitMark(builder, FunctionKind::SharedCodeBegin);
}
void emitSharedCodeEnd(llvm::IRBuilderBase& builder) {
  emitMark(builder, FunctionKind::SharedCodeEnd);
}

void markBehindTest(llvm::Instruction& access) {
  if (!access.hasMetadata(kBehindTest))
    access.setMetadata(kBehindTest, llvm::MDNode::getDistinct(access.getContext(), {}));
}

void markOfKernel(llvm::AllocaInst& variable) {
  variable.setMetadata(kOfKernel, llvm::MDNode::get(variable.getContext(), {}));
}

void markKeptInMemory(llvm::AllocaInst& variable) {
  variable.setMetadata(kKeptInMemory, llvm::MDNode::get(variable.getContext(), {}));
}

void markForDebuggers(llvm::Instruction& access) {
  access.setMetadata(kForDebuggers, llvm::MDNode::get(access.getContext(), {}));
}

void markPrinted(llvm::StoreInst& store) {
  store.setMetadata(kPrinted, llvm::MDNode::get(store.getContext(), {}));
}

}  // namespace jit
