// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/odd_vectors.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <bit>

namespace jit {
namespace {

using llvm::BasicBlock;
using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::PHINode;
using llvm::SmallVector;
using llvm::Value;

// A part of a vector: elements first .. first + type's number - 1.
struct Part {
  uint32_t first;
  FixedVectorType* type;
};

// The largest first, so that each begins at a multiple of its own length.
SmallVector<Part> partsOf(llvm::Type* whole) {
  auto* vector = llvm::cast<FixedVectorType>(whole);
  SmallVector<Part> parts;
  const uint32_t count = vector->getNumElements();
  for (uint32_t at = 0; at < count;) {
    const uint32_t length = std::bit_floor(count - at);
    parts.push_back({at, FixedVectorType::get(vector->getElementType(), length)});
    at += length;
  }
  return parts;
}

SmallVector<Value*> takeApart(IRBuilder<>& builder, Value* whole) {
  SmallVector<Value*> values;
  for (const Part& part : partsOf(whole->getType()))
    values.push_back(builder.CreateExtractVector(part.type, whole, builder.getInt64(part.first)));
  return values;
}

Value* putTogether(IRBuilder<>& builder, llvm::Type* type, llvm::ArrayRef<Value*> values) {
  Value* whole = llvm::PoisonValue::get(type);
  for (const auto& [part, value] : llvm::zip_equal(partsOf(type), values))
    whole = builder.CreateInsertVector(type, whole, value, builder.getInt64(part.first));
  return whole;
}

class Splitting {
 public:
  Splitting(llvm::Function& function, uint32_t vector_bytes)
      : function_(function), vector_bytes_(vector_bytes) {}

  void run() {
    SmallVector<PHINode*> phis;
    for (BasicBlock& block : function_)
      for (PHINode& phi : block.phis())
        if (concerns(phi)) phis.push_back(&phi);
    splitPhis(phis);
    SmallVector<Instruction*> definitions;
    for (Instruction& instruction : llvm::instructions(function_))
      if (concerns(instruction) && instruction.isUsedOutsideOfBlock(instruction.getParent()))
        definitions.push_back(&instruction);
    for (Instruction* definition : definitions) splitUses(*definition);
  }

 private:
  bool concerns(const Instruction& instruction) const {
    auto* type = llvm::dyn_cast<FixedVectorType>(instruction.getType());
    if (!type || std::has_single_bit(type->getNumElements())) return false;
    // As the code generator widens it; it has no elements smaller than a byte everywhere.
    const uint64_t element_bits =
        function_.getDataLayout().getTypeSizeInBits(type->getElementType()).getFixedValue();
    return std::bit_ceil(type->getNumElements()) * std::max<uint64_t>(element_bits, 8) >
           uint64_t{vector_bytes_} * 8;
  }

  // A phi for each part; what was the phi is put together behind them.
  void splitPhis(llvm::ArrayRef<PHINode*> phis) {
    SmallVector<SmallVector<Value*>> parts;
    for (PHINode* phi : phis) {
      IRBuilder<> builder(phi);
      SmallVector<Value*>& values = parts.emplace_back();
      for (const Part& part : partsOf(phi->getType()))
        values.push_back(builder.CreatePHI(part.type, phi->getNumIncomingValues()));
      BasicBlock* block = phi->getParent();
      builder.SetInsertPoint(block, block->getFirstInsertionPt());
      phi->replaceAllUsesWith(putTogether(builder, phi->getType(), values));
    }
    for (const auto& [phi, values] : llvm::zip_equal(phis, parts)) {
      // A block may come in along several edges; it brings the same value then.
      llvm::SmallDenseMap<BasicBlock*, SmallVector<Value*>> incoming;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock* from = phi->getIncomingBlock(i);
        auto [taken, is_first] = incoming.try_emplace(from);
        if (is_first) {
          IRBuilder<> builder(from->getTerminator());
          taken->second = takeApart(builder, phi->getIncomingValue(i));
        }
        for (const auto& [part, value] : llvm::zip_equal(values, taken->second))
          llvm::cast<PHINode>(part)->addIncoming(value, from);
      }
      phi->eraseFromParent();
    }
  }

  // Other blocks put the value together for themselves. None of its users is a phi any more.
  void splitUses(Instruction& definition) {
    IRBuilder<> builder(definition.getContext());
    builder.SetInsertPoint(*definition.getInsertionPointAfterDef());
    const SmallVector<Value*> values = takeApart(builder, &definition);
    llvm::SmallDenseMap<BasicBlock*, Value*> wholes;
    for (llvm::Use& use : llvm::make_early_inc_range(definition.uses())) {
      BasicBlock* block = llvm::cast<Instruction>(use.getUser())->getParent();
      if (block == definition.getParent()) continue;
      Value*& whole = wholes[block];
      if (!whole) {
        builder.SetInsertPoint(block, block->getFirstInsertionPt());
        whole = putTogether(builder, definition.getType(), values);
      }
      use.set(whole);
    }
  }

  llvm::Function& function_;
  const uint32_t vector_bytes_;
};

}  // namespace

void splitOddVectors(llvm::Function& function, uint32_t vector_bytes) {
  Splitting(function, vector_bytes).run();
}

}  // namespace jit
