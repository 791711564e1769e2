// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/local_variables.h"
#include "jit/ir/marks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace jit {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

// A load, a store, or a memset with zeros, of constant size.
struct Access {
  Instruction* instruction;
  uint64_t offset, end;  // bytes from the variable's start
  llvm::Type* type;      // null: a memset
};

// What a variable is used by; `erased` is everything else that goes with it, users first.
struct Uses {
  std::vector<Access> accesses;
  std::vector<Instruction*> erased;
};

bool collect(Instruction& pointer, uint64_t offset, const llvm::DataLayout& layout, Uses& uses) {
  for (llvm::Use& use : pointer.uses()) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    auto access = [&](llvm::Type* type) {
      const llvm::TypeSize bytes = layout.getTypeStoreSize(type);
      if (bytes.isScalable()) return false;
      uses.accesses.push_back({user, offset, offset + bytes.getFixedValue(), type});
      return true;
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (!load->isSimple() || !access(load->getType())) return false;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (!store->isSimple() || use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex() ||
          !access(store->getValueOperand()->getType()))
        return false;
    } else if (auto* clear = llvm::dyn_cast<llvm::MemSetInst>(user)) {
      auto* value = llvm::dyn_cast<llvm::ConstantInt>(clear->getValue());
      auto* length = llvm::dyn_cast<llvm::ConstantInt>(clear->getLength());
      if (clear->isVolatile() || !value || !value->isZero() || !length) return false;
      uses.accesses.push_back({clear, offset, offset + length->getZExtValue(), nullptr});
    } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt step(64, 0);
      if (address->getType()->isVectorTy() || !address->accumulateConstantOffset(layout, step) ||
          step.isNegative() || !collect(*address, offset + step.getZExtValue(), layout, uses))
        return false;
      uses.erased.push_back(address);
    } else if (user->isLifetimeStartOrEnd()) {
      uses.erased.push_back(user);
    } else {
      return false;
    }
  }
  return true;
}

// A part of a variable: one offset, accessed as one type.
struct Slot {
  llvm::Type* type;
  BasicBlock* start;                              // where the variable begins
  llvm::Constant* initially;                      // what it holds there
  std::vector<llvm::LoadInst*> reads;             // that look for what comes into their block
  std::vector<std::pair<uint32_t, Value*>> left;  // what the last store of each block leaves there
};

// What is known of a block while one slot is looked at.
struct BlockState {
  Value* left = nullptr;      // null: nothing is stored there
  Value* entering = nullptr;  // null: not known, or not alive there
  bool alive = false;
};

class Promotion {
 public:
  explicit Promotion(llvm::Function& function)
      : function_(function),
        layout_(function.getDataLayout()),
        dominators_(function),
        loops_(dominators_) {
    dominators_.updateDFSNumbers();
  }

  unsigned run() {
    unsigned promoted = 0;
    for (Instruction& instruction : function_.getEntryBlock())
      if (auto* variable = llvm::dyn_cast<AllocaInst>(&instruction)) promoted += add(*variable);
    if (promoted == 0) return 0;
    readBlocks();
    for (Slot& slot : slots_) connect(slot);
    complete();
    return promoted;
  }

 private:
  bool add(AllocaInst& variable);
  const Instruction* firstClear(const AllocaInst& variable, llvm::ArrayRef<Access> accesses) const;
  BasicBlock* startOf(llvm::ArrayRef<Access> accesses, const Instruction* ignored) const;
  void readBlocks();
  void readBlock(uint32_t position);
  void connect(Slot& slot);
  void complete();
  Value* resolve(Value* value) const {
    for (auto known = replaced_.find(value); known != replaced_.end();
         known = replaced_.find(value))
      value = known->second;
    return value;
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<Slot> slots_;
  llvm::DenseMap<Instruction*, llvm::SmallVector<uint32_t, 1>> slots_of_;  // of accesses
  std::vector<Instruction*> erased_;  // users before what they use
  std::vector<AllocaInst*> variables_;
  // Blocks are numbered in reverse post-order.
  std::vector<BasicBlock*> blocks_;
  llvm::DenseMap<const BasicBlock*, uint32_t> positions_;
  std::vector<llvm::SmallVector<uint32_t, 2>> predecessors_;
  std::vector<BlockState> states_;
  std::vector<llvm::LoadInst*> loads_;
  llvm::DenseMap<Value*, Value*> replaced_;  // loads
  std::vector<PHINode*> phis_;
};

// The nearest block that dominates all accesses and that no loop repeats between them.
BasicBlock* Promotion::startOf(llvm::ArrayRef<Access> accesses, const Instruction* ignored) const {
  BasicBlock* start = nullptr;
  for (const Access& access : accesses) {
    if (access.instruction == ignored) continue;
    BasicBlock* block = access.instruction->getParent();
    start = start ? dominators_.findNearestCommonDominator(start, block) : block;
  }
  if (!start) return &function_.getEntryBlock();
  auto holdsAll = [&](const llvm::Loop& loop) {
    return llvm::all_of(accesses, [&](const Access& access) {
      return access.instruction == ignored || loop.contains(access.instruction->getParent());
    });
  };
  for (const llvm::Loop* loop = loops_.getLoopFor(start); loop && !holdsAll(*loop);
       loop = loops_.getLoopFor(start))
    start = dominators_.getNode(loop->getHeader())->getIDom()->getBlock();
  return start;
}

// The types of a variable's parts by their offsets; none where these are not always the same,
// overlap, or are cleared in part.
std::optional<std::map<uint64_t, llvm::Type*>> partsOf(const AllocaInst& variable,
                                                       llvm::ArrayRef<Access> accesses,
                                                       const llvm::DataLayout& layout) {
  std::map<uint64_t, llvm::Type*> parts;
  uint64_t last = 0;
  for (const Access& access : accesses) {
    last = std::max(last, access.end);
    if (access.type && parts.try_emplace(access.offset, access.type).first->second != access.type)
      return std::nullopt;
  }
  const std::optional<llvm::TypeSize> size = variable.getAllocationSize(layout);
  if (!size || size->isScalable() || last > size->getFixedValue()) return std::nullopt;
  auto endOf = [&](auto part) {
    return part->first + layout.getTypeStoreSize(part->second).getFixedValue();
  };
  for (auto part = parts.begin(); part != parts.end(); ++part)
    if (auto next = std::next(part); next != parts.end() && endOf(part) > next->first)
      return std::nullopt;
  // As parts do not overlap, a memset can only cut the first and the last of those that it meets.
  for (const Access& access : accesses) {
    if (access.type) continue;
    for (uint64_t at : {access.offset, access.end}) {
      const auto after = parts.lower_bound(at);
      if (after != parts.begin() && endOf(std::prev(after)) > at) return std::nullopt;
    }
  }
  return parts;
}

// The store by which a variable that is marked as cleared gets its zero in the entry block.
const Instruction* Promotion::firstClear(const AllocaInst& variable,
                                         llvm::ArrayRef<Access> accesses) const {
  if (!variable.hasMetadata(kClearedWhenEntered)) return nullptr;
  for (const Access& access : accesses)
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
        store && store->getParent() == &function_.getEntryBlock())
      return store;
  return nullptr;
}

bool Promotion::add(AllocaInst& variable) {
  Uses uses;
  if (!variable.isStaticAlloca() || !collect(variable, 0, layout_, uses)) return false;
  const auto parts = partsOf(variable, uses.accesses, layout_);
  if (!parts) return false;
  const Instruction* first_clear = firstClear(variable, uses.accesses);
  BasicBlock* start = startOf(uses.accesses, first_clear);
  std::map<uint64_t, uint32_t> numbers;  // of slots, by offset
  for (auto [offset, type] : *parts) {
    numbers[offset] = uint32_t(slots_.size());
    llvm::Constant* initially = first_clear
                                    ? llvm::Constant::getNullValue(type)
                                    : static_cast<llvm::Constant*>(llvm::UndefValue::get(type));
    slots_.push_back({type, start, initially, {}, {}});
  }
  for (const Access& access : uses.accesses) {
    if (!llvm::isa<llvm::LoadInst>(access.instruction)) erased_.push_back(access.instruction);
    if (access.instruction == first_clear) continue;
    auto& slots = slots_of_[access.instruction];
    const auto last =
        access.type ? std::next(numbers.find(access.offset)) : numbers.lower_bound(access.end);
    for (auto slot = numbers.lower_bound(access.offset); slot != last; ++slot)
      slots.push_back(slot->second);
  }
  erased_.insert(erased_.end(), uses.erased.begin(), uses.erased.end());
  variables_.push_back(&variable);
  return true;
}

void Promotion::readBlocks() {
  for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
    positions_[block] = uint32_t(blocks_.size());
    blocks_.push_back(block);
  }
  states_.resize(blocks_.size());
  predecessors_.resize(blocks_.size());
  for (uint32_t position = 0; position < blocks_.size(); ++position) {
    for (BasicBlock* before : llvm::predecessors(blocks_[position]))
      predecessors_[position].push_back(positions_.lookup(before));
    readBlock(position);
  }
}

// Replaces what is read after a store in the same block.
void Promotion::readBlock(uint32_t position) {
  llvm::SmallDenseMap<uint32_t, Value*> holds;
  llvm::SmallSetVector<uint32_t, 8> stored;
  for (Instruction& instruction : *blocks_[position]) {
    const auto known = slots_of_.find(&instruction);
    if (known == slots_of_.end()) continue;
    for (uint32_t slot : known->second) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        loads_.push_back(load);
        Value*& held = holds[slot];
        if (held) {
          replaced_[load] = held;
        } else {
          held = load;
          slots_[slot].reads.push_back(load);
        }
        continue;
      }
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      holds[slot] =
          store ? store->getValueOperand() : llvm::Constant::getNullValue(slots_[slot].type);
      stored.insert(slot);
    }
  }
  for (uint32_t slot : stored) slots_[slot].left.push_back({position, holds[slot]});
}

// Finds where a slot is alive, and what comes into each of these blocks.
void Promotion::connect(Slot& slot) {
  const uint32_t start = positions_.lookup(slot.start);
  for (auto [position, value] : slot.left) states_[position].left = value;
  std::vector<uint32_t> alive;
  auto enter = [&](uint32_t position) {
    if (std::exchange(states_[position].alive, true)) return;
    alive.push_back(position);
  };
  for (llvm::LoadInst* read : slot.reads) enter(positions_.lookup(read->getParent()));
  for (size_t next = 0; next < alive.size(); ++next) {
    if (alive[next] == start) continue;
    for (uint32_t before : predecessors_[alive[next]])
      if (!states_[before].left) enter(before);
  }
  llvm::sort(alive);
  auto leaving = [&](uint32_t position) {
    return states_[position].left ? states_[position].left : states_[position].entering;
  };
  std::vector<std::pair<PHINode*, uint32_t>> phis;
  for (uint32_t position : alive) {
    Value* value = nullptr;
    if (position == start) {
      value = slot.initially;
    } else {
      bool same = true;
      for (uint32_t before : predecessors_[position]) {
        Value* one = leaving(before);  // null: comes later in the order
        same &= one != nullptr && (value == nullptr || one == value);
        value = one;
      }
      if (!same) {
        auto* phi = PHINode::Create(slot.type, unsigned(predecessors_[position].size()), "",
                                    blocks_[position]->begin());
        phis.push_back({phi, position});
        value = phi;
      }
    }
    states_[position].entering = value;
  }
  for (auto [phi, position] : phis) {
    for (uint32_t before : predecessors_[position])
      phi->addIncoming(leaving(before), blocks_[before]);
    phis_.push_back(phi);
  }
  for (llvm::LoadInst* read : slot.reads)
    replaced_[read] = states_[positions_.lookup(read->getParent())].entering;
  for (uint32_t position : alive) states_[position] = {};
  for (auto [position, value] : slot.left) states_[position] = {};
}

// Loads become what they read, and all accesses go.
void Promotion::complete() {
  for (llvm::LoadInst* load : loads_) load->replaceAllUsesWith(resolve(load));
  for (llvm::LoadInst* load : loads_) load->eraseFromParent();
  for (Instruction* access : erased_) access->eraseFromParent();
  for (AllocaInst* variable : variables_) variable->eraseFromParent();

  // Phis that say nothing, and those that say nothing once others are gone.
  llvm::SmallSetVector<PHINode*, 32> pending;
  for (PHINode* phi : phis_) pending.insert(phi);
  const llvm::SimplifyQuery query(layout_, nullptr, &dominators_);
  while (!pending.empty()) {
    PHINode* phi = pending.pop_back_val();
    Value* value = llvm::simplifyInstruction(phi, query);
    if (!value) continue;
    for (llvm::User* user : phi->users())
      if (auto* other = llvm::dyn_cast<PHINode>(user); other && other != phi) pending.insert(other);
    phi->replaceAllUsesWith(value);
    pending.remove(phi);
    phi->eraseFromParent();
  }
}

}  // namespace

unsigned promoteLocalVariables(llvm::Function& function) {
  llvm::EliminateUnreachableBlocks(function);
  return Promotion(function).run();
}

}  // namespace jit
