// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/wide_access.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/simt/masked_access.h"

namespace jit::simt {
namespace {

using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::Value;

// Memory for operands. Accesses come one after the other, so all of a function share it: it has
// kilobytes, on the worker's stack.
class Operands {
 public:
  enum Operand : unsigned { Pointers, Live, Values };

  explicit Operands(llvm::Function& function) : function_(function) {}

  Value* store(llvm::IRBuilder<>& builder, Operand operand, Value* vector) {
    llvm::AllocaInst*& place = places_[{operand, vector->getType()}];
    if (place == nullptr) {
      llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      place = entry.CreateAlloca(vector->getType());
    }
    builder.CreateStore(vector, place);
    return place;
  }

 private:
  llvm::Function& function_;
  llvm::DenseMap<std::pair<unsigned, llvm::Type*>, llvm::AllocaInst*> places_;
};

// The operands in memory, and a loop over them.
void replace(Instruction& call, Operands& operands) {
  const MaskedAccess access = *matchMaskedAccess(call);
  FixedVectorType* type = access.type();
  llvm::Type* element = type->getElementType();
  llvm::IRBuilder<> builder(&call);
  auto* flags = FixedVectorType::get(builder.getInt8Ty(), type->getNumElements());
  const bool apart = access.isApart();
  Value* pointers = access.pointers;
  if (apart) pointers = operands.store(builder, Operands::Pointers, pointers);
  Value* live = operands.store(builder, Operands::Live, builder.CreateZExt(access.mask, flags));
  Value* values = operands.store(builder, Operands::Values, access.values);

  llvm::BasicBlock* before = call.getParent();
  llvm::BasicBlock* loop = before->splitBasicBlock(&call, "lanes");
  llvm::BasicBlock* after = loop->splitBasicBlock(&call, "lanes.done");
  loop->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(loop);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2);
  auto at = [&](llvm::Type* of, Value* place) {
    return builder.CreateInBoundsGEP(of, place, index);
  };
  Value* is_live = builder.CreateICmpNE(
      builder.CreateLoad(builder.getInt8Ty(), at(builder.getInt8Ty(), live)), builder.getInt8(0));
  auto* next = llvm::cast<llvm::Instruction>(builder.CreateAdd(index, builder.getInt64(1)));
  builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(type->getNumElements())), after,
                       loop);
  index->addIncoming(builder.getInt64(0), before);
  index->addIncoming(next, loop);
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_live, next, false));
  Value* address = apart ? builder.CreateLoad(builder.getPtrTy(), at(builder.getPtrTy(), pointers))
                         : at(element, pointers);
  const llvm::Align alignment =
      llvm::commonAlignment(access.alignment, call.getDataLayout().getTypeStoreSize(element));
  if (access.reads) {
    builder.CreateStore(builder.CreateAlignedLoad(element, address, alignment),
                        at(element, values));
  } else {
    builder.CreateAlignedStore(builder.CreateLoad(element, at(element, values)), address,
                               alignment);
  }
  builder.SetInsertPoint(&call);
  if (access.reads) call.replaceAllUsesWith(builder.CreateLoad(type, values));
  call.eraseFromParent();
}

}  // namespace

bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine,
                          unsigned most_branches) {
  llvm::SmallVector<Instruction*> wide;
  for (Instruction& instruction : llvm::instructions(function)) {
    const std::optional<MaskedAccess> access = matchMaskedAccess(instruction);
    if (access && access->type()->getNumElements() > most_branches &&
        !access->isLegal(access->type(), machine)) {
      wide.push_back(&instruction);
    }
  }
  // One may take what another gave, which is a new value by then.
  Operands operands(function);
  for (Instruction* call : wide) replace(*call, operands);
  return !wide.empty();
}

}  // namespace jit::simt
