// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/masked_access.h"

namespace jit::simt {

// LLVM has asked for the address space since 21.
bool hasMaskedLoad(const llvm::TargetTransformInfo& machine, llvm::Type* type, llvm::Align align) {
#if LLVM_VERSION_MAJOR >= 21
  return machine.isLegalMaskedLoad(type, align, 0);
#else
  return machine.isLegalMaskedLoad(type, align);
#endif
}

bool hasMaskedStore(const llvm::TargetTransformInfo& machine, llvm::Type* type, llvm::Align align) {
#if LLVM_VERSION_MAJOR >= 21
  return machine.isLegalMaskedStore(type, align, 0);
#else
  return machine.isLegalMaskedStore(type, align);
#endif
}

bool MaskedAccess::isLegal(llvm::FixedVectorType* type,
                           const llvm::TargetTransformInfo& machine) const {
  if (!isApart()) {
    return reads ? hasMaskedLoad(machine, type, alignment)
                 : hasMaskedStore(machine, type, alignment);
  }
  return reads ? machine.isLegalMaskedGather(type, alignment) &&
                     !machine.forceScalarizeMaskedGather(type, alignment)
               : machine.isLegalMaskedScatter(type, alignment) &&
                     !machine.forceScalarizeMaskedScatter(type, alignment);
}

std::optional<MaskedAccess> matchMaskedAccess(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr) return std::nullopt;
  MaskedAccess access{};
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_gather:
    case llvm::Intrinsic::masked_load:
      access.reads = true;
      break;
    case llvm::Intrinsic::masked_scatter:
    case llvm::Intrinsic::masked_store:
      break;
    default:
      return std::nullopt;
  }
  const bool has_argument = call->arg_size() == 4;  // the alignment, before LLVM 22
  const unsigned first = access.reads ? 0 : 1;
  access.pointers = call->getArgOperand(first);
  access.mask = call->getArgOperand(first + (has_argument ? 2 : 1));
  access.values = call->getArgOperand(access.reads ? call->arg_size() - 1 : 0);
  access.alignment =
      has_argument ? llvm::cast<llvm::ConstantInt>(call->getArgOperand(first + 1))->getAlignValue()
                   : call->getParamAlign(first).valueOrOne();
  return access;
}

llvm::Value* vectorReadFrom(llvm::Instruction& instruction) {
  if (!instruction.getType()->isVectorTy()) return nullptr;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() ? load->getPointerOperand() : nullptr;
  const std::optional<MaskedAccess> access = matchMaskedAccess(instruction);
  return access && access->reads && !access->isApart() ? access->pointers : nullptr;
}

}  // namespace jit::simt
