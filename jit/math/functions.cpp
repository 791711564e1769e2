// SPDX-License-Identifier: Apache-2.0

#include "jit/math/functions.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "jit/ir/helper_function.h"
#include "jit/ir/lanes.h"
#include "jit/math/function_body.h"

namespace jit::math {
namespace {

struct Row {
  llvm::StringLiteral name;
  Term (*unary)(const Body&, Term);
  Term (*binary)(const Body&, Term, Term);
};

constexpr Row kRows[] = {
#define UNARY(name) {#name, math::name, nullptr},
#define BINARY(name) {#name, nullptr, math::name},
#include "jit/math/functions.def"
};

// How many vector registers a function can return (System V ABI as LLVM extends it): with more,
// the result goes through memory.
constexpr uint32_t kResultRegisters = 4;

llvm::Function* define(llvm::IRBuilderBase& caller, const Target& target, Function which,
                       llvm::ArrayRef<llvm::Value*> arguments) {
  const Row& row = kRows[static_cast<size_t>(which)];
  const ukernel::HelperScope scope{*caller.GetInsertBlock()->getModule(),
                                   *caller.GetInsertBlock()->getParent()};
  llvm::Type* type = arguments[0]->getType();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  FunctionKey key(FunctionKind::Math);
  key.add(static_cast<uint64_t>(which), row.name);
  key.add(type->getScalarType(), type->getScalarType()->isDoubleTy() ? "f64" : "f32");
  if (vector) key.add(vector->getNumElements(), "v" + llvm::Twine(vector->getNumElements()));
  if (llvm::Function* function = findFunction(scope.module, key)) return function;
  llvm::SmallVector<llvm::Type*, 2> parameters(arguments.size(), type);
  llvm::Function* function = ukernel::createHelperFunction(
      scope, key, llvm::FunctionType::get(type, parameters, false), llvm::MemoryEffects::none());
  llvm::IRBuilder<> builder(&function->getEntryBlock());
  const Body body{target.features.fma, scope.module};
  Term x(builder, function->getArg(0));
  builder.CreateRet(row.unary ? row.unary(body, x)
                              : row.binary(body, x, Term(builder, function->getArg(1))));
  return function;
}

}  // namespace

llvm::Value* call(llvm::IRBuilderBase& builder, const Target& target, Function function,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
  const uint32_t lanes = vector ? vector->getNumElements() : 1;
  const uint32_t most =
      kResultRegisters * target.vector_bytes / (arguments[0]->getType()->getScalarSizeInBits() / 8);
  if (lanes <= most)
    return builder.CreateCall(define(builder, target, function, arguments), arguments);
  llvm::SmallVector<llvm::Value*, 16> parts;
  for (uint32_t first = 0; first < lanes; first += most) {
    llvm::SmallVector<llvm::Value*, 2> part;
    for (llvm::Value* argument : arguments)
      part.push_back(slice(builder, argument, first, std::min(most, lanes - first)));
    parts.push_back(builder.CreateCall(define(builder, target, function, part), part));
  }
  return llvm::concatenateVectors(builder, parts);
}

bool isCall(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && kindOf(*callee) == FunctionKind::Math;
}

}  // namespace jit::math
