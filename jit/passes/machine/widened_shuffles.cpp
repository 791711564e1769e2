// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/widened_shuffles.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace jit {
namespace {

// How many registers a conversion makes of a shuffle; 0: it is none, or another one.
unsigned registersOf(const llvm::CastInst& cast, unsigned vector_bytes) {
  auto* from = llvm::dyn_cast<llvm::FixedVectorType>(cast.getSrcTy());
  auto* to = llvm::dyn_cast<llvm::FixedVectorType>(cast.getDestTy());
  if (from == nullptr || to == nullptr || from->getNumElements() != to->getNumElements() ||
      from->getScalarSizeInBits() < 8 || from->getScalarSizeInBits() >= to->getScalarSizeInBits() ||
      !llvm::isa<llvm::ShuffleVectorInst>(cast.getOperand(0)))
    return 0;
  const unsigned bits = 8 * vector_bytes;
  const unsigned wide = to->getScalarSizeInBits() * to->getNumElements();
  return wide > bits && wide % bits == 0 ? wide / bits : 0;
}

}  // namespace

bool splitWidenedShuffles(llvm::Function& function, unsigned vector_bytes) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* cast = llvm::dyn_cast<llvm::CastInst>(&i);
    const unsigned registers = cast == nullptr ? 0 : registersOf(*cast, vector_bytes);
    if (registers == 0) continue;
    auto* shuffle = llvm::cast<llvm::ShuffleVectorInst>(cast->getOperand(0));
    // What others want as a whole is put together in any case.
    if (llvm::any_of(shuffle->users(), [&](const llvm::User* user) {
          auto* other = llvm::dyn_cast<llvm::CastInst>(user);
          return other == nullptr || registersOf(*other, vector_bytes) == 0;
        }))
      continue;
    const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
    const size_t each = mask.size() / registers;
    auto* type =
        llvm::FixedVectorType::get(cast->getDestTy()->getScalarType(), static_cast<unsigned>(each));
    llvm::IRBuilder<> ir(cast);
    llvm::SmallVector<llvm::Value*, 8> parts;
    for (unsigned r = 0; r < registers; ++r) {
      llvm::Value* part = ir.CreateShuffleVector(shuffle->getOperand(0), shuffle->getOperand(1),
                                                 mask.slice(r * each, each));
      llvm::Value* wide = ir.CreateCast(cast->getOpcode(), part, type);
      if (auto* converted = llvm::dyn_cast<llvm::Instruction>(wide)) converted->copyIRFlags(cast);
      parts.push_back(wide);
    }
    llvm::Value* whole = llvm::concatenateVectors(ir, parts);
    cast->replaceAllUsesWith(whole);
    cast->eraseFromParent();
    if (shuffle->use_empty()) shuffle->eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace jit
