// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/expand_halves.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/math/half.h"
#include "jit/math/lanes.h"

namespace jit {
namespace {

using math::Term;

bool isHalf(const llvm::Value* v) { return v->getType()->getScalarType()->isHalfTy(); }

// How many floats a function takes and returns in registers of 128 bits, as all machines have.
constexpr uint32_t kLanes = 16;

// The internal function `name` of one argument, made of `body`; not inlined, for short code.
llvm::Function* define(llvm::Module& module, llvm::StringRef name, llvm::Type* from, llvm::Type* to,
                       Term (*body)(Term)) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(from);
  const std::string full_name =
      (name + (vector ? ".v" + std::to_string(vector->getNumElements()) : "")).str();
  if (llvm::Function* function = module.getFunction(full_name)) return function;
  auto* function = llvm::Function::Create(llvm::FunctionType::get(to, {from}, false),
                                          llvm::Function::InternalLinkage, full_name, module);
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn})
    function->addFnAttr(kind);
  function->setDoesNotAccessMemory();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  builder.CreateRet(body(Term(builder, function->getArg(0))));
  return function;
}

class Expansion {
 public:
  explicit Expansion(llvm::Module& module) : module_(module), ir_(module.getContext()) {}

  void run(llvm::BasicBlock& block) {
    wide_.clear();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) expand(instruction);
  }

 private:
  void expand(llvm::Instruction& instruction) {
    ir_.SetInsertPoint(&instruction);
    llvm::Value* result = replacement(instruction);
    if (!result) return;
    result->takeName(&instruction);
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }

  // Null: the instruction stays as it is.
  llvm::Value* replacement(llvm::Instruction& i) {
    const bool gives_half = isHalf(&i);
    const bool takes_half = i.getNumOperands() > 0 && isHalf(i.getOperand(0));
    if (!gives_half && !takes_half) return nullptr;
    switch (i.getOpcode()) {
      case llvm::Instruction::FAdd:
      case llvm::Instruction::FSub:
      case llvm::Instruction::FMul:
      case llvm::Instruction::FDiv:
        return narrow(ir_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(i).getOpcode(),
                                      wide(i.getOperand(0)), wide(i.getOperand(1))));
      case llvm::Instruction::FNeg:
        return withBits(i.getOperand(0), [](Term x) { return x ^ x.integer(0x8000); });
      case llvm::Instruction::FCmp:
        return ir_.CreateFCmp(llvm::cast<llvm::FCmpInst>(i).getPredicate(), wide(i.getOperand(0)),
                              wide(i.getOperand(1)));
      case llvm::Instruction::FPExt:
        return ir_.CreateFPExt(wide(i.getOperand(0)), i.getType());
      case llvm::Instruction::FPTrunc:
        return isFloat(i.getOperand(0)) ? narrow(i.getOperand(0)) : nullptr;
      // Integers that binary32 rounds are infinite as halves.
      case llvm::Instruction::SIToFP:
        return narrow(ir_.CreateSIToFP(i.getOperand(0), floatsLike(&i)));
      case llvm::Instruction::UIToFP:
        return narrow(ir_.CreateUIToFP(i.getOperand(0), floatsLike(&i)));
      case llvm::Instruction::FPToSI:
        return ir_.CreateFPToSI(wide(i.getOperand(0)), i.getType());
      case llvm::Instruction::FPToUI:
        return ir_.CreateFPToUI(wide(i.getOperand(0)), i.getType());
      case llvm::Instruction::Call:
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return intrinsic(*call);
        return nullptr;
      default:
        return nullptr;  // moves bits
    }
  }

  llvm::Value* intrinsic(llvm::IntrinsicInst& call) {
    const llvm::Intrinsic::ID id = call.getIntrinsicID();
    switch (id) {
      case llvm::Intrinsic::fabs:
        return withBits(call.getArgOperand(0), [](Term x) { return x & 0x7fff; });
      case llvm::Intrinsic::copysign:
        return withBits(call.getArgOperand(0), [&](Term x) {
          return (x & 0x7fff) | (Term(ir_, call.getArgOperand(1)).bits() & 0x8000);
        });
      case llvm::Intrinsic::fma:  // the product is exact
        return narrow(
            ir_.CreateFAdd(ir_.CreateFMul(wide(call.getArgOperand(0)), wide(call.getArgOperand(1))),
                           wide(call.getArgOperand(2))));
      case llvm::Intrinsic::fptosi_sat:
      case llvm::Intrinsic::fptoui_sat: {
        llvm::Value* x = wide(call.getArgOperand(0));
        return ir_.CreateIntrinsic(id, {call.getType(), x->getType()}, {x});
      }
      case llvm::Intrinsic::sqrt:
      case llvm::Intrinsic::floor:
      case llvm::Intrinsic::ceil:
      case llvm::Intrinsic::trunc:
      case llvm::Intrinsic::rint:
      case llvm::Intrinsic::nearbyint:
      case llvm::Intrinsic::roundeven:
      case llvm::Intrinsic::minnum:
      case llvm::Intrinsic::maxnum: {
        llvm::SmallVector<llvm::Value*, 2> arguments;
        for (llvm::Value* argument : call.args()) arguments.push_back(wide(argument));
        return narrow(ir_.CreateIntrinsic(id, {arguments[0]->getType()}, arguments));
      }
      default:
        return nullptr;
    }
  }

  llvm::Value* wide(llvm::Value* half) {
    if (llvm::isa<llvm::Constant>(half)) return ir_.CreateFPExt(half, floatsLike(half));
    llvm::Value*& value = wide_[half];
    if (!value) value = map("tessera.half_to_float", half, ir_.getFloatTy(), math::halfToFloat);
    return value;
  }
  llvm::Value* narrow(llvm::Value* x) {
    return map("tessera.float_to_half", x, ir_.getHalfTy(), math::floatToHalf);
  }

  // `body` of each element of x.
  llvm::Value* map(llvm::StringRef name, llvm::Value* x, llvm::Type* to, Term (*body)(Term)) {
    auto call = [&](llvm::Value* v) {
      return ir_.CreateCall(define(module_, name, v->getType(), Term(ir_, v).like(to), body), {v});
    };
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
    const uint32_t lanes = vector ? vector->getNumElements() : 1;
    if (lanes <= kLanes) return call(x);
    llvm::SmallVector<llvm::Value*, 16> parts;
    for (uint32_t first = 0; first < lanes; first += kLanes)
      parts.push_back(call(math::slice(ir_, x, first, std::min(kLanes, lanes - first))));
    return math::concatenate(ir_, parts);
  }

  template <typename Function>
  llvm::Value* withBits(llvm::Value* half, Function function) {
    return function(Term(ir_, half).bits()).asFloat();
  }

  llvm::Type* floatsLike(llvm::Value* v) { return Term(ir_, v).like(ir_.getFloatTy()); }
  static bool isFloat(const llvm::Value* v) { return v->getType()->getScalarType()->isFloatTy(); }

  llvm::Module& module_;
  llvm::IRBuilder<> ir_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> wide_;  // what is widened already in this block
};

}  // namespace

void expandHalves(llvm::Module& module) {
  Expansion expansion(module);
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) expansion.run(block);
  }
}

}  // namespace jit
