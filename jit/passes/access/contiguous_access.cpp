// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/contiguous_access.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/passes/access/masked_access.h"
#include "jit/passes/access/progression.h"

namespace jit::simt {

namespace {

using namespace llvm::PatternMatch;

bool isAllOnes(llvm::Value* mask) { return match(mask, m_AllOnes()); }

bool coalesce(llvm::IntrinsicInst& access) {
  const bool gather = access.getIntrinsicID() == llvm::Intrinsic::masked_gather;
  llvm::Value* pointers = access.getArgOperand(gather ? 0 : 1);
  // The alignment is an operand up to LLVM 21 and an attribute from then on.
  const unsigned mask_operand = access.arg_size() - (gather ? 2 : 1);
  llvm::Value* mask = access.getArgOperand(mask_operand);
  auto* type = llvm::cast<llvm::FixedVectorType>(gather ? access.getType()
                                                        : access.getArgOperand(0)->getType());
  const llvm::DataLayout& layout = access.getModule()->getDataLayout();
  const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(type->getElementType()));

  llvm::IRBuilder<> ir(&access);
  Decomposer decomposer(ir, isAllOnes(mask));
  auto address = decomposer.addresses(pointers);
  if (!address) return false;
  llvm::Value* at = ir.CreateGEP(ir.getInt8Ty(), address->base, address->first);
  const llvm::Align alignment = matchMaskedAccess(access)->alignment;
  if (address->step == bytes) {
    llvm::Value* result = nullptr;
    if (gather)
      result = isAllOnes(mask)
                   ? static_cast<llvm::Value*>(ir.CreateAlignedLoad(type, at, alignment))
                   : ir.CreateMaskedLoad(type, at, alignment, mask,
                                         access.getArgOperand(mask_operand + 1));
    else if (isAllOnes(mask))
      ir.CreateAlignedStore(access.getArgOperand(0), at, alignment);
    else
      ir.CreateMaskedStore(access.getArgOperand(0), at, alignment, mask);
    if (gather) access.replaceAllUsesWith(result);
    access.eraseFromParent();
    return true;
  }
  if (address->step == 0 && gather && isAllOnes(mask)) {
    llvm::Value* one = ir.CreateAlignedLoad(type->getElementType(), at, alignment);
    access.replaceAllUsesWith(ir.CreateVectorSplat(type->getNumElements(), one));
    access.eraseFromParent();
    return true;
  }
  return false;
}

}  // namespace

bool coalesceContiguousAccesses(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call == nullptr) continue;
    if (call->getIntrinsicID() == llvm::Intrinsic::masked_gather ||
        call->getIntrinsicID() == llvm::Intrinsic::masked_scatter)
      changed |= coalesce(*call);
  }
  return changed;
}

}  // namespace jit::simt
