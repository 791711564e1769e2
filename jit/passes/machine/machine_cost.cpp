// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/machine_cost.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "jit/passes/access/masked_access.h"

namespace jit {
namespace {

// About as many instructions as the machine needs for one lane of a gather or a scatter.
constexpr uint64_t kLaneAccess = 3;

// What a block adds: live intervals and their splitting are about blocks.
constexpr uint64_t kBlock = 8;

}  // namespace

uint64_t machineCost(const llvm::Instruction& instruction, const llvm::DataLayout& layout,
                     uint32_t vector_bytes) {
  auto registers = [&](llvm::Type* type) -> uint64_t {
    if (!type->isVectorTy() || !type->isSized()) return 1;
    return std::max<uint64_t>(1, layout.getTypeStoreSize(type).getFixedValue() / vector_bytes);
  };
  if (auto access = simt::matchMaskedAccess(instruction); access && access->isApart())
    return kLaneAccess * access->type()->getNumElements();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return registers(store->getValueOperand()->getType());
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return kBlock + choice->getNumCases();
  if (instruction.isTerminator()) return kBlock;
  return registers(instruction.getType());
}

}  // namespace jit
