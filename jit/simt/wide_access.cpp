// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/wide_access.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

#include "jit/simt/masked_access.h"
#include "jit/ukernel/helper_function.h"

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

// A loop over the lanes of `access` before `place`, with its operands in memory: `pointers` are
// where they lie, or, where lanes are neighbours, the first one's address.
void emitLoop(Instruction* place, const MaskedAccess& access, Value* pointers, Value* live,
              Value* values) {
  FixedVectorType* type = access.type();
  llvm::Type* element = type->getElementType();
  llvm::BasicBlock* before = place->getParent();
  llvm::BasicBlock* loop = before->splitBasicBlock(place, "lanes");
  llvm::BasicBlock* after = loop->splitBasicBlock(place, "lanes.done");
  loop->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(loop);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2);
  auto at = [&](llvm::Type* of, Value* start) {
    return builder.CreateInBoundsGEP(of, start, index);
  };
  Value* is_live = builder.CreateICmpNE(
      builder.CreateLoad(builder.getInt8Ty(), at(builder.getInt8Ty(), live)), builder.getInt8(0));
  auto* next = llvm::cast<llvm::Instruction>(builder.CreateAdd(index, builder.getInt64(1)));
  builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(type->getNumElements())), after,
                       loop);
  index->addIncoming(builder.getInt64(0), before);
  index->addIncoming(next, loop);
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_live, next, false));
  Value* address = access.isApart()
                       ? builder.CreateLoad(builder.getPtrTy(), at(builder.getPtrTy(), pointers))
                       : at(element, pointers);
  const llvm::Align alignment =
      llvm::commonAlignment(access.alignment, place->getDataLayout().getTypeStoreSize(element));
  if (access.reads) {
    builder.CreateStore(builder.CreateAlignedLoad(element, address, alignment),
                        at(element, values));
  } else {
    builder.CreateAlignedStore(builder.CreateLoad(element, at(element, values)), address,
                               alignment);
  }
}

// A function with the loop, which all accesses alike of a module share.
llvm::Function* sharedLoop(llvm::Function& caller, const MaskedAccess& access) {
  std::string name;
  llvm::raw_string_ostream out(name);
  out << "tessera.masked." << (access.reads ? "load." : "store.")
      << (access.isApart() ? "apart." : "row.") << *access.type() << ".align"
      << access.alignment.value();
  llvm::Type* pointer = llvm::PointerType::getUnqual(caller.getContext());
  // The lanes' own memory is where the pointers lead that are in memory.
  return ukernel::helperFunction(
      {*caller.getParent(), caller}, name, {pointer, pointer, pointer},
      [&](llvm::IRBuilder<>& builder, llvm::Function& made) {
        Instruction* end = builder.CreateRetVoid();
        emitLoop(end, access, made.getArg(0), made.getArg(1), made.getArg(2));
        builder.SetInsertPoint(end->getParent());
        end->eraseFromParent();
      },
      llvm::MemoryEffects::unknown());
}

// The operands in memory, and a loop over them, here or in a function.
void replace(Instruction& call, Operands& operands, bool shared) {
  const MaskedAccess access = *matchMaskedAccess(call);
  FixedVectorType* type = access.type();
  llvm::IRBuilder<> builder(&call);
  auto* flags = FixedVectorType::get(builder.getInt8Ty(), type->getNumElements());
  Value* pointers = access.pointers;
  if (access.isApart()) pointers = operands.store(builder, Operands::Pointers, pointers);
  Value* live = operands.store(builder, Operands::Live, builder.CreateZExt(access.mask, flags));
  Value* values = operands.store(builder, Operands::Values, access.values);
  if (shared)
    builder.CreateCall(sharedLoop(*call.getFunction(), access), {pointers, live, values});
  else
    emitLoop(&call, access, pointers, live, values);
  builder.SetInsertPoint(&call);
  if (access.reads) call.replaceAllUsesWith(builder.CreateLoad(type, values));
  call.eraseFromParent();
}

}  // namespace

bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine,
                          unsigned most_branches) {
  auto lanesOf = [](const MaskedAccess& access) { return access.type()->getNumElements(); };
  llvm::SmallVector<Instruction*> wide, narrow;
  unsigned branches = 0;  // of the narrow ones
  for (Instruction& instruction : llvm::instructions(function)) {
    const std::optional<MaskedAccess> access = matchMaskedAccess(instruction);
    if (!access || access->isLegal(access->type(), machine)) continue;
    if (lanesOf(*access) > most_branches) {
      wide.push_back(&instruction);
    } else if (!llvm::isa<llvm::Constant>(access->mask)) {  // else it is known who is live
      narrow.push_back(&instruction);
      branches += lanesOf(*access);
    }
  }
  // One may take what another gave, which is a new value by then.
  Operands operands(function);
  for (Instruction* call : wide) replace(*call, operands, /*shared=*/false);
  const bool shared = branches > kMostLaneBranches;
  if (shared)
    for (Instruction* call : narrow) replace(*call, operands, shared);
  return shared || !wide.empty();
}

}  // namespace jit::simt
