// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/workgroup/wide_phis.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace jit::simt {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::PHINode;
using llvm::Value;

const llvm::Align kAlignment(64);

// Pairs of values that are looked at before two slots become one.
constexpr size_t kMostPairs = 64;

using Blocks = llvm::SmallPtrSet<const BasicBlock*, 16>;

// The blocks that control can come to from `first`, which is one, without entering `last`.
Blocks reachable(const BasicBlock* first, const BasicBlock* last) {
  Blocks seen;
  llvm::SmallVector<const BasicBlock*> work{first};
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (block == last || !seen.insert(block).second) continue;
    work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return seen;
}

class WidePhis {
 public:
  WidePhis(llvm::Function& function, unsigned lanes, const MemoryMap& memory_of)
      : function_(function), lanes_(lanes), memory_of_(memory_of) {}

  void run() {
    find();
    if (phis_.empty()) return;
    splitEdges();
    for (PHINode* phi : phis_) takeSlot(*phi);
    for (PHINode* phi : phis_)
      for (Value* value : phi->incoming_values()) shareSlot(*phi, *value);
    for (PHINode* phi : phis_) queueCopies(*phi);
    for (auto& [from, copies] : edges_) emitCopies(from, copies);
    for (PHINode* phi : phis_) phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    for (PHINode* phi : phis_) phi->eraseFromParent();
  }

 private:
  // A value in memory, of those that may share a slot. A phi is written before its block, what a
  // loop over lanes makes in that loop, each part of it after the same part of what the loop reads:
  // before the block of the load that follows.
  struct InMemory {
    Value* value;
    const BasicBlock* written_before;
    Blocks wanted;  // where it is read
  };
  struct Slot {
    AllocaInst* memory;
    llvm::SmallVector<InMemory> values;
  };

  // The phis for which nothing has to be loaded to registers, or stored from there.
  void find() {
    for (BasicBlock& block : function_) {
      for (PHINode& phi : block.phis()) {
        auto* type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
        if (type && type->getNumElements() == lanes_ && type->getScalarSizeInBits() % 8 == 0)
          phis_.insert(&phi);
      }
    }
    auto other = [&](PHINode* phi) {
      return !llvm::all_of(phi->incoming_values(), [&](Value* v) { return isInMemory(v); }) ||
             !llvm::all_of(phi->users(), [&](llvm::User* user) {
               return user == storeToMemory(*phi) || phis_.contains(llvm::dyn_cast<PHINode>(user));
             });
    };
    while (phis_.remove_if(other)) continue;
  }

  bool isInMemory(Value* value) const {
    if (auto* phi = llvm::dyn_cast<PHINode>(value)) return phis_.contains(phi);
    auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant) return constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant);
    return memory_of_.contains(value);
  }

  llvm::StoreInst* storeToMemory(PHINode& phi) const {
    Value* memory = memory_of_.lookup(&phi);
    for (llvm::User* user : phi.users()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store && memory && store->getPointerOperand() == memory) return store;
    }
    return nullptr;
  }

  // So that a phi's memory can be written where the edge starts.
  void splitEdges() {
    llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>> edges;
    llvm::SmallPtrSet<BasicBlock*, 8> seen;
    for (PHINode* phi : phis_) {
      if (!seen.insert(phi->getParent()).second) continue;
      for (BasicBlock* from : llvm::predecessors(phi->getParent()))
        edges.emplace_back(from, phi->getParent());
    }
    for (auto [from, to] : edges) llvm::SplitCriticalEdge(from, to);
  }

  void takeSlot(PHINode& phi) {
    auto* memory = llvm::cast_or_null<AllocaInst>(memory_of_.lookup(&phi));
    if (llvm::StoreInst* store = storeToMemory(phi)) store->eraseFromParent();
    slots_.push_back({memory ? memory : makeSlot(function_, phi.getType()), {}});
    slots_.back().values.push_back({&phi, phi.getParent(), readsOf(phi, slots_.back().memory)});
    slot_of_[&phi] = slots_.size() - 1;
  }

  // Where a value is read that is in `memory`, of which it is the only one so far.
  static Blocks readsOf(Value& value, AllocaInst* memory) {
    Blocks blocks;
    for (const llvm::User* user : memory->users())
      if (user != &value) blocks.insert(llvm::cast<llvm::Instruction>(user)->getParent());
    for (const llvm::Use& use : value.uses())
      if (auto* phi = llvm::dyn_cast<PHINode>(use.getUser()))
        blocks.insert(phi->getIncomingBlock(use));
    return blocks;
  }

  // What a loop over lanes made, if it is in memory that nothing else is written to.
  std::optional<Slot> slotOfResult(Value& value) const {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
    if (!load || load->getPointerOperand() != memory_of_.lookup(load)) return std::nullopt;
    auto* memory = llvm::cast<AllocaInst>(load->getPointerOperand());
    Slot slot{memory, {{load, load->getParent(), readsOf(value, memory)}}};
    // The loop that writes it ends right before, and does not read it.
    const BasicBlock* after_loop = load->getParent()->getSinglePredecessor();
    const BasicBlock* loop = after_loop ? after_loop->getSinglePredecessor() : nullptr;
    if (!loop) return std::nullopt;
    slot.values.front().wanted.erase(loop);
    return slot;
  }

  // Whether one of two is still wanted when the other is written.
  static bool interfere(const InMemory& a, const InMemory& b) {
    auto outlives = [](const InMemory& one, const InMemory& other) {
      const Blocks blocks = reachable(other.written_before, one.written_before);
      return llvm::any_of(one.wanted,
                          [&](const BasicBlock* read) { return blocks.contains(read); });
    };
    return a.written_before == b.written_before || outlives(a, b) || outlives(b, a);
  }

  // So that nothing has to be copied.
  void shareSlot(PHINode& phi, Value& value) {
    Slot& slot = slots_[slot_of_.lookup(&phi)];
    auto known = slot_of_.find(&value);
    std::optional<Slot> result;
    if (known == slot_of_.end()) result = slotOfResult(value);
    if (known == slot_of_.end() && !result) return;
    Slot& other = result ? *result : slots_[known->second];
    if (slot.memory == other.memory || slot.values.size() * other.values.size() > kMostPairs ||
        slot.memory->getAllocatedType() != other.memory->getAllocatedType())
      return;
    for (const InMemory& a : slot.values)
      for (const InMemory& b : other.values)
        if (interfere(a, b)) return;
    other.memory->replaceAllUsesWith(slot.memory);
    other.memory->eraseFromParent();
    for (const InMemory& moved : other.values) slot_of_[moved.value] = slot_of_.lookup(&phi);
    slot.values.append(other.values);
    other.values.clear();
    other.memory = slot.memory;
  }

  struct Copy {
    PHINode* phi;
    Value* value;
  };

  void queueCopies(PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value* value = phi.getIncomingValue(i);
      if (!llvm::isa<llvm::UndefValue>(value) && memoryOf(value) != memoryOf(&phi))
        edges_[phi.getIncomingBlock(i)].push_back({&phi, value});
    }
  }

  // Null for zeros.
  Value* memoryOf(Value* value) const {
    auto known = slot_of_.find(value);
    return known == slot_of_.end() ? memory_of_.lookup(value) : slots_[known->second].memory;
  }

  // All phis of a block get their values at once: what another one overwrites goes first, through a
  // slot of its own.
  void emitCopies(BasicBlock* from, llvm::ArrayRef<Copy> copies) {
    llvm::IRBuilder<> builder(from->getTerminator());
    llvm::SmallPtrSet<Value*, 8> written;
    for (const Copy& it : copies) written.insert(memoryOf(it.phi));
    llvm::SmallVector<std::pair<PHINode*, Value*>> parked;
    for (const Copy& it : copies) {
      if (!written.contains(memoryOf(it.value))) continue;
      parked.emplace_back(it.phi, makeSlot(function_, it.phi->getType()));
      copy(builder, parked.back().second, memoryOf(it.value), it.phi->getType());
    }
    for (const Copy& it : copies) {
      if (Value* memory = memoryOf(it.value)) {
        if (!written.contains(memory)) copy(builder, memoryOf(it.phi), memory, it.phi->getType());
      } else {
        builder.CreateMemSet(memoryOf(it.phi), builder.getInt8(0), bytesOf(it.phi->getType()),
                             kAlignment);
      }
    }
    for (auto [phi, memory] : parked) copy(builder, memoryOf(phi), memory, phi->getType());
  }

  uint64_t bytesOf(llvm::Type* type) const {
    return function_.getDataLayout().getTypeStoreSize(type).getFixedValue();
  }

  void copy(llvm::IRBuilder<>& builder, Value* to, Value* from, llvm::Type* type) const {
    builder.CreateMemCpy(to, kAlignment, from, kAlignment, bytesOf(type));
  }

  llvm::Function& function_;
  const unsigned lanes_;
  const MemoryMap& memory_of_;
  llvm::SetVector<PHINode*> phis_;
  std::vector<Slot> slots_;
  llvm::DenseMap<Value*, size_t> slot_of_;
  llvm::MapVector<BasicBlock*, llvm::SmallVector<Copy>> edges_;
};

}  // namespace

AllocaInst* makeSlot(llvm::Function& function, llvm::Type* type) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst* slot = builder.CreateAlloca(type);
  slot->setAlignment(kAlignment);
  return slot;
}

void keepWidePhisInMemory(llvm::Function& function, unsigned lanes, const MemoryMap& memory_of) {
  WidePhis(function, lanes, memory_of).run();
}

}  // namespace jit::simt
