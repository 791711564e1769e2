// SPDX-License-Identifier: Apache-2.0

#include "jit/math/functions.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

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

constexpr llvm::StringLiteral kPrefix = "tessera.math.";

// How many vector registers a function can return (System V ABI as LLVM extends it): with more,
// the result goes through memory.
constexpr uint32_t kResultRegisters = 4;

llvm::Function* define(llvm::Module& module, const Target& target, const Row& row,
                       llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* type = arguments[0]->getType();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const std::string name =
      (kPrefix + row.name + (type->getScalarType()->isDoubleTy() ? ".f64" : ".f32")).str() +
      (vector ? ".v" + std::to_string(vector->getNumElements()) : "");
  if (llvm::Function* function = module.getFunction(name)) return function;
  llvm::SmallVector<llvm::Type*, 2> parameters(arguments.size(), type);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(type, parameters, false),
                                          llvm::Function::InternalLinkage, name, module);
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn,
        llvm::Attribute::NoSync, llvm::Attribute::NoFree})
    function->addFnAttr(kind);
  function->setDoesNotAccessMemory();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  const Body body{target.features.fma, module};
  Term x(builder, function->getArg(0));
  builder.CreateRet(row.unary ? row.unary(body, x)
                              : row.binary(body, x, Term(builder, function->getArg(1))));
  return function;
}

}  // namespace

llvm::Value* call(llvm::IRBuilderBase& builder, const Target& target, Function function,
                  llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const Row& row = kRows[static_cast<size_t>(function)];
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
  const uint32_t lanes = vector ? vector->getNumElements() : 1;
  const uint32_t most =
      kResultRegisters * target.vector_bytes / (arguments[0]->getType()->getScalarSizeInBits() / 8);
  if (lanes <= most) return builder.CreateCall(define(module, target, row, arguments), arguments);
  llvm::SmallVector<llvm::Value*, 16> parts;
  for (uint32_t first = 0; first < lanes; first += most) {
    llvm::SmallVector<llvm::Value*, 2> part;
    for (llvm::Value* argument : arguments)
      part.push_back(slice(builder, argument, first, std::min(most, lanes - first)));
    parts.push_back(builder.CreateCall(define(module, target, row, part), part));
  }
  return llvm::concatenateVectors(builder, parts);
}

bool isCall(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(kPrefix);
}

}  // namespace jit::math
