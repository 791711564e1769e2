// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/shuffle_networks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace jit {
namespace {

// What may still be done in one instruction.
constexpr unsigned kLevelsTogether = 2;

// Fewer take little time.
constexpr size_t kLeastShuffles = 16;

bool isShuffle(const llvm::User* user) { return llvm::isa<llvm::ShuffleVectorInst>(user); }

bool isOfWholeRegisters(const llvm::ShuffleVectorInst& shuffle, unsigned register_bytes) {
  return shuffle.getType() == shuffle.getOperand(0)->getType() &&
         shuffle.getType()->getPrimitiveSizeInBits() == 8 * register_bytes &&
         !shuffle.getType()->getScalarType()->isIntegerTy(1);
}

// The same value, of which selection knows nothing. There is such an operation for floats.
llvm::Value* hidden(llvm::Instruction& value, unsigned register_bytes) {
  llvm::IRBuilder<> builder(value.getParent(), std::next(value.getIterator()));
  auto* floats = llvm::FixedVectorType::get(builder.getFloatTy(), register_bytes / 4);
  llvm::Value* fence = builder.CreateArithmeticFence(builder.CreateBitCast(&value, floats), floats);
  return builder.CreateBitCast(fence, value.getType());
}

bool separate(llvm::BasicBlock& block, unsigned register_bytes) {
  // How many levels of shuffles, the last one hidden at multiples of kLevelsTogether.
  llvm::DenseMap<const llvm::Value*, unsigned> levels;
  llvm::SmallVector<llvm::Instruction*> last_of_levels;
  size_t deep = 0;
  for (llvm::Instruction& instruction : block) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
    if (shuffle == nullptr || !isOfWholeRegisters(*shuffle, register_bytes)) continue;
    const unsigned level =
        1 + std::max(levels.lookup(shuffle->getOperand(0)), levels.lookup(shuffle->getOperand(1)));
    levels[shuffle] = level;
    deep += level > kLevelsTogether;
    if (level % kLevelsTogether == 0 && llvm::any_of(shuffle->users(), isShuffle))
      last_of_levels.push_back(shuffle);
  }
  if (deep < kLeastShuffles) return false;
  for (llvm::Instruction* shuffle : last_of_levels) {
    llvm::Value* value = hidden(*shuffle, register_bytes);
    shuffle->replaceUsesWithIf(value, [](llvm::Use& use) { return isShuffle(use.getUser()); });
  }
  return true;
}

}  // namespace

bool separateShuffleLevels(llvm::Function& function, unsigned register_bytes) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed |= separate(block, register_bytes);
  return changed;
}

}  // namespace jit
