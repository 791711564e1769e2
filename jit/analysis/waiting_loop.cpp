// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/waiting_loop.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <unordered_map>

#include "jit/analysis/round_values.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::simt {

using spirv::Block;
using spirv::Id;
using spirv::Instruction;

namespace {

bool isAtomic(spv::Op op) {
  return (spv::Op::OpAtomicLoad <= op && op <= spv::Op::OpAtomicXor) ||
         op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
         op == spv::Op::OpAtomicFMaxEXT;
}

bool isStore(const Instruction& i) {
  return spirv::traitsOf(i.op).stores != spirv::OpcodeTraits::kNone ||
         i.op == spv::Op::OpCopyMemorySized;
}

// Whether it says that others may have changed what it reads.
bool isAnew(const Instruction& read) {
  constexpr auto kAnew = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile |
                                               spv::MemoryAccessMask::NonPrivatePointer);
  return isAtomic(read.op) || (read.operands.size() > 1 && (read.operands[1] & kAnew) != 0);
}

class Finder {
 public:
  Finder(const spirv::Module& module, const Linearization& linearization,
         const UniformityAnalysis& uniformity, uint32_t header)
      : module_(module),
        linearization_(linearization),
        nodes_(linearization.nodes()),
        uniformity_(uniformity),
        header_(header) {}

  std::optional<WaitingLoop> find() {
    if (!isSmall()) return std::nullopt;
    code_.header = header_;
    const llvm::DenseSet<uint32_t> rounds = nodesOfRounds();
    for (uint32_t n = header_; n <= nodes_[header_].header_latch; ++n)
      if (!nodes_[n].latch && rounds.contains(n))
        code_.parts.push_back(
            {.block = &blockOf(n),
             .is_inner_header = n != header_ && nodes_[n].header_latch != kNoNode,
             .is_passed_by = nodes_[n].loop == header_ &&
                             !linearization_.dominates(n, nodes_[header_].header_latch)});
    for (const RoundCode::Part& part : code_.parts)
      for (const Instruction& i : part.block->instructions)
        if (!take(i, part.is_passed_by)) return std::nullopt;
    if (!looks_anew_) return std::nullopt;
    define();
    for (const Instruction* load : loads_)
      if (mayChange(*load)) code_.reads.push_back(load);
    if (!waits()) return std::nullopt;
    loop_.reads = code_.reads;
    if (!describeMemory()) return std::nullopt;
    return std::move(loop_);
  }

 private:
  const Block& blockOf(uint32_t n) const { return module_.entry.blocks[nodes_[n].block]; }

  // Loops that do much do more than to wait. As each access in a loop asks for the loop, it must
  // not take long to say no.
  bool isSmall() const {
    constexpr unsigned kMostAccesses = 64;
    unsigned accesses = 0;
    for (uint32_t n = header_; n < nodes_[header_].header_latch; ++n) {
      if (nodes_[n].latch) continue;
      for (const Instruction& i : blockOf(n).instructions)
        if (accessesMemory(i) && ++accesses > kMostAccesses) return false;
    }
    return true;
  }

  // From which control comes to the loop's next round.
  llvm::DenseSet<uint32_t> nodesOfRounds() const {
    llvm::DenseSet<uint32_t> found;
    llvm::SmallVector<uint32_t, 8> left = {nodes_[header_].header_latch};
    while (!left.empty()) {
      const uint32_t n = left.pop_back_val();
      if (!linearization_.inLoop(n, header_) || !found.insert(n).second) continue;
      if (n == header_) continue;
      llvm::append_range(left, nodes_[n].predecessors);
      if (nodes_[n].header_latch != kNoNode) left.push_back(nodes_[n].header_latch);
    }
    return found;
  }

  // Whether a loop with it may do nothing but wait.
  bool take(const Instruction& i, bool is_passed_by) {
    auto writes = [&] {
      loop_.writes.push_back(&i);
      return is_passed_by;
    };
    if (i.op == spv::Op::OpMemoryBarrier) looks_anew_ = true;
    if (isAtomic(i.op)) {
      if (i.result == 0 || (i.op != spv::Op::OpAtomicLoad && !uniformity_.isUsed(i.result)))
        return writes();
      looks_anew_ = true;
      code_.reads.push_back(&i);
      return true;
    }
    if (i.op == spv::Op::OpLoad) {
      looks_anew_ |= isAnew(i);
      loads_.push_back(&i);
      return !spirv::holdsMatrix(i.type);
    }
    if (i.op == spv::Op::OpStore) {
      const Id own = uniformity_.root(i.operands[0]);
      if (own == 0) return writes();
      code_.stores[own].push_back(&i);
      return true;
    }
    if (isStore(i) || (i.result != 0 && i.type != nullptr && spirv::holdsMatrix(i.type)))
      return false;
    switch (i.op) {
      case spv::Op::OpControlBarrier: {
        const spirv::Constant* scope = module_.constant(i.operands[0]);
        return scope != nullptr && scope->leaves[0] == static_cast<uint64_t>(spv::Scope::Subgroup);
      }
      case spv::Op::OpControlBarrierArriveEXT:
      case spv::Op::OpControlBarrierWaitEXT:
      case spv::Op::OpFunctionCall:
      case spv::Op::OpReadClockKHR:
        return false;
      case spv::Op::OpExtInst: {
        const auto set = module_.extended_instruction_sets.find(i.operands[0]);
        return set != module_.extended_instruction_sets.end() && set->second == "GLSL.std.450";
      }
      default:
        return true;
    }
  }

  // Most loops do not come to this.
  void define() {
    for (const RoundCode::Part& part : code_.parts)
      for (const Instruction& i : part.block->instructions)
        if (i.result != 0) code_.definitions[i.result] = &i;
    for (const spirv::Variable& v : module_.variables) variables_[v.id] = &v;
    for (const Block& block : module_.entry.blocks)
      for (const Instruction& i : block.instructions)
        if (i.result != 0) all_definitions_[i.result] = &i;
  }

  // Whether others may change what it loads, or the loop does.
  bool mayChange(const Instruction& load) const {
    if (const Id own = uniformity_.root(load.operands[0])) return code_.stores.count(own) != 0;
    const auto variable = variables_.find(variableOf(load.operands[0]));
    if (variable == variables_.end()) return true;
    switch (variable->second->storage) {
      case spv::StorageClass::Input:
      case spv::StorageClass::PushConstant:
      case spv::StorageClass::UniformConstant:
        return false;
      case spv::StorageClass::Uniform:
        return llvm::any_of(module_.types,
                            [](const auto& type) { return type.second->buffer_block; });
      default:
        return true;
    }
  }

  // Blocks of inner loops that do nothing but to take time, however often they go round.
  llvm::DenseSet<const Block*> findDelays() const {
    llvm::DenseSet<const Block*> delays;
    for (uint32_t n = header_ + 1; n < nodes_[header_].header_latch; ++n) {
      if (nodes_[n].latch || nodes_[n].header_latch == kNoNode || delays.contains(&blockOf(n)) ||
          !linearization_.inLoop(n, header_))
        continue;
      llvm::DenseSet<const Block*> inside;
      llvm::DenseSet<uint32_t> exits;
      for (uint32_t k = n; k <= nodes_[n].header_latch; ++k) {
        if (nodes_[k].latch || !linearization_.inLoop(k, n)) continue;
        inside.insert(&blockOf(k));
        for (uint32_t next : nodes_[k].successors)
          if (!linearization_.inLoop(next, n)) exits.insert(next);
      }
      if (exits.size() == 1 && isOfNoUse(inside)) delays.insert(inside.begin(), inside.end());
    }
    return delays;
  }

  bool isOfNoUse(const llvm::DenseSet<const Block*>& inside) const {
    llvm::DenseSet<Id> made;
    for (const Block* block : inside)
      for (const Instruction& i : block->instructions) {
        if (isStore(i) || isAtomic(i.op)) return false;
        made.insert(i.result);
      }
    auto uses = [&](const Instruction& i) {
      return llvm::any_of(valueOperands(i), [&](Id id) { return made.contains(id); });
    };
    return llvm::none_of(module_.entry.blocks, [&](const Block& block) {
      return !inside.contains(&block) &&
             (uses(block.terminator) || llvm::any_of(block.instructions, uses));
    });
  }

  // Whether rounds that find the same in memory and in what is watched differ in counters alone,
  // which only say when it was enough, and memory decides in the loop.
  bool waits() {
    const llvm::DenseSet<const Block*> delays = findDelays();
    llvm::DenseSet<Id> watched;
    while (true) {
      const RoundValues values(module_, linearization_, uniformity_, code_, watched);
      const Id wrong = wrongIn(values, delays);
      if (wrong != 0) {
        if (!values.watch(wrong, watched)) return false;
        continue;
      }
      loop_.state = values.state();
      return llvm::any_of(code_.parts, [&](const RoundCode::Part& part) {
        return (values.sources(part.block->terminator) & kDecided) != 0;
      });
    }
  }

  // A value that follows from counters and should not, and from none that should not either; 0:
  // there is none.
  Id wrongIn(const RoundValues& values, const llvm::DenseSet<const Block*>& delays) const {
    auto among = [&](llvm::ArrayRef<Id> ids, unsigned sources) -> Id {
      for (Id id : ids)
        if ((values.sources(id) & sources) != 0) return id;
      return 0;
    };
    for (const Instruction* read : code_.reads)
      if (const Id id = among(valueOperands(*read), kSearch | kCounter)) return id;
    for (const auto& [variable, stores] : code_.stores)
      for (const Instruction* store : stores) {
        if (const Id id = among(store->operands[0], kSearch | kCounter)) return id;
        if (const Id id = among(store->operands[1], kSearch)) return id;
      }
    for (const Instruction& phi : blockOf(header_).instructions) {
      if (phi.op != spv::Op::OpPhi) break;
      if (const Id id = among(valueOperands(phi), kSearch)) return id;
    }
    for (const RoundCode::Part& part : code_.parts) {
      if (delays.contains(part.block)) continue;
      const auto ids = valueOperands(part.block->terminator);
      if (const Id id = among(ids, kSearch)) return id;
      // A number of both chooses between more than two.
      if (among(ids, kMemory) != 0 && among(ids, kCounter) != 0) return among(ids, kCounter);
    }
    return 0;
  }

  // Of reads of memory that others change: those that a branch of the loop follows from, the one
  // that says so first.
  llvm::SmallVector<const Instruction*, 2> deciding() const {
    llvm::DenseSet<Id> needed;
    llvm::SmallVector<Id, 16> left;
    for (const RoundCode::Part& part : code_.parts)
      llvm::append_range(left, valueOperands(part.block->terminator));
    while (!left.empty()) {
      const Id id = left.pop_back_val();
      const auto made = code_.definitions.find(id);
      if (made == code_.definitions.end() || !needed.insert(id).second) continue;
      llvm::append_range(left, valueOperands(*made->second));
      if (!llvm::is_contained(code_.reads, made->second)) continue;
      const auto own = code_.stores.find(uniformity_.root(made->second->operands[0]));
      if (own == code_.stores.end()) continue;
      for (const Instruction* store : own->second) left.push_back(store->operands[1]);
    }
    llvm::SmallVector<const Instruction*, 2> reads;
    for (const Instruction* read : code_.reads)
      if (needed.contains(read->result) && uniformity_.root(read->operands[0]) == 0)
        reads.push_back(read);
    llvm::stable_sort(reads, [](const auto* a, const auto* b) { return isAnew(*a) > isAnew(*b); });
    return reads;
  }

  // The variable that a pointer leads to; 0: not known.
  Id variableOf(Id pointer) const {
    while (true) {
      auto definition = all_definitions_.find(pointer);
      if (definition == all_definitions_.end()) return pointer;
      pointer = baseOf(*definition->second);
      if (pointer == 0) return 0;
    }
  }

  // The same, if it is a variable of the module.
  Id known(Id pointer) const {
    const Id id = variableOf(pointer);
    return variables_.count(id) != 0 ? id : 0;
  }

  bool describeMemory() {
    const auto reads = deciding();
    if (reads.empty()) return false;
    loop_.first = reads[0];
    loop_.variable = known(loop_.first->operands[0]);
    loop_.is_workgroups = llvm::all_of(reads, [&](const Instruction* read) {
      const Id id = known(read->operands[0]);
      return id != 0 && variables_.at(id)->storage == spv::StorageClass::Workgroup;
    });
    std::vector<bool> reached(nodes_.size());
    llvm::SmallVector<uint32_t, 8> left = {header_};
    while (!left.empty()) {
      const uint32_t n = left.pop_back_val();
      if (reached[n]) continue;
      reached[n] = true;
      left.append(nodes_[n].successors.begin(), nodes_[n].successors.end());
    }
    for (uint32_t n = nodes_[header_].header_latch + 1; n < nodes_.size(); ++n) {
      if (reached[n] || nodes_[n].latch) continue;
      for (const Instruction& i : blockOf(n).instructions) {
        const bool writes = (isAtomic(i.op) && i.op != spv::Op::OpAtomicLoad) || isStore(i);
        if (!writes) continue;
        const Id written = variableOf(i.operands[0]);
        loop_.is_written_beside |= written == 0 || written == loop_.variable;
      }
    }
    return true;
  }

  const spirv::Module& module_;
  const Linearization& linearization_;
  const std::vector<Node>& nodes_;
  const UniformityAnalysis& uniformity_;
  const uint32_t header_;
  WaitingLoop loop_;
  RoundCode code_;
  llvm::SmallVector<const Instruction*, 8> loads_;
  bool looks_anew_ = false;  // something says that memory may change meanwhile
  std::unordered_map<Id, const spirv::Variable*> variables_;
  std::unordered_map<Id, const Instruction*> all_definitions_;
};

}  // namespace

bool accessesMemory(const Instruction& i) {
  return i.op == spv::Op::OpLoad || isAtomic(i.op) || isStore(i);
}

std::optional<WaitingLoop> waitingLoop(const spirv::Module& module,
                                       const Linearization& linearization,
                                       const UniformityAnalysis& uniformity, uint32_t header) {
  const Node& node = linearization.nodes()[header];
  if (node.header_latch == kNoNode || node.latch ||
      linearization.nodes()[node.header_latch].predecessors.empty())
    return std::nullopt;
  return Finder(module, linearization, uniformity, header).find();
}

}  // namespace jit::simt
