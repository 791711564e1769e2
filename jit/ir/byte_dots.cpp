// SPDX-License-Identifier: Apache-2.0

#include "jit/ir/byte_dots.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/ir/function_kind.h"
#include "runtime/cpu_features.h"

namespace jit {

bool hasByteDots(const rt::CpuFeatures& features, unsigned lanes) {
  return features.avx2 && lanes % 8 == 0;
}

llvm::Value* emitByteDot(llvm::IRBuilderBase& builder, const ByteDot& dot) {
  llvm::Type* vector = dot.a->getType();
  llvm::Type* bit = builder.getInt1Ty();
  const auto key = FunctionKey(FunctionKind::ByteDot)
                       .add(llvm::cast<llvm::FixedVectorType>(vector)->getNumElements());
  auto* type = llvm::FunctionType::get(vector, {vector, vector, bit, bit}, false);
  llvm::Function* function = declareFunction(*builder.GetInsertBlock()->getModule(), key, type);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setSpeculatable();
  return builder.CreateCall(
      function, {dot.a, dot.b, builder.getInt1(dot.a_signed), builder.getInt1(dot.b_signed)});
}

std::optional<ByteDot> byteDotOf(llvm::Value* value) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  if (call == nullptr || call->getCalledFunction() == nullptr ||
      kindOf(*call->getCalledFunction()) != FunctionKind::ByteDot)
    return std::nullopt;
  auto isSet = [&](unsigned argument) {
    return llvm::cast<llvm::ConstantInt>(call->getArgOperand(argument))->isOne();
  };
  return ByteDot{call->getArgOperand(0), call->getArgOperand(1), isSet(2), isSet(3)};
}

}  // namespace jit
