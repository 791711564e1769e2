#include "jit/coopmat/destinations.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "jit/coopmat/shared_operands.h"

namespace jit::coopmat {
namespace {

using llvm::Instruction;
using llvm::Value;

bool isComputedIn(const llvm::BasicBlock* block, const Value* value) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && instruction->getParent() == block && !llvm::isa<llvm::PHINode>(instruction);
}

// Adds what `value` is computed by in the block. False if some of it cannot be computed twice.
bool collect(const llvm::BasicBlock* block, Value* value,
             llvm::SmallPtrSetImpl<Instruction*>& instructions) {
  if (!isComputedIn(block, value)) return true;
  auto* instruction = llvm::cast<Instruction>(value);
  auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
  const bool is_repeatable = load ? load->isSimple()
                                  : !instruction->mayReadOrWriteMemory() &&
                                        !llvm::isa<llvm::CallBase, llvm::AllocaInst>(instruction);
  if (!is_repeatable) return false;
  if (!instructions.insert(instruction).second) return true;
  return llvm::all_of(instruction->operands(), [&](llvm::Use& operand) {
    return collect(block, operand.get(), instructions);
  });
}

}  // namespace

std::optional<StoreCall> storeOfSum(const llvm::PHINode& sum) {
  if (!sum.hasOneUse()) return std::nullopt;
  auto* user = llvm::cast<Instruction>(*sum.users().begin());
  std::optional<StoreCall> store = matchStore(const_cast<Instruction*>(user));
  if (!store || store->matrix != &sum || user->getParent() != sum.getParent() ||
      store->layout != Layout::Row || !isIntoTheClientsMemory(store->base))
    return std::nullopt;
  return store;
}

llvm::SmallVector<Destination> computeEarlier(llvm::IRBuilderBase& builder,
                                              llvm::ArrayRef<StoreCall> stores) {
  const llvm::BasicBlock* block = builder.GetInsertBlock();
  llvm::SmallPtrSet<Instruction*, 32> instructions;
  for (const StoreCall& store : stores) {
    if (!collect(block, store.base, instructions) ||
        !collect(block, store.stride_bytes, instructions))
      return {};
  }
  llvm::SmallVector<Instruction*> ordered(instructions.begin(), instructions.end());
  llvm::sort(ordered, [](Instruction* a, Instruction* b) { return a->comesBefore(b); });
  llvm::DenseMap<Value*, Value*> copies;
  auto copyOf = [&](Value* value) { return copies.lookup_or(value, value); };
  for (Instruction* instruction : ordered) {
    Instruction* copy = builder.Insert(instruction->clone(), instruction->getName());
    for (llvm::Use& operand : copy->operands()) operand.set(copyOf(operand.get()));
    copies[instruction] = copy;
  }
  llvm::SmallVector<Destination> destinations;
  for (const StoreCall& store : stores)
    destinations.push_back({copyOf(store.base), copyOf(store.stride_bytes)});
  return destinations;
}

}  // namespace jit::coopmat
