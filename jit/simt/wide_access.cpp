#include "jit/simt/wide_access.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace jit::simt {
namespace {

using llvm::FixedVectorType;
using llvm::IntrinsicInst;
using llvm::Value;

constexpr unsigned kMostBranches = 64;

// Operands of llvm.masked.gather(pointers, mask, otherwise), llvm.masked.scatter(values, pointers,
// mask), and llvm.masked.load and store, whose pointer is one. Before LLVM 22 the alignment is
// among them.
struct Access {
  explicit Access(IntrinsicInst& call) : call(call) {
    const llvm::Intrinsic::ID id = call.getIntrinsicID();
    reads = id == llvm::Intrinsic::masked_gather || id == llvm::Intrinsic::masked_load;
    const bool has_argument = call.arg_size() == 4;
    const unsigned first = reads ? 0 : 1;
    pointers = call.getArgOperand(first);
    mask = call.getArgOperand(first + (has_argument ? 2 : 1));
    values = call.getArgOperand(reads ? call.arg_size() - 1 : 0);
    alignment = has_argument
                    ? llvm::cast<llvm::ConstantInt>(call.getArgOperand(first + 1))->getAlignValue()
                    : call.getParamAlign(first).valueOrOne();
  }
  FixedVectorType* type() const { return llvm::cast<FixedVectorType>(values->getType()); }

  IntrinsicInst& call;
  bool reads;
  Value *pointers, *mask, *values;  // values: what masked lanes of a read are
  llvm::Align alignment;
};

bool isWide(const Access& access, const llvm::TargetTransformInfo& machine) {
  FixedVectorType* type = access.type();
  if (type->getNumElements() <= kMostBranches) return false;
  const llvm::Align alignment = access.alignment;
  if (!access.pointers->getType()->isVectorTy()) {
    return access.reads ? !machine.isLegalMaskedLoad(type, alignment, 0)
                        : !machine.isLegalMaskedStore(type, alignment, 0);
  }
  return access.reads ? !machine.isLegalMaskedGather(type, alignment) ||
                            machine.forceScalarizeMaskedGather(type, alignment)
                      : !machine.isLegalMaskedScatter(type, alignment) ||
                            machine.forceScalarizeMaskedScatter(type, alignment);
}

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
void replace(const Access& access, Operands& operands) {
  FixedVectorType* type = access.type();
  llvm::Type* element = type->getElementType();
  llvm::IRBuilder<> builder(&access.call);
  auto* flags = FixedVectorType::get(builder.getInt8Ty(), type->getNumElements());
  const bool apart = access.pointers->getType()->isVectorTy();
  Value* pointers = access.pointers;
  if (apart) pointers = operands.store(builder, Operands::Pointers, pointers);
  Value* live = operands.store(builder, Operands::Live, builder.CreateZExt(access.mask, flags));
  Value* values = operands.store(builder, Operands::Values, access.values);

  llvm::BasicBlock* before = access.call.getParent();
  llvm::BasicBlock* loop = before->splitBasicBlock(&access.call, "lanes");
  llvm::BasicBlock* after = loop->splitBasicBlock(&access.call, "lanes.done");
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
  const llvm::Align alignment = llvm::commonAlignment(
      access.alignment, access.call.getDataLayout().getTypeStoreSize(element));
  if (access.reads) {
    builder.CreateStore(builder.CreateAlignedLoad(element, address, alignment),
                        at(element, values));
  } else {
    builder.CreateAlignedStore(builder.CreateLoad(element, at(element, values)), address,
                               alignment);
  }
  builder.SetInsertPoint(&access.call);
  if (access.reads) access.call.replaceAllUsesWith(builder.CreateLoad(type, values));
  access.call.eraseFromParent();
}

}  // namespace

bool loopOverWideAccesses(llvm::Function& function, const llvm::TargetTransformInfo& machine) {
  llvm::SmallVector<IntrinsicInst*> wide;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<IntrinsicInst>(&instruction);
    if (call == nullptr) continue;
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::masked_gather:
      case llvm::Intrinsic::masked_scatter:
      case llvm::Intrinsic::masked_load:
      case llvm::Intrinsic::masked_store:
        if (isWide(Access(*call), machine)) wide.push_back(call);
        break;
      default:
        break;
    }
  }
  // One may take what another gave, which is a new value by then.
  Operands operands(function);
  for (IntrinsicInst* call : wide) replace(Access(*call), operands);
  return !wide.empty();
}

}  // namespace jit::simt
