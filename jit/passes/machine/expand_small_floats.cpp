// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/expand_small_floats.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/ir/helper_function.h"
#include "jit/ir/lanes.h"
#include "jit/math/half.h"
#include "jit/math/rounding.h"

namespace jit {
namespace {

using math::Term;

bool isFloat(const llvm::Value* v) { return v->getType()->getScalarType()->isFloatTy(); }

// How many floats a function takes and returns in registers of 128 bits, as all machines have.
constexpr uint32_t kLanes = 16;

// The function of this kind for arguments of type `from`, made of `body`; not inlined, for short
// code.
llvm::Function* define(const ukernel::HelperScope& scope, FunctionKind kind, llvm::Type* from,
                       llvm::Type* to, Term (*body)(Term)) {
  FunctionKey key(kind);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(from))
    key.add(vector->getNumElements(), "v" + llvm::Twine(vector->getNumElements()));
  if (llvm::Function* function = findFunction(scope.module, key)) return function;
  llvm::Function* function = ukernel::createHelperFunction(
      scope, key, llvm::FunctionType::get(to, {from}, false), llvm::MemoryEffects::none());
  llvm::IRBuilder<> builder(&function->getEntryBlock());
  builder.CreateRet(body(Term(builder, function->getArg(0))));
  return function;
}

// What both formats have in common: computed in binary32, and rounded after each operation.
class Expansion {
 public:
  explicit Expansion(llvm::Module& module) : module_(module), ir_(module.getContext()) {}
  virtual ~Expansion() = default;

  void run() {
    for (llvm::Function& function : module_) {
      for (llvm::BasicBlock& block : function) {
        wide_.clear();
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
          expand(instruction);
      }
    }
  }

 protected:
  virtual bool isSmall(const llvm::Value* v) const = 0;
  virtual llvm::Value* widened(llvm::Value* small) = 0;  // to binary32, exactly
  // From binary32, or from another format than that; null: stays as it is.
  virtual llvm::Value* narrow(llvm::Value* x) = 0;
  virtual llvm::Value* narrowFromOther(llvm::Value* x) = 0;
  virtual llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) = 0;

  llvm::Module& module_;
  llvm::IRBuilder<> ir_;

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
    const bool takes_small = i.getNumOperands() > 0 && isSmall(i.getOperand(0));
    if (!isSmall(&i) && !takes_small) return nullptr;
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
        return isFloat(i.getOperand(0)) ? narrow(i.getOperand(0))
                                        : narrowFromOther(i.getOperand(0));
      // Integers that binary32 rounds are infinite as halves; to bfloat16 LLVM rounds twice, too.
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
      case llvm::Intrinsic::fma:
        return narrow(fma(wide(call.getArgOperand(0)), wide(call.getArgOperand(1)),
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

  llvm::Value* wide(llvm::Value* small) {
    if (llvm::isa<llvm::Constant>(small)) return ir_.CreateFPExt(small, floatsLike(small));
    llvm::Value*& value = wide_[small];
    if (!value) value = widened(small);
    return value;
  }

  template <typename Function>
  llvm::Value* withBits(llvm::Value* small, Function function) {
    return ir_.CreateBitCast(function(Term(ir_, small).bits()), small->getType());
  }

  llvm::Type* floatsLike(llvm::Value* v) { return Term(ir_, v).like(ir_.getFloatTy()); }

  llvm::DenseMap<llvm::Value*, llvm::Value*> wide_;  // what is widened already in this block
};

class HalfExpansion final : public Expansion {
 public:
  using Expansion::Expansion;

 private:
  bool isSmall(const llvm::Value* v) const override {
    return v->getType()->getScalarType()->isHalfTy();
  }
  llvm::Value* widened(llvm::Value* half) override {
    return map(FunctionKind::HalfToFloat, half, ir_.getFloatTy(), math::halfToFloat);
  }
  llvm::Value* narrow(llvm::Value* x) override {
    return map(FunctionKind::FloatToHalf, x, ir_.getHalfTy(), math::floatToHalf);
  }
  llvm::Value* narrowFromOther(llvm::Value*) override { return nullptr; }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) override {
    return ir_.CreateFAdd(ir_.CreateFMul(a, b), c);  // the product is exact
  }

  // `body` of each element of x.
  llvm::Value* map(FunctionKind kind, llvm::Value* x, llvm::Type* to, Term (*body)(Term)) {
    auto call = [&](llvm::Value* v) {
      const ukernel::HelperScope scope{module_, *ir_.GetInsertBlock()->getParent()};
      return ir_.CreateCall(define(scope, kind, v->getType(), Term(ir_, v).like(to), body), {v});
    };
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
    const uint32_t lanes = vector ? vector->getNumElements() : 1;
    if (lanes <= kLanes) return call(x);
    llvm::SmallVector<llvm::Value*, 16> parts;
    for (uint32_t first = 0; first < lanes; first += kLanes)
      parts.push_back(call(math::slice(ir_, x, first, std::min(kLanes, lanes - first))));
    return llvm::concatenateVectors(ir_, parts);
  }
};

class BfloatExpansion final : public Expansion {
 public:
  BfloatExpansion(llvm::Module& module, bool rounds_by_instruction)
      : Expansion(module), rounds_by_instruction_(rounds_by_instruction) {}

 private:
  bool isSmall(const llvm::Value* v) const override {
    return v->getType()->getScalarType()->isBFloatTy();
  }
  llvm::Value* widened(llvm::Value* x) override {
    const Term bits = Term(ir_, x).bits();
    const Term word = bits.with(ir_.CreateZExt(bits, bits.like(ir_.getInt32Ty())));
    return word.shiftLeft(16).asFloat();
  }
  llvm::Value* narrow(llvm::Value* x) override {
    return rounds_by_instruction_ ? rounded(x) : narrowFromOther(x);
  }
  llvm::Value* narrowFromOther(llvm::Value* x) override {
    return math::narrowToBfloat(Term(ir_, x));
  }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) override {
    return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  // Of vectors only, as the instruction is: no machine has a register for one bfloat16.
  llvm::Value* rounded(llvm::Value* x) {
    const bool is_vector = x->getType()->isVectorTy();
    llvm::Value* floats = x;
    if (!is_vector) {
      auto* type = llvm::FixedVectorType::get(x->getType(), 4);
      floats = ir_.CreateInsertElement(llvm::Constant::getNullValue(type), x, uint64_t{0});
    }
    const Term all(ir_, floats);
    llvm::Value* bits =
        all.with(ir_.CreateFPTrunc(floats, all.like(ir_.getBFloatTy()))).bits().value();
    if (!is_vector) bits = ir_.CreateExtractElement(bits, uint64_t{0});
    return ir_.CreateBitCast(bits, Term(ir_, x).like(ir_.getBFloatTy()));
  }

  const bool rounds_by_instruction_;
};

}  // namespace

void expandHalves(llvm::Module& module) { HalfExpansion(module).run(); }

void expandBfloats(llvm::Module& module, bool rounds_by_instruction) {
  BfloatExpansion(module, rounds_by_instruction).run();
}

}  // namespace jit
