#include "jit/coopmat/destinations.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/coopmat/shared_operands.h"
#include "jit/ukernel/source_tile.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using ukernel::isInBounds;

// The branch by which alone `block` is reached, from the sums' block; null if that is otherwise.
llvm::BranchInst* guardOf(const BasicBlock* block, const BasicBlock* sums) {
  if (block->getSinglePredecessor() != sums) return nullptr;
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(sums->getTerminator());
  return branch && branch->isConditional() ? const_cast<llvm::BranchInst*>(branch) : nullptr;
}

// The store of `sum`, unless it is used in another way where that is carried out.
std::optional<StoreCall> storeOf(llvm::PHINode& sum, const llvm::DominatorTree& dominators) {
  std::optional<StoreCall> found;
  for (llvm::User* user : sum.users()) {
    std::optional<StoreCall> store = matchStore(llvm::cast<Instruction>(user));
    if (!store || store->layout != Layout::Row || !isIntoTheClientsMemory(store->base)) continue;
    const BasicBlock* block = store->call->getParent();
    if (block != sum.getParent() && !guardOf(block, sum.getParent())) continue;
    found = store;
    break;
  }
  if (!found) return std::nullopt;
  const llvm::BranchInst* guard = guardOf(found->call->getParent(), sum.getParent());
  for (const llvm::Use& use : sum.uses()) {
    if (use.getUser() == found->call) continue;
    if (!guard) return std::nullopt;
    const bool is_first = guard->getSuccessor(0) == found->call->getParent();
    const llvm::BasicBlockEdge other(guard->getParent(), guard->getSuccessor(is_first ? 1 : 0));
    if (!dominators.dominates(other, use)) return std::nullopt;
  }
  return found;
}

bool isUnnoticed(const Instruction& instruction) {
  if (llvm::isa<llvm::AssumeInst>(instruction)) return true;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
}

// Whether only `calls` touch memory from the beginning of the sums' block to the last of them.
bool mayComeFirst(llvm::ArrayRef<StoreCall> calls, const BasicBlock& sums) {
  llvm::SmallPtrSet<const Instruction*, 16> stores;
  for (const StoreCall& store : calls) stores.insert(store.call);
  const BasicBlock& last = *calls.front().call->getParent();
  for (const BasicBlock* block : {&sums, &last}) {
    for (const Instruction& instruction : *block) {
      if (stores.erase(&instruction)) {
        if (stores.empty()) return true;
      } else if (!isUnnoticed(instruction)) {
        return false;
      }
    }
  }
  return false;
}

// Copies of what values are computed by in two blocks.
class EarlierCopies {
 public:
  EarlierCopies(const BasicBlock* first, const BasicBlock* second) : blocks_{first, second} {}

  // Notes what `value` is computed by. False if some of it cannot be computed twice, or, of the
  // second block, which may never be reached, not in any case.
  bool collect(Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !llvm::is_contained(blocks_, instruction->getParent()) ||
        llvm::isa<llvm::PHINode>(instruction))
      return true;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    const bool is_repeatable = load ? load->isSimple()
                                    : !instruction->mayReadOrWriteMemory() &&
                                          !llvm::isa<llvm::CallBase, llvm::AllocaInst>(instruction);
    const bool is_certain = instruction->getParent() == blocks_[0];
    if (!is_repeatable || !(is_certain || llvm::isSafeToSpeculativelyExecute(instruction)))
      return false;
    if (!instructions_.insert(instruction).second) return true;
    return llvm::all_of(instruction->operands(),
                        [&](llvm::Use& operand) { return collect(operand.get()); });
  }

  void emit(llvm::IRBuilderBase& builder) {
    llvm::SmallVector<Instruction*> ordered(instructions_.begin(), instructions_.end());
    llvm::sort(ordered, [&](Instruction* a, Instruction* b) {
      return a->getParent() == b->getParent() ? a->comesBefore(b) : a->getParent() == blocks_[0];
    });
    for (Instruction* instruction : ordered) {
      Instruction* copy = builder.Insert(instruction->clone(), instruction->getName());
      for (llvm::Use& operand : copy->operands()) operand.set(of(operand.get()));
      copies_[instruction] = copy;
    }
  }

  Value* of(Value* value) const { return copies_.lookup_or(value, value); }

 private:
  const BasicBlock* blocks_[2];
  llvm::SmallPtrSet<Instruction*, 32> instructions_;
  llvm::DenseMap<Value*, Value*> copies_;
};

}  // namespace

std::optional<SumStores> storesOfSums(llvm::ArrayRef<llvm::PHINode*> sums,
                                      const llvm::DominatorTree& dominators) {
  const BasicBlock* block = sums.front()->getParent();
  SumStores stores{};
  for (llvm::PHINode* sum : sums) {
    std::optional<StoreCall> store = storeOf(*sum, dominators);
    if (!store) return std::nullopt;
    if (!stores.calls.empty() && store->call->getParent() != stores.calls.front().call->getParent())
      return std::nullopt;
    stores.calls.push_back(*store);
  }
  stores.guard = guardOf(stores.calls.front().call->getParent(), block);
  stores.may_come_first = mayComeFirst(stores.calls, *block);
  return stores;
}

std::optional<Destinations> computeEarlier(llvm::IRBuilderBase& builder, const SumStores& stores) {
  EarlierCopies copies(builder.GetInsertBlock(), stores.calls.front().call->getParent());
  for (const StoreCall& store : stores.calls) {
    for (Value* value : {store.base, store.stride_bytes, store.limit_bytes})
      if (!copies.collect(value)) return std::nullopt;
  }
  if (stores.guard && !copies.collect(stores.guard->getCondition())) return std::nullopt;
  copies.emit(builder);
  Destinations destinations;
  for (const StoreCall& store : stores.calls) {
    destinations.of_sums.push_back(
        {copies.of(store.base), copies.of(store.stride_bytes), copies.of(store.limit_bytes)});
  }
  destinations.are_stored = builder.getTrue();
  if (stores.guard) {
    Value* condition = copies.of(stores.guard->getCondition());
    const bool is_first = stores.guard->getSuccessor(0) == stores.calls.front().call->getParent();
    destinations.are_stored = is_first ? condition : builder.CreateNot(condition);
  }
  return destinations;
}

OnePiece asOnePiece(llvm::IRBuilderBase& builder, const TileGrid& grid,
                    llvm::ArrayRef<Destination> of_sums) {
  const MulAdd& op = grid.op();
  const uint64_t row_bytes = uint64_t{op.n} * bytesOf(op.result);
  Destination first{};
  for (auto [cell, destination] : llvm::zip_equal(grid.cells(), of_sums))
    if (cell.a == 0 && cell.b == 0) first = destination;
  Value* is_one =
      builder.CreateICmpUGE(first.stride_bytes, builder.getInt64(row_bytes * grid.bTiles()));
  auto require = [&](Value* condition) { is_one = builder.CreateAnd(is_one, condition); };
  Value* tile_rows = builder.CreateMul(first.stride_bytes, builder.getInt64(op.m));
  for (auto [cell, destination] : llvm::zip_equal(grid.cells(), of_sums)) {
    Value* expected =
        ukernel::offsetBy(builder, ukernel::offsetBy(builder, first.base, cell.b * row_bytes),
                          builder.CreateMul(tile_rows, builder.getInt64(cell.a)));
    require(builder.CreateICmpEQ(destination.base, expected));
    require(builder.CreateICmpEQ(destination.stride_bytes, first.stride_bytes));
    require(isInBounds(builder, {op.result, op.m, op.n, Layout::Row},
                       {destination.base, destination.stride_bytes, destination.limit_bytes}));
  }
  return {is_one, first};
}

void carryOutUnless(Value* are_done, const SumStores& stores, llvm::DominatorTree& dominators,
                    llvm::LoopInfo& loops) {
  llvm::SmallVector<Instruction*> calls;
  for (const StoreCall& store : stores.calls) calls.push_back(store.call);
  llvm::sort(calls, [](Instruction* a, Instruction* b) { return a->comesBefore(b); });
  llvm::DomTreeUpdater updater(dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager);
  llvm::IRBuilder<> builder(calls.back());
  Instruction* end = llvm::SplitBlockAndInsertIfThen(
      builder.CreateNot(are_done), builder.GetInsertPoint(), false, nullptr, &updater, &loops);
  for (Instruction* call : calls) {
    llvm::cast<Instruction>(matchStore(call)->matrix)->moveBefore(end->getIterator());
    call->moveBefore(end->getIterator());
  }
}

}  // namespace jit::coopmat
