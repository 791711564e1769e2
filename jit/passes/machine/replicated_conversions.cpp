// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/replicated_conversions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

namespace jit {
namespace {

using llvm::CastInst;
using llvm::FixedVectorType;
using llvm::ShuffleVectorInst;
using llvm::Value;

unsigned countOf(const Value* vector) {
  return llvm::cast<FixedVectorType>(vector->getType())->getNumElements();
}

// A vector as elements of one or two others: through shuffles, one behind the other, and changes of
// the elements' type that leave their bits.
struct Picked {
  explicit Picked(Value* value) : operands{value} {
    for (unsigned t = 0; t < countOf(value); ++t) mask.push_back(static_cast<int>(t));
    while (operands.size() == 1 && step()) continue;
  }

  bool isShuffled() const { return shuffled_; }

  llvm::SmallVector<Value*, 2> operands;
  llvm::SmallVector<int, 64> mask;  // those of the second operand behind those of the first

 private:
  bool step() {
    if (auto* bits = llvm::dyn_cast<llvm::BitCastInst>(operands[0])) {
      auto* from = llvm::dyn_cast<FixedVectorType>(bits->getSrcTy());
      if (from == nullptr || from->getNumElements() != countOf(bits)) return false;
      operands = {bits->getOperand(0)};
      return true;
    }
    auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(operands[0]);
    if (shuffle == nullptr) return false;
    for (int& place : mask)
      if (place >= 0) place = shuffle->getMaskValue(static_cast<unsigned>(place));
    shuffled_ = true;
    operands = {shuffle->getOperand(0)};
    if (!llvm::isa<llvm::UndefValue>(shuffle->getOperand(1)))
      operands.push_back(shuffle->getOperand(1));
    return true;
  }

  bool shuffled_ = false;
};

class Conversion {
 public:
  explicit Conversion(CastInst& cast)
      : cast_(cast), to_(llvm::dyn_cast<FixedVectorType>(cast.getType())) {}

  bool widens() const {
    return to_ != nullptr &&
           llvm::isa<llvm::FPExtInst, llvm::SExtInst, llvm::ZExtInst, llvm::SIToFPInst,
                     llvm::UIToFPInst>(cast_) &&
           to_->getScalarSizeInBits() > cast_.getSrcTy()->getScalarSizeInBits() &&
           cast_.getSrcTy()->getScalarSizeInBits() >= 8;
  }

  // Whether less would be converted before the shuffle.
  bool isLessBefore(Value* value) const { return isLessBefore(Picked(value), value); }
  bool isLessBefore(const Picked& picked, const Value* value) const {
    unsigned before = 0;
    for (const Value* operand : picked.operands) before += piecesOf(operand);
    return picked.isShuffled() && before < piecesOf(value);
  }

  // `value` as the conversion makes it, in front of `before`.
  Value* converted(Value* value, llvm::Instruction* before) const {
    llvm::IRBuilder<> ir(before);
    const Picked picked(value);
    if (!isLessBefore(picked, value)) return cast(ir, value);
    llvm::SmallVector<Value*, 2> operands;
    for (Value* operand : picked.operands) {
      auto* type = FixedVectorType::get(cast_.getSrcTy()->getScalarType(), countOf(operand));
      operands.push_back(cast(ir, ir.CreateBitCast(operand, type)));
    }
    if (operands.size() == 1) operands.push_back(llvm::PoisonValue::get(operands[0]->getType()));
    return ir.CreateShuffleVector(operands[0], operands[1], picked.mask);
  }

  // The phi whose incoming values are converted where they come from, if that is less for one.
  llvm::PHINode* phi() const {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(cast_.getOperand(0));
    return phi != nullptr && phi->hasOneUse() && phi->getParent() == cast_.getParent() &&
                   llvm::any_of(phi->incoming_values(),
                                [&](const llvm::Use& use) { return isLessBefore(use); })
               ? phi
               : nullptr;
  }

 private:
  FixedVectorType* wide(const Value* vector) const {
    return FixedVectorType::get(to_->getElementType(), countOf(vector));
  }
  // Of 128 bits, the least that a conversion makes: wider ones do so many times the work.
  unsigned piecesOf(const Value* vector) const {
    constexpr unsigned kPieceBits = 128;
    const auto bits = wide(vector)->getNumElements() * to_->getScalarSizeInBits();
    return static_cast<unsigned>(llvm::divideCeil(bits, kPieceBits));
  }
  Value* cast(llvm::IRBuilderBase& ir, Value* value) const {
    Value* result = ir.CreateCast(cast_.getOpcode(), value, wide(value));
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(result)) made->copyIRFlags(&cast_);
    return result;
  }

  CastInst& cast_;
  FixedVectorType* to_;
};

void replace(llvm::Instruction& old, Value* by) {
  old.replaceAllUsesWith(by);
  old.eraseFromParent();
}

// A shuffle, and those that it was made of.
void eraseUnused(Value* value) {
  while (llvm::isa<ShuffleVectorInst, llvm::BitCastInst>(value) && value->use_empty()) {
    auto* unused = llvm::cast<llvm::Instruction>(value);
    value = unused->getOperand(0);
    unused->eraseFromParent();
  }
}

}  // namespace

bool convertBeforeReplicating(llvm::Function& function) {
  llvm::SmallVector<CastInst*, 16> casts;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* cast = llvm::dyn_cast<CastInst>(&i); cast != nullptr && Conversion(*cast).widens())
      casts.push_back(cast);
  bool changed = false;
  for (CastInst* cast : casts) {
    const Conversion conversion(*cast);
    Value* operand = cast->getOperand(0);
    if (conversion.isLessBefore(operand)) {
      replace(*cast, conversion.converted(operand, cast));
      eraseUnused(operand);
      changed = true;
    } else if (llvm::PHINode* phi = conversion.phi()) {
      auto* wide = llvm::PHINode::Create(cast->getType(), phi->getNumIncomingValues(), "",
                                         phi->getIterator());
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k) {
        llvm::BasicBlock* from = phi->getIncomingBlock(k);
        const int known = wide->getBasicBlockIndex(from);
        wide->addIncoming(
            known >= 0 ? wide->getIncomingValue(static_cast<unsigned>(known))
                       : conversion.converted(phi->getIncomingValue(k), from->getTerminator()),
            from);
      }
      const llvm::SmallSetVector<Value*, 4> narrow(phi->value_op_begin(), phi->value_op_end());
      replace(*cast, wide);
      phi->eraseFromParent();
      for (Value* value : narrow) eraseUnused(value);
      changed = true;
    }
  }
  return changed;
}

}  // namespace jit
