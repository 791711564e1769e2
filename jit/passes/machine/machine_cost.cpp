// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/machine_cost.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "jit/base/target.h"
#include "jit/passes/access/masked_access.h"

namespace jit {
namespace {

// About as many instructions as the machine needs for one lane of a gather or a scatter, and for a
// register of addresses where it has instructions for those: a mask, zeros, the access, and half of
// what puts two together.
constexpr uint64_t kLaneAccess = 3, kRegisterAccess = 4;

// What a block adds: live intervals and their splitting are about blocks.
constexpr uint64_t kBlock = 8;

// Whether a vector is made of whole registers.
bool isOfRegisters(const llvm::Type& type, const llvm::DataLayout& layout, uint32_t vector_bytes) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (vector == nullptr || vector->getScalarSizeInBits() < 8) return false;
  return layout.getTypeStoreSize(const_cast<llvm::Type*>(&type)) % vector_bytes == 0;
}

// Whether it gives other names to registers, and the machine does nothing.
bool isNaming(const llvm::Instruction& instruction, const llvm::DataLayout& layout,
              uint32_t vector_bytes) {
  auto has = [&](const llvm::Value* value) {
    return isOfRegisters(*value->getType(), layout, vector_bytes);
  };
  if (llvm::isa<llvm::FreezeInst>(instruction)) return true;
  if (!has(&instruction)) return false;
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    return shuffle->isConcat() && has(shuffle->getOperand(0));
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == llvm::Intrinsic::vector_extract) return true;
    return call->getIntrinsicID() == llvm::Intrinsic::vector_insert && has(call->getArgOperand(1));
  }
  return llvm::isa<llvm::BitCastInst>(instruction) && has(instruction.getOperand(0));
}

}  // namespace

uint64_t machineCost(const llvm::Instruction& instruction, const llvm::DataLayout& layout,
                     uint32_t vector_bytes) {
  auto registers = [&](llvm::Type* type) -> uint64_t {
    if (!type->isVectorTy() || !type->isSized()) return 1;
    return std::max<uint64_t>(1, layout.getTypeStoreSize(type).getFixedValue() / vector_bytes);
  };
  if (auto access = simt::matchMaskedAccess(instruction); access && access->isApart()) {
    const uint64_t lanes = access->type()->getNumElements();
    constexpr unsigned kLeastBits = 32, kAddressBytes = 8;
    if (vector_bytes < kMostVectorBytes || access->type()->getScalarSizeInBits() < kLeastBits)
      return kLaneAccess * lanes;
    return kRegisterAccess * llvm::divideCeil(lanes * kAddressBytes, vector_bytes);
  }
  if (isNaming(instruction, layout, vector_bytes)) return 0;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return registers(store->getValueOperand()->getType());
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return kBlock + choice->getNumCases();
  if (instruction.isTerminator()) return kBlock;
  return registers(instruction.getType());
}

}  // namespace jit
