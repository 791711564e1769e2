// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/machine_cost.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "jit/base/target.h"
#include "jit/passes/access/masked_access.h"

namespace jit {
namespace {

// About as many instructions as the machine needs for one lane of a gather or a scatter, and for a
// register of addresses where it has instructions for those.
constexpr uint64_t kLaneAccess = 3, kRegisterAccess = 8;

// What a block adds: live intervals and their splitting are about blocks.
constexpr uint64_t kBlock = 8;

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
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return registers(store->getValueOperand()->getType());
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return kBlock + choice->getNumCases();
  if (instruction.isTerminator()) return kBlock;
  return registers(instruction.getType());
}

}  // namespace jit
