// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/bfloat_bits.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace jit {
namespace {

bool isBfloat(const llvm::Type* type) { return type->getScalarType()->isBFloatTy(); }
bool isBfloat(const llvm::Value* value) { return isBfloat(value->getType()); }

// Integers instead of bfloat16; any other type stays.
llvm::Type* bitsType(llvm::Type* type) {
  return isBfloat(type) ? type->getWithNewType(llvm::Type::getInt16Ty(type->getContext())) : type;
}

bool isMovingIntrinsic(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_gather:
    case llvm::Intrinsic::masked_scatter:
    case llvm::Intrinsic::masked_expandload:
    case llvm::Intrinsic::masked_compressstore:
    case llvm::Intrinsic::vector_insert:
    case llvm::Intrinsic::vector_extract:
      return true;
    default:
      return false;
  }
}

// Whether all bfloat16 that the instruction takes and gives may as well be integers.
bool moves(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::Store:
    case llvm::Instruction::PHI:
    case llvm::Instruction::Select:
    case llvm::Instruction::ShuffleVector:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::BitCast:
      return true;
    case llvm::Instruction::Call:
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        return isMovingIntrinsic(*call);
      return false;
    default:
      return false;
  }
}

// Changes types in place: first every operand is made what its user will take, then the
// instructions are given their new types. A function is walked once, and only what needs a bitcast
// gets one.
class CarriedBits {
 public:
  explicit CarriedBits(llvm::Function& function) : function_(function) {}

  void run() {
    for (llvm::Instruction& i : llvm::instructions(function_)) {
      if (isBfloat(&i) || llvm::any_of(i.operand_values(), [](auto* v) { return isBfloat(v); }))
        concerned_.push_back(&i);
    }
    for (llvm::Instruction* user : concerned_) {
      const bool takes_bits = moves(*user);
      for (llvm::Use& use : user->operands())
        if (isBfloat(use.get())) adapt(use, takes_bits);
    }
    llvm::erase_if(concerned_, [](llvm::Instruction* i) { return !moves(*i); });
    for (llvm::Instruction* i : concerned_) retype(*i);
    for (llvm::Instruction* i : concerned_) {
      if (!llvm::isa<llvm::BitCastInst>(i) || i->getType() != i->getOperand(0)->getType()) continue;
      i->replaceAllUsesWith(i->getOperand(0));
      i->eraseFromParent();
    }
  }

 private:
  void adapt(llvm::Use& use, bool takes_bits) {
    llvm::Value* value = use.get();
    auto* made_by = llvm::dyn_cast<llvm::Instruction>(value);
    const bool is_bits = made_by != nullptr && moves(*made_by);
    if (takes_bits && !is_bits) {
      use.set(bitsOf(value));
    } else if (!takes_bits && is_bits) {
      // From integers, as soon as `value` has its new type.
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* cast = llvm::CastInst::Create(llvm::Instruction::BitCast, value, value->getType(), "",
                                          user->getIterator());
      cast->setDebugLoc(user->getDebugLoc());
      use.set(cast);
    }
  }

  // Of a constant, an argument, or what is computed.
  llvm::Value* bitsOf(llvm::Value* value) {
    llvm::Value*& bits = bits_[value];
    if (bits) return bits;
    llvm::Type* type = bitsType(value->getType());
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
      return bits = llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, constant, type,
                                                  function_.getDataLayout());
    llvm::IRBuilder<> builder(function_.getContext());
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPointPastAllocas(&function_);
    return bits = builder.CreateBitCast(value, type);
  }

  static void retype(llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      llvm::SmallVector<llvm::Type*, 3> types;
#if LLVM_VERSION_MAJOR >= 23
      [[maybe_unused]] const bool is_known =
          llvm::Intrinsic::isSignatureValid(call->getIntrinsicID(), call->getFunctionType(), types);
#else
      [[maybe_unused]] const bool is_known = llvm::Intrinsic::getIntrinsicSignature(
          call->getIntrinsicID(), call->getFunctionType(), types);
#endif
      assert(is_known);
      for (llvm::Type*& type : types) type = bitsType(type);
#if LLVM_VERSION_MAJOR >= 20
      llvm::Function* callee =
          llvm::Intrinsic::getOrInsertDeclaration(call->getModule(), call->getIntrinsicID(), types);
#else
      llvm::Function* callee =
          llvm::Intrinsic::getDeclaration(call->getModule(), call->getIntrinsicID(), types);
#endif
      call->mutateFunctionType(callee->getFunctionType());
      call->setCalledOperand(callee);
    } else {
      instruction.mutateType(bitsType(instruction.getType()));
    }
  }

  llvm::Function& function_;
  llvm::SmallVector<llvm::Instruction*> concerned_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> bits_;
};

llvm::FunctionType* bitsType(const llvm::FunctionType& type) {
  llvm::SmallVector<llvm::Type*> parameters;
  for (llvm::Type* parameter : type.params()) parameters.push_back(bitsType(parameter));
  return llvm::FunctionType::get(bitsType(type.getReturnType()), parameters, type.isVarArg());
}

bool isCalledOnly(const llvm::Function& function) {
  return llvm::all_of(function.uses(), [](const llvm::Use& use) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call != nullptr && call->isCallee(&use);
  });
}

void callWithBits(llvm::CallInst& call, llvm::Function& callee) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value*> arguments;
  for (llvm::Value* argument : call.args())
    arguments.push_back(builder.CreateBitCast(argument, bitsType(argument->getType())));
  llvm::CallInst* made = builder.CreateCall(&callee, arguments);
  made->setAttributes(call.getAttributes());
  made->setTailCallKind(call.getTailCallKind());
  made->copyMetadata(call);
  call.replaceAllUsesWith(builder.CreateBitCast(made, call.getType()));
  call.eraseFromParent();
}

// A function of the same code that takes and returns integers, instead of `function`.
void passBits(llvm::Function& function) {
  llvm::FunctionType* type = bitsType(*function.getFunctionType());
  if (type == function.getFunctionType() || !isCalledOnly(function)) return;
  auto* made = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), made);
  made->takeName(&function);
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->splice(made->begin(), &function);
  llvm::IRBuilder<> builder(made->getContext());
  builder.SetInsertPointPastAllocas(made);
  for (auto [argument, bits] : llvm::zip_equal(function.args(), made->args())) {
    bits.takeName(&argument);
    argument.replaceAllUsesWith(builder.CreateBitCast(&bits, argument.getType()));
  }
  for (llvm::BasicBlock& block : *made) {
    auto* exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (!exit || !exit->getReturnValue()) continue;
    builder.SetInsertPoint(exit);
    exit->setOperand(0, builder.CreateBitCast(exit->getReturnValue(), type->getReturnType()));
  }
  for (llvm::User* user : llvm::make_early_inc_range(function.users()))
    callWithBits(*llvm::cast<llvm::CallInst>(user), *made);
  function.eraseFromParent();
}

}  // namespace

void carryBfloatsAsBits(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (!function.isDeclaration() && function.hasLocalLinkage()) passBits(function);
  for (llvm::Function& function : module) CarriedBits(function).run();
}

}  // namespace jit
