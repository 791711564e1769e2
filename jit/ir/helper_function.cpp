// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/helper_function.h"

#include <numeric>

namespace jit::ukernel {

llvm::Function* createHelperFunction(const HelperScope& scope, const FunctionKey& key,
                                     llvm::FunctionType* type, llvm::MemoryEffects memory) {
  auto* function =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, key.name(), scope.module);
  setKey(*function, key);
  for (llvm::StringRef kind : {"target-cpu", "target-features", "frame-pointer"}) {
    if (scope.like.hasFnAttribute(kind)) function->addFnAttr(scope.like.getFnAttribute(kind));
  }
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn,
        llvm::Attribute::NoSync, llvm::Attribute::NoFree}) {
    function->addFnAttr(kind);
  }
  function->setMemoryEffects(memory);
  llvm::BasicBlock::Create(scope.module.getContext(), "entry", function);
  return function;
}

llvm::Function* helperFunction(const HelperScope& scope, const FunctionKey& key,
                               llvm::ArrayRef<llvm::Type*> parameters,
                               const std::function<void(llvm::IRBuilder<>&, llvm::Function&)>& emit,
                               llvm::MemoryEffects memory) {
  if (llvm::Function* function = findFunction(scope.module, key)) return function;
  llvm::Type* nothing = llvm::Type::getVoidTy(scope.module.getContext());
  llvm::Function* function = createHelperFunction(
      scope, key, llvm::FunctionType::get(nothing, parameters, /*isVarArg=*/false), memory);
  for (llvm::Argument& argument : function->args()) {
    if (argument.getType()->isPointerTy()) argument.addAttr(llvm::Attribute::NoAlias);
  }
  llvm::IRBuilder<> builder(&function->getEntryBlock());
  emit(builder, *function);
  builder.CreateRetVoid();
  return function;
}

bool isHelperFunction(const llvm::Function& function) {
  const std::optional<FunctionKind> kind = kindOf(function);
  return kind && isHelper(*kind);
}

void emitLoop(llvm::IRBuilder<>& builder, llvm::Value* count, uint64_t step,
              const std::function<void(llvm::Value* i)>& body) {
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* loop = llvm::BasicBlock::Create(builder.getContext(), "loop", function);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "after", function);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* i = builder.CreatePHI(builder.getInt64Ty(), 2, "i");
  i->addIncoming(builder.getInt64(0), before);
  body(i);
  llvm::Value* next = builder.CreateNUWAdd(i, builder.getInt64(step));
  i->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loop, after);
  builder.SetInsertPoint(after);
}

void emitIf(llvm::IRBuilder<>& builder, llvm::Value* condition, llvm::function_ref<void()> body) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* then = llvm::BasicBlock::Create(builder.getContext(), "then", function);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "after", function);
  builder.CreateCondBr(condition, then, after);
  builder.SetInsertPoint(then);
  body();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

uint32_t linesPerIteration(uint32_t count, uint32_t together) {
  constexpr uint32_t kLines = 4;
  const uint32_t lines = std::lcm(kLines, together);
  return count % lines == 0 ? lines : count;
}

llvm::SmallVector<llvm::Value*> emitIterations(
    llvm::IRBuilder<>& builder, uint32_t count, llvm::ArrayRef<llvm::Value*> start,
    llvm::function_ref<llvm::SmallVector<llvm::Value*>(llvm::ArrayRef<llvm::Value*>)> body) {
  if (count == 1) return body(start);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(builder.getContext(), "loop", before->getParent());
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "after", before->getParent());
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  auto phi = [&](llvm::Value* value) {
    llvm::PHINode* node = builder.CreatePHI(value->getType(), 2);
    node->addIncoming(value, before);
    return node;
  };
  llvm::PHINode* left = phi(builder.getInt64(count));
  llvm::SmallVector<llvm::Value*> values;
  for (llvm::Value* value : start) values.push_back(phi(value));
  llvm::SmallVector<llvm::Value*> next = body(values);
  llvm::BasicBlock* latch = builder.GetInsertBlock();
  for (auto [value, following] : llvm::zip_equal(values, next)) {
    llvm::cast<llvm::PHINode>(value)->addIncoming(following, latch);
  }
  llvm::Value* remaining = builder.CreateSub(left, builder.getInt64(1));
  left->addIncoming(remaining, latch);
  builder.CreateCondBr(builder.CreateIsNotNull(remaining), loop, after);
  builder.SetInsertPoint(after);
  return next;
}

void emitPrefetchToSecondLevel(llvm::IRBuilderBase& builder, llvm::Value* address) {
  builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                          {address, builder.getInt32(0), builder.getInt32(2), builder.getInt32(1)});
}

void emitPrefetchesToSecondLevel(llvm::IRBuilderBase& builder, llvm::Value* base, int64_t begin,
                                 int64_t end) {
  for (int64_t at = begin; at < end; at += kCacheLine)
    emitPrefetchToSecondLevel(builder, offsetBy(builder, base, static_cast<uint64_t>(at)));
}

llvm::Value* offsetBy(llvm::IRBuilderBase& builder, llvm::Value* base, llvm::Value* bytes) {
  return builder.CreatePtrAdd(base, bytes);
}

llvm::Value* offsetBy(llvm::IRBuilderBase& builder, llvm::Value* base, uint64_t bytes) {
  return bytes == 0 ? base : builder.CreatePtrAdd(base, builder.getInt64(bytes));
}

}  // namespace jit::ukernel
