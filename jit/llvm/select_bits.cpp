// SPDX-License-Identifier: Apache-2.0

#include "jit/llvm/select_bits.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace jit {
namespace {

bool isBfloat(const llvm::Value& value) { return value.getType()->getScalarType()->isBFloatTy(); }

// Values as their bits wherever they leave their block.
class CarriedBits {
 public:
  explicit CarriedBits(llvm::Function& function) : function_(function) {}

  void run() {
    llvm::SmallVector<llvm::Instruction*> carried;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (!isBfloat(instruction)) continue;
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
        phis_.push_back(phi);
        bits_[phi] = llvm::PHINode::Create(bitsType(*phi), phi->getNumIncomingValues(), "",
                                           phi->getIterator());
      } else if (llvm::any_of(instruction.uses(), leavesBlock)) {
        carried.push_back(&instruction);
      }
    }
    for (llvm::PHINode* phi : phis_) {
      auto* made = llvm::cast<llvm::PHINode>(bits_[phi]);
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        made->addIncoming(bitsOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    }
    for (llvm::Instruction* value : carried) replaceUses(*value, leavesBlock);
    for (llvm::PHINode* phi : phis_) {
      replaceUses(*phi, [](const llvm::Use&) { return true; });
      phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));  // of other such phis
    }
    for (llvm::PHINode* phi : phis_) phi->eraseFromParent();
  }

 private:
  static llvm::Type* bitsType(const llvm::Value& value) {
    return value.getType()->getWithNewType(llvm::Type::getInt16Ty(value.getContext()));
  }

  static bool leavesBlock(const llvm::Use& use) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    auto* made = llvm::cast<llvm::Instruction>(use.get());
    return llvm::isa<llvm::PHINode>(user) || user->getParent() != made->getParent();
  }

  llvm::Value* bitsOf(llvm::Value* value) {
    auto found = bits_.find(value);
    if (found != bits_.end()) return found->second;
    llvm::IRBuilder<> builder(function_.getContext());
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPointPastAllocas(&function_);
    llvm::Value* bits = builder.CreateBitCast(value, bitsType(*value));
    bits_[value] = bits;
    return bits;
  }

  // Those uses that `are_meant`, but for phis, which take the bits themselves.
  void replaceUses(llvm::Instruction& value, llvm::function_ref<bool(const llvm::Use&)> are_meant) {
    llvm::Value* bits = bitsOf(&value);
    for (llvm::Use& use : llvm::make_early_inc_range(value.uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user == bits || llvm::isa<llvm::PHINode>(user) || !are_meant(use)) continue;
      use.set(llvm::IRBuilder<>(user).CreateBitCast(bits, value.getType()));
    }
  }

  llvm::Function& function_;
  llvm::SmallVector<llvm::PHINode*> phis_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> bits_;
};

}  // namespace

void carryBits(llvm::Function& function) { CarriedBits(function).run(); }

void selectBits(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (!select || !select->getType()->isVectorTy() ||
        !select->getType()->getScalarType()->isBFloatTy())
      continue;
    llvm::IRBuilder<> builder(select);
    llvm::Type* bits = select->getType()->getWithNewType(builder.getInt16Ty());
    llvm::Value* chosen = builder.CreateSelect(
        select->getCondition(), builder.CreateBitCast(select->getTrueValue(), bits),
        builder.CreateBitCast(select->getFalseValue(), bits));
    select->replaceAllUsesWith(builder.CreateBitCast(chosen, select->getType()));
    select->eraseFromParent();
  }
}

}  // namespace jit
