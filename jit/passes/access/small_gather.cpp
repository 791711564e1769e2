// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/small_gather.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/passes/access/masked_access.h"

namespace jit::simt {

namespace {

using namespace llvm::PatternMatch;

// An aligned word around an element lies on the element's page, so it can be read where the element
// can; what else is in it is not looked at. An element of two bytes may lie at an odd place, and so
// in two such words; then the word that begins two bytes before it does.
bool widen(llvm::IntrinsicInst& gather) {
  auto* type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  const unsigned bits = type->getScalarSizeInBits();
  if (bits != 8 && bits != 16) return false;
  llvm::IRBuilder<> ir(&gather);
  const unsigned lanes = type->getNumElements();
  auto vectorOf = [&](llvm::Type* scalar) { return llvm::FixedVectorType::get(scalar, lanes); };
  auto splat = [&](uint64_t value) {
    return llvm::ConstantInt::get(vectorOf(ir.getInt64Ty()), value);
  };
  llvm::Value* mask = gather.getArgOperand(gather.arg_size() - 2);
  llvm::Value* otherwise = gather.getArgOperand(gather.arg_size() - 1);

  llvm::Value* at = ir.CreatePtrToInt(gather.getArgOperand(0), vectorOf(ir.getInt64Ty()));
  llvm::Value *start = ir.CreateAnd(at, splat(~uint64_t{3})), *past = ir.CreateAnd(at, splat(3));
  llvm::Align alignment(4);
  if (bits == 16 && matchMaskedAccess(gather)->alignment < llvm::Align(2)) {
    llvm::Value* moved = ir.CreateLShr(ir.CreateAdd(past, splat(1)), 2);
    start = ir.CreateAdd(start, moved);
    past = ir.CreateSub(past, moved);
    alignment = llvm::Align(1);
  }
  llvm::Value* words = ir.CreateIntToPtr(start, vectorOf(ir.getPtrTy()));
  llvm::Type* word = vectorOf(ir.getInt32Ty());
  auto* loaded =
      ir.CreateMaskedGather(word, words, alignment, mask, llvm::Constant::getNullValue(word));
  loaded->copyMetadata(gather);
  llvm::Value* shift = ir.CreateTrunc(ir.CreateShl(past, 3), word);
  llvm::Value* value = ir.CreateTrunc(ir.CreateLShr(loaded, shift), vectorOf(ir.getIntNTy(bits)));
  value = ir.CreateBitCast(value, type);
  const bool fills = !match(mask, m_AllOnes()) && !llvm::isa<llvm::UndefValue>(otherwise);
  if (fills) value = ir.CreateSelect(mask, value, otherwise);
  gather.replaceAllUsesWith(value);
  gather.eraseFromParent();
  return true;
}

}  // namespace

bool widenSmallGathers(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
      changed |= widen(*call);
  }
  return changed;
}

}  // namespace jit::simt
