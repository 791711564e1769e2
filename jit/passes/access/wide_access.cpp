// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/wide_access.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "jit/ir/helper_function.h"
#include "jit/passes/access/masked_access.h"

namespace jit::simt {
namespace {

using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::Value;

// Lanes that a word of liveness has.
constexpr unsigned kWord = 64;

unsigned wordsOf(const MaskedAccess& access) {
  return llvm::divideCeil(access.type()->getNumElements(), kWord);
}

// Memory for operands. Accesses come one after the other, so all of a function share it: it has
// kilobytes, on the worker's stack.
class Operands {
 public:
  enum Operand : unsigned { Pointers, Live, Values };

  explicit Operands(llvm::Function& function) : function_(function) {}

  Value* slot(Operand operand, llvm::Type* type) {
    llvm::AllocaInst*& slot = slots_[{operand, type}];
    if (slot == nullptr) {
      llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      slot = entry.CreateAlloca(type);
    }
    return slot;
  }

  Value* store(llvm::IRBuilder<>& builder, Operand operand, Value* vector) {
    Value* at = slot(operand, vector->getType());
    builder.CreateStore(vector, at);
    return at;
  }

 private:
  llvm::Function& function_;
  llvm::DenseMap<std::pair<unsigned, llvm::Type*>, llvm::AllocaInst*> slots_;
};

// Which of lanes first to first + 63 are live, a bit each: an i64. Machines without masks in
// registers have instructions for this, and a mask that a shader made of bits is these bits again.
Value* liveBits(llvm::IRBuilder<>& builder, Value* mask, unsigned first) {
  const unsigned lanes = llvm::cast<FixedVectorType>(mask->getType())->getNumElements();
  const unsigned count = std::min(lanes - first, kWord);
  if (count < lanes) {
    llvm::SmallVector<int, kWord> chosen(count);
    std::iota(chosen.begin(), chosen.end(), static_cast<int>(first));
    mask = builder.CreateShuffleVector(mask, chosen);
  }
  // A lane of which nothing is known must not spoil the others' bits.
  mask = builder.CreateFreeze(mask);
  return builder.CreateZExt(builder.CreateBitCast(mask, builder.getIntNTy(count)),
                            builder.getInt64Ty());
}

// Emits a loop over the bits of `live`, an i64, that are set, before `insert_before`, which is in a
// block of its own then; `body` gets the number of each.
void forEachBit(Instruction* insert_before, Value* live,
                llvm::function_ref<void(llvm::IRBuilder<>&, Value* bit)> body) {
  llvm::BasicBlock* before = insert_before->getParent();
  llvm::BasicBlock* loop = before->splitBasicBlock(insert_before, "lanes");
  llvm::BasicBlock* after = loop->splitBasicBlock(insert_before, "lanes.done");
  before->getTerminator()->eraseFromParent();
  loop->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(before);
  Value* none = builder.getInt64(0);
  builder.CreateCondBr(builder.CreateICmpEQ(live, none), after, loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* bits = builder.CreatePHI(builder.getInt64Ty(), 2);
  body(builder, builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder.getTrue()));
  Value* rest = builder.CreateAnd(bits, builder.CreateSub(bits, builder.getInt64(1)));
  builder.CreateCondBr(builder.CreateICmpEQ(rest, none), after, loop);
  bits->addIncoming(live, before);
  bits->addIncoming(rest, loop);
}

// A loop over those lanes of `access` that are live, before `insert_before`, with its operands in
// memory: `pointers` are where they lie, or, where lanes are neighbours, the first one's address;
// `live` is the word of liveness or, where there are several, where they lie.
void emitLanes(Instruction* insert_before, const MaskedAccess& access, Value* pointers, Value* live,
               Value* values) {
  FixedVectorType* type = access.type();
  llvm::Type* element = type->getElementType();
  const llvm::Align alignment = llvm::commonAlignment(
      access.alignment, insert_before->getDataLayout().getTypeStoreSize(element));
  auto lane = [&](llvm::IRBuilder<>& builder, Value* index) {
    auto at = [&](llvm::Type* of, Value* start) {
      return builder.CreateInBoundsGEP(of, start, index);
    };
    Value* address = access.isApart()
                         ? builder.CreateLoad(builder.getPtrTy(), at(builder.getPtrTy(), pointers))
                         : at(element, pointers);
    if (access.reads) {
      builder.CreateStore(builder.CreateAlignedLoad(element, address, alignment),
                          at(element, values));
    } else {
      builder.CreateAlignedStore(builder.CreateLoad(element, at(element, values)), address,
                                 alignment);
    }
  };
  const unsigned words = wordsOf(access);
  if (words == 1) return forEachBit(insert_before, live, lane);
  llvm::BasicBlock* before = insert_before->getParent();
  llvm::BasicBlock* loop = before->splitBasicBlock(insert_before, "words");
  llvm::BasicBlock* after = loop->splitBasicBlock(insert_before, "words.done");
  loop->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(loop);
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::PHINode* word = builder.CreatePHI(i64, 2);
  Value* bits = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, live, word));
  Value* first = builder.CreateMul(word, builder.getInt64(kWord));
  Value* next = builder.CreateAdd(word, builder.getInt64(1));
  Instruction* end =
      builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(words)), after, loop);
  word->addIncoming(builder.getInt64(0), before);
  word->addIncoming(next, loop);
  forEachBit(end, bits, [&](llvm::IRBuilder<>& inner, Value* bit) {
    lane(inner, inner.CreateAdd(first, bit));
  });
}

// A function with the loop, which all accesses alike of a module share.
llvm::Function* sharedLoop(llvm::Function& caller, const MaskedAccess& access) {
  std::string type;
  llvm::raw_string_ostream(type) << *access.type();
  FunctionKey key(FunctionKind::MaskedAccess);
  key.add(access.reads, access.reads ? "load" : "store");
  key.add(access.isApart(), access.isApart() ? "apart" : "row");
  key.add(access.type(), type);
  key.add(access.alignment.value(), "align" + llvm::Twine(access.alignment.value()));
  llvm::Type* pointer = llvm::PointerType::getUnqual(caller.getContext());
  llvm::Type* live = wordsOf(access) == 1 ? llvm::Type::getInt64Ty(caller.getContext()) : pointer;
  // The lanes' own memory is where the pointers lead that are in memory.
  return ukernel::helperFunction(
      {*caller.getParent(), caller}, key, {pointer, live, pointer},
      [&](llvm::IRBuilder<>& builder, llvm::Function& made) {
        Instruction* end = builder.CreateRetVoid();
        emitLanes(end, access, made.getArg(0), made.getArg(1), made.getArg(2));
        builder.SetInsertPoint(end->getParent());
        end->eraseFromParent();
      },
      llvm::MemoryEffects::unknown());
}

// Which lanes are live, as emitLanes() takes it.
Value* liveness(llvm::IRBuilder<>& builder, const MaskedAccess& access, Operands& operands) {
  const unsigned words = wordsOf(access);
  if (words == 1) return liveBits(builder, access.mask, 0);
  llvm::Type* i64 = builder.getInt64Ty();
  Value* live = operands.slot(Operands::Live, llvm::ArrayType::get(i64, words));
  for (unsigned i = 0; i < words; ++i)
    builder.CreateStore(liveBits(builder, access.mask, i * kWord),
                        builder.CreateConstInBoundsGEP1_64(i64, live, i));
  return live;
}

// The operands in memory, and a loop over them, here or in a function.
void replace(Instruction& call, Operands& operands, bool shared) {
  const MaskedAccess access = *matchMaskedAccess(call);
  llvm::IRBuilder<> builder(&call);
  Value* pointers = access.pointers;
  if (access.isApart()) pointers = operands.store(builder, Operands::Pointers, pointers);
  Value* live = liveness(builder, access, operands);
  Value* values = operands.store(builder, Operands::Values, access.values);
  if (shared)
    builder.CreateCall(sharedLoop(*call.getFunction(), access), {pointers, live, values});
  else
    emitLanes(&call, access, pointers, live, values);
  builder.SetInsertPoint(&call);
  if (access.reads) call.replaceAllUsesWith(builder.CreateLoad(access.type(), values));
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
