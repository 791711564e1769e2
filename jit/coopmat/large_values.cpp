// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/large_values.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "jit/coopmat/overlap.h"
#include "jit/coopmat/shared_operands.h"
#include "jit/ir/elementwise.h"
#include "jit/ir/memories.h"

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

constexpr uint64_t kAlignment = 64;

uint64_t slotBytes(const llvm::Type* type) {
  auto* vector = llvm::cast<llvm::FixedVectorType>(type);
  const uint64_t bits = uint64_t{vector->getNumElements()} * vector->getScalarSizeInBits();
  return (bits / 8 + kAlignment - 1) / kAlignment * kAlignment;
}

// Whether a store takes rows of the frame that lie there one right after the other to memory that
// is none of theirs.
bool copiesRows(const LoadCall& load, const StoreCall& store) {
  auto* stride = llvm::dyn_cast<llvm::ConstantInt>(load.stride_bytes);
  auto* limit = llvm::dyn_cast<llvm::ConstantInt>(load.limit_bytes);
  const uint64_t row_bytes = uint64_t{load.type.columns} * bytesOf(load.type.component);
  return leadsOnlyTo(*load.base, kFrame) && load.layout == Layout::Row && stride &&
         stride->getZExtValue() == row_bytes && limit && limit->isMinusOne() &&
         !mayOverlap(load, store);
}

}  // namespace

bool isTooLarge(const llvm::Type* type, uint32_t lanes, bool is_matrix) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && vector->getNumElements() > kMostElementsInRegisters &&
         (is_matrix || vector->getNumElements() != lanes);
}

LargeValues::LargeValues(llvm::Function& function, uint32_t lanes)
    : lanes_(lanes), matrices_(function) {
  splitEdges(function);
  collect(function);
  measure();
  extendOverLoops(function);
  place();
}

bool LargeValues::isLarge(const Value* value) const {
  return isTooLarge(value->getType(), lanes_, matrices_.isMatrix(value));
}

bool LargeValues::involvesLarge(const Instruction& instruction) const {
  return isLarge(&instruction) ||
         llvm::any_of(instruction.operands(), [&](const auto& use) { return isLarge(use.get()); });
}

// So that a phi's memory can be written where the edge starts.
void LargeValues::splitEdges(llvm::Function& function) {
  llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>> edges;
  for (BasicBlock& block : function) {
    if (llvm::none_of(block.phis(), [&](PHINode& phi) { return isLarge(&phi); })) continue;
    for (BasicBlock* from : llvm::predecessors(&block)) edges.emplace_back(from, &block);
  }
  for (auto [from, to] : edges) llvm::SplitCriticalEdge(from, to);
}

void LargeValues::collect(llvm::Function& function) {
  unsigned position = 0;
  for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    LargeStep open{{}, true};
    auto close = [&] {
      if (!open.members.empty()) steps_.push_back(open);
      open.members.clear();
    };
    for (Instruction& instruction : *block) {
      positions_[&instruction] = position++;
      if (!involvesLarge(instruction)) continue;
      if (auto* phi = llvm::dyn_cast<PHINode>(&instruction)) {
        phis_.push_back(phi);
        continue;
      }
      // The vector that a splat starts from, and the splat.
      const bool starts_splat =
          llvm::isa<llvm::InsertElementInst>(instruction) &&
          llvm::all_of(instruction.users(), [](llvm::User* user) {
            return llvm::isa<llvm::ShuffleVectorInst>(user) && llvm::getSplatValue(user);
          });
      if (starts_splat || (isLarge(&instruction) && llvm::getSplatValue(&instruction))) {
        splats_.push_back(&instruction);
        continue;
      }
      const bool is_elementwise = isLarge(&instruction) && isElementwise(instruction);
      const bool joins =
          is_elementwise && !open.members.empty() &&
          llvm::cast<llvm::FixedVectorType>(open.members.front()->getType())->getNumElements() ==
              llvm::cast<llvm::FixedVectorType>(instruction.getType())->getNumElements();
      if (!joins) close();
      if (is_elementwise) {
        open.members.push_back(&instruction);
      } else {
        steps_.push_back({{&instruction}, false});
      }
    }
    close();
  }
  for (unsigned s = 0; s < steps_.size(); ++s) {
    for (Instruction* member : steps_[s].members) step_of_[member] = s;
  }
}

// Where an instruction happens: a member of a step, where the step does.
unsigned LargeValues::positionOf(const Instruction* instruction) const {
  auto step = step_of_.find(instruction);
  return positions_.lookup(step == step_of_.end() ? instruction : steps_[step->second].point());
}

bool LargeValues::isWantedOutside(Instruction* member, const LargeStep& step) const {
  return llvm::any_of(member->users(), [&](llvm::User* user) {
    return !llvm::is_contained(step.members, llvm::cast<Instruction>(user));
  });
}

bool LargeValues::canReadInPlace(Instruction* value) {
  std::optional<LoadCall> load = matchLoad(value);
  if (!load || !value->hasOneUse()) return false;
  Instruction* user = value->user_back();
  std::optional<MulAddCall> mul_add = matchMulAdd(user);
  std::optional<StoreCall> store = matchStore(user);
  const bool reads_once = mul_add ? mul_add->c != value : store && copiesRows(*load, *store);
  return reads_once && user->getParent() == value->getParent() && isUnwrittenBetween(*value, *user);
}

std::optional<LoadCall> LargeValues::readInPlace(Value* operand) const {
  if (!read_in_place_.contains(operand)) return std::nullopt;
  return matchLoad(operand);
}

void LargeValues::measure() {
  auto add = [&](Instruction* value, unsigned first) {
    Slot slot;
    slot.bytes = slotBytes(value->getType());
    slot.first = slot.last = first;
    for (const llvm::Use& use : value->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<PHINode>(user);
      const unsigned at = positionOf(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
      slot.first = std::min(slot.first, at);
      slot.last = std::max(slot.last, at);
    }
    if (auto* phi = llvm::dyn_cast<PHINode>(value)) {
      for (BasicBlock* from : phi->blocks()) {
        const unsigned at = positionOf(from->getTerminator());
        slot.first = std::min(slot.first, at);
        slot.last = std::max(slot.last, at);
      }
    }
    slots_[value] = slot;
    slot_order_.push_back(value);
  };
  for (PHINode* phi : phis_) add(phi, positions_.lookup(phi));
  for (const LargeStep& step : steps_) {
    for (Instruction* member : step.members) {
      if (!isLarge(member)) continue;
      if (canReadInPlace(member)) {
        read_in_place_.insert(member);
        continue;
      }
      if (step.is_elementwise && !isWantedOutside(member, step)) continue;
      add(member, positionOf(member));
    }
  }
  // Constants, splats and what is not large are written down where something wants them in memory:
  // a multiply-add may have factors that are no large matrices but take more bytes than its result.
  for (const LargeStep& step : steps_) {
    for (Instruction* member : step.members) {
      if (isLarge(member)) largest_bytes_ = std::max(largest_bytes_, slotBytes(member->getType()));
      for (Value* operand : member->operands()) {
        if (llvm::isa<llvm::FixedVectorType>(operand->getType()))
          largest_bytes_ = std::max(largest_bytes_, slotBytes(operand->getType()));
      }
    }
  }
  for (PHINode* phi : phis_) largest_bytes_ = std::max(largest_bytes_, slotBytes(phi->getType()));
}

// What is alive where a loop begins, and wanted in it, is alive all through it. Blocks of a loop
// need not stand together.
void LargeValues::extendOverLoops(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    unsigned first = ~0u, last = 0;
    for (BasicBlock* block : loop->blocks()) {
      auto begin = positions_.find(&block->front());
      if (begin == positions_.end()) continue;
      first = std::min(first, begin->second);
      last = std::max(last, positions_.lookup(block->getTerminator()));
    }
    for (auto& [value, slot] : slots_) {
      if (slot.first < first && slot.last >= first && slot.last < last) slot.last = last;
    }
  }
}

// First fit, in the order of their beginnings.
void LargeValues::place() {
  std::ranges::stable_sort(slot_order_, {},
                           [&](const Value* value) { return slots_[value].first; });
  std::vector<Slot*> placed;
  for (const Value* value : slot_order_) {
    Slot& slot = slots_[value];
    std::vector<Slot*> alive;
    for (Slot* other : placed) {
      if (other->last >= slot.first && other->first <= slot.last) alive.push_back(other);
    }
    std::ranges::sort(alive, {}, &Slot::offset);
    slot.offset = 0;
    for (Slot* other : alive) {
      if (slot.offset + slot.bytes <= other->offset) break;
      slot.offset = std::max(slot.offset, other->offset + other->bytes);
    }
    placed.push_back(&slot);
    bytes_ = std::max(bytes_, slot.offset + slot.bytes);
  }
}

std::optional<uint64_t> LargeValues::offset(const Value* value) const {
  auto slot = slots_.find(value);
  if (slot == slots_.end()) return std::nullopt;
  return slot->second.offset;
}

}  // namespace jit::coopmat
