// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/elementwise_loop.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/VectorUtils.h>

#include <numeric>

#include "jit/ir/elementwise.h"

namespace jit::coopmat {
namespace {

using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;
using ukernel::offsetBy;

// Elements of an iteration: a few registers, so that no operation waits for the one before.
constexpr unsigned kElements = 64;

const FixedVectorType* vectorOf(const Value* value) {
  return llvm::dyn_cast<FixedVectorType>(value->getType());
}

class LoopEmitter {
 public:
  LoopEmitter(llvm::ArrayRef<Instruction*> members, const std::function<Value*(Value*)>& memory,
              const std::function<Value*(Instruction*)>& results)
      : members_(members), elements_(vectorOf(members.front())->getNumElements()) {
    for (Instruction* member : members) own_.insert(member);
    for (Instruction* member : members) {
      for (Value* operand : operandsOf(*member)) {
        if (own_.contains(operand)) continue;
        if (!isWide(operand)) {
          if (!llvm::isa<llvm::Constant>(operand)) pass(operand, operand);
        } else if (llvm::isa<llvm::UndefValue>(operand)) {
          continue;
        } else if (Value* scalar = llvm::getSplatValue(operand)) {
          if (!llvm::isa<llvm::Constant>(scalar)) pass(scalar, scalar);
        } else if (!arguments_.contains(operand)) {
          pass(operand, memory(operand));
        }
      }
    }
    for (Instruction* member : members) {
      if (Value* target = results(member)) {
        pass(member, target);
        stored_.push_back(member);
      }
    }
  }

  void emit(const ukernel::HelperScope& scope, IRBuilder<>& builder) {
    llvm::SmallVector<llvm::Type*> types;
    llvm::SmallVector<Value*> values;
    for (auto& [key, value] : arguments_) {
      types.push_back(value->getType());
      values.push_back(value);
    }
    llvm::Function* function = ukernel::helperFunction(
        scope, freeKey(scope.module), types,
        [&](IRBuilder<>& inner, llvm::Function& made) { emitBody(inner, made); });
    builder.CreateCall(function, values);
  }

 private:
  static llvm::iterator_range<llvm::User::op_iterator> operandsOf(Instruction& member) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&member)) return call->args();
    return member.operands();
  }
  bool isWide(const Value* value) const {
    const FixedVectorType* type = vectorOf(value);
    return type != nullptr && type->getNumElements() == elements_;
  }
  // `key` is known in the function as the argument that gets `value`.
  void pass(Value* key, Value* value) { arguments_.insert({key, value}); }

  // No two loops share a function.
  static FunctionKey freeKey(llvm::Module& module) {
    for (uint64_t number = 0;; ++number) {
      const auto key = FunctionKey(FunctionKind::Elementwise).add(number);
      if (findFunction(module, key) == nullptr) return key;
    }
  }

  void emitBody(IRBuilder<>& builder, llvm::Function& function) {
    unsigned number = 0;
    for (auto& [key, value] : arguments_) inside_[key] = function.getArg(number++);
    slice_ = std::gcd(elements_, kElements);
    ukernel::emitLoop(builder, builder.getInt64(elements_), slice_, [&](Value* at) {
      slices_.clear();
      for (Instruction* member : members_) slices_[member] = emitMember(builder, *member, at);
      for (Instruction* member : stored_) {
        auto [address, alignment] = addressOf(builder, member, at);
        builder.CreateAlignedStore(slices_[member], address, alignment);
      }
    });
  }

  llvm::Type* narrowed(llvm::Type* type) const {
    return FixedVectorType::get(type->getScalarType(), slice_);
  }

  std::pair<Value*, llvm::Align> addressOf(IRBuilder<>& builder, Value* wide, Value* at) {
    const uint64_t bits = wide->getType()->getScalarSizeInBits();
    Value* offset =
        builder.CreateLShr(builder.CreateMul(at, builder.getInt64(bits)), builder.getInt64(3));
    return {offsetBy(builder, inside_.at(wide), offset),
            llvm::commonAlignment(llvm::Align(64), std::max<uint64_t>(1, slice_ * bits / 8))};
  }

  Value* operand(IRBuilder<>& builder, Value* value, Value* at) {
    auto scalar = [&](Value* it) { return llvm::isa<llvm::Constant>(it) ? it : inside_.at(it); };
    if (!isWide(value)) return scalar(value);
    if (auto slice = slices_.find(value); slice != slices_.end()) return slice->second;
    if (llvm::isa<llvm::PoisonValue>(value))
      return llvm::PoisonValue::get(narrowed(value->getType()));
    if (llvm::isa<llvm::UndefValue>(value))
      return llvm::UndefValue::get(narrowed(value->getType()));
    Value*& slice = slices_[value];
    if (Value* splat = llvm::getSplatValue(value)) {
      slice = builder.CreateVectorSplat(slice_, scalar(splat));
    } else {
      auto [address, alignment] = addressOf(builder, value, at);
      slice = builder.CreateAlignedLoad(narrowed(value->getType()), address, alignment);
    }
    return slice;
  }

  Value* emitMember(IRBuilder<>& builder, Instruction& member, Value* at) {
    llvm::SmallVector<Value*, 4> operands;
    for (Value* it : operandsOf(member)) operands.push_back(operand(builder, it, at));
    return emitElementwise(builder, member, operands, slice_);
  }

  const llvm::ArrayRef<Instruction*> members_;
  const unsigned elements_;
  unsigned slice_ = 0;
  llvm::SmallPtrSet<Value*, 8> own_;
  llvm::MapVector<Value*, Value*> arguments_;  // what an argument stands for, what is passed
  llvm::SmallVector<Instruction*> stored_;
  llvm::DenseMap<Value*, Value*> inside_;  // the same as arguments of the function
  llvm::DenseMap<Value*, Value*> slices_;  // of an iteration
};

}  // namespace

void emitElementwiseLoop(const ukernel::HelperScope& scope, IRBuilder<>& builder,
                         llvm::ArrayRef<Instruction*> members,
                         const std::function<Value*(Value*)>& memory,
                         const std::function<Value*(Instruction*)>& results) {
  LoopEmitter(members, memory, results).emit(scope, builder);
}

}  // namespace jit::coopmat
