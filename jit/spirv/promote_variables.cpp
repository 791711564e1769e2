// SPDX-License-Identifier: Apache-2.0

// Phis are placed where values are read later (liveness) and several ways meet; those that bring
// one value only are taken out again. See Braun et al., "Simple and Efficient Construction of
// Static Single Assignment Form" (2013), for the removal.
#include "jit/spirv/promote_variables.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>

#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

// Bits and values in tables over blocks and variables. Beyond them all variables stay.
constexpr uint64_t kMaxBits = uint64_t{1} << 30;
constexpr uint64_t kMaxLive = uint64_t{1} << 22;

bool holdsPointer(const Type& type) {
  if (type.kind == TypeKind::Pointer) return true;
  if (type.kind == TypeKind::Struct)
    return std::any_of(type.members.begin(), type.members.end(),
                       [](const Member& m) { return holdsPointer(*m.type); });
  return type.element != nullptr && holdsPointer(*type.element);
}

bool isChain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
}

class Promotion {
 public:
  explicit Promotion(Module& module) : module_(module), blocks_(module.entry.blocks) {}

  unsigned run() {
    for (const Variable& v : module_.variables) declare(v);
    for (const Variable& v : module_.entry.variables) declare(v);
    if (variables_.empty()) return 0;
    for (size_t b = 0; b < blocks_.size(); ++b) numbers_[blocks_[b].label] = b;
    orderBlocks();
    findPlaces();
    keepWhatIsUsedOtherwise();
    numberVariables();
    if (count_ == 0 || uint64_t{count_} * blocks_.size() > kMaxBits || !findLive()) return 0;
    for (size_t b : order_) rewrite(b);
    completePhis();
    removeTrivialPhis();
    write();
    return count_;
  }

 private:
  struct Candidate {
    const Variable* variable;
    uint32_t number = 0;
    bool stays = false;
  };
  // A pointer to a part of a variable.
  struct Place {
    uint32_t variable;  // index in variables_
    llvm::SmallVector<uint32_t, 2> indices;
    const Type* type;
  };
  struct Phi {
    Id result;
    uint32_t variable;
    llvm::SmallVector<Id, 2> values;  // of predecessors_, in their order
  };

  void declare(const Variable& v) {
    if (v.storage != spv::StorageClass::Function && v.storage != spv::StorageClass::Private) return;
    const Type* type = v.type->element;
    if (v.type->untyped || type->leaves() == 0 || type->leaves() > kMaxPromotedScalars ||
        holdsMatrix(type) || holdsPointer(*type) || module_.decorated(v.id).is_volatile)
      return;
    if (v.initializer != 0 && module_.constant(v.initializer) == nullptr) return;
    places_[v.id] = {static_cast<uint32_t>(variables_.size()), {}, type};
    variables_.push_back({&v});
  }

  // Reverse post-order, and the blocks that each is reached from.
  void orderBlocks() {
    successors_.resize(blocks_.size());
    predecessors_.resize(blocks_.size());
    for (size_t b = 0; b < blocks_.size(); ++b) {
      for (Id label : blocks_[b].successors()) {
        const size_t to = numbers_.at(label);
        if (llvm::is_contained(successors_[b], to)) continue;
        successors_[b].push_back(to);
        predecessors_[to].push_back(b);
      }
    }
    std::vector<bool> seen(blocks_.size());
    std::vector<std::pair<size_t, size_t>> path{{0, 0}};
    seen[0] = true;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next == successors_[block].size()) {
        order_.push_back(block);
        path.pop_back();
        continue;
      }
      const size_t to = successors_[block][next++];
      if (seen[to]) continue;
      seen[to] = true;
      path.emplace_back(to, 0);
    }
    std::reverse(order_.begin(), order_.end());
  }

  void findPlaces() {
    for (size_t b : order_) {
      for (const Instruction& i : blocks_[b].instructions) {
        if (!isChain(i.op)) continue;
        const auto base = places_.find(i.operands[0]);
        if (base == places_.end()) continue;
        Place place = base->second;
        if (follow(i, place))
          places_[i.result] = std::move(place);
        else
          variables_[base->second.variable].stays = true;
      }
    }
  }

  // By constant indices, none of them past the end.
  bool follow(const Instruction& chain, Place& place) const {
    for (size_t k = 1; k < chain.operands.size(); ++k) {
      const Constant* index = module_.constant(chain.operands[k]);
      if (index == nullptr || index->leaves.size() != 1 || !place.type->isComposite()) return false;
      const uint64_t parts =
          place.type->kind == TypeKind::Struct ? place.type->members.size() : place.type->count;
      if (index->leaves[0] >= parts) return false;
      const auto at = static_cast<uint32_t>(index->leaves[0]);
      if (place.type->kind == TypeKind::Struct && place.type->members[at].is_volatile) return false;
      place.indices.push_back(at);
      place.type = componentType(*place.type, at);
    }
    return !chain.type->untyped;
  }

  static bool isVolatile(const Instruction& i, size_t operand) {
    return i.operands.size() > operand &&
           (i.operands[operand] & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) != 0;
  }

  // The place that an instruction loads or stores, where that is all that it does with it.
  Id accessed(const Instruction& i) const {
    switch (i.op) {
      case spv::Op::OpLoad:
        return isVolatile(i, 1) || i.type != typeAt(i.operands[0]) ? 0 : i.operands[0];
      case spv::Op::OpStore:
        return isVolatile(i, 2) ? 0 : i.operands[0];
      case spv::Op::OpLifetimeStart:
        return i.operands[0];
      default:
        return isChain(i.op) && places_.contains(i.result) ? i.operands[0] : 0;
    }
  }

  const Type* typeAt(Id pointer) const {
    const auto place = places_.find(pointer);
    return place == places_.end() ? nullptr : place->second.type;
  }

  void keepWhatIsUsedOtherwise() {
    auto keep = [&](Id pointer) {
      if (auto place = places_.find(pointer); place != places_.end())
        variables_[place->second.variable].stays = true;
    };
    auto look = [&](const Instruction& i) {
      const Id pointer = accessed(i);
      bool skipped = false;
      for (Id id : valueOperands(i)) {
        // The first of an access is its pointer; a pointer may be what is stored, too.
        if (id == pointer && !skipped)
          skipped = true;
        else
          keep(id);
      }
    };
    for (const Block& block : blocks_) {
      for (const Instruction& i : block.instructions) look(i);
      look(block.terminator);
    }
    for (const Variable& v : module_.variables) keep(v.initializer);
  }

  void numberVariables() {
    for (Candidate& candidate : variables_)
      if (!candidate.stays) candidate.number = count_++;
    std::erase_if(places_, [&](const auto& p) { return variables_[p.second.variable].stays; });
  }

  const Place* find(Id pointer) const {
    const auto place = places_.find(pointer);
    return place == places_.end() ? nullptr : &place->second;
  }
  uint32_t numberOf(const Place& place) const { return variables_[place.variable].number; }

  // Which variables are read later from each block's start on; false where that is too much.
  bool findLive() {
    std::vector<llvm::BitVector> assigned(blocks_.size(), llvm::BitVector(count_));
    live_.assign(blocks_.size(), llvm::BitVector(count_));
    for (size_t b = 0; b < blocks_.size(); ++b) {
      for (const Instruction& i : blocks_[b].instructions) {
        const Place* place = accessed(i) == 0 || isChain(i.op) ? nullptr : find(i.operands[0]);
        if (place == nullptr) continue;
        const uint32_t v = numberOf(*place);
        // A store of a part keeps the rest.
        const bool reads =
            i.op == spv::Op::OpLoad || (i.op == spv::Op::OpStore && !place->indices.empty());
        if (reads && !assigned[b].test(v)) live_[b].set(v);
        if (!reads) assigned[b].set(v);
      }
    }
    llvm::BitVector after;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b : llvm::reverse(order_)) {
        after.clear();
        after.resize(count_);
        for (size_t to : successors_[b]) after |= live_[to];
        after.reset(assigned[b]);
        if (!after.test(live_[b])) continue;
        live_[b] |= after;
        changed = true;
      }
    }
    uint64_t all = 0;
    for (const llvm::BitVector& live : live_) all += live.count();
    values_.resize(blocks_.size());
    phis_.resize(blocks_.size());
    return all <= kMaxLive;
  }

  // What a variable holds that nothing was assigned to: nobody looks at it.
  Id nothing(const Type* type) {
    Id& constant = nothing_[type];
    if (constant == 0) {
      constant = module_.bound++;
      module_.constants[constant] = Constant{type, {}, /*undef=*/true};
    }
    return constant;
  }

  // The value of each live variable at a block's start.
  void enter(size_t b, std::vector<Id>& current) {
    for (const Candidate& c : variables_) {
      if (c.stays) continue;
      if (b == order_.front()) {
        current[c.number] =
            c.variable->initializer != 0 ? c.variable->initializer : nothing(typeOf(c));
        continue;
      }
      if (!live_[b].test(c.number)) continue;
      const auto& from = predecessors_[b];
      Id same = 0;
      for (size_t p : from) {
        const auto value = values_[p].find(c.number);
        const Id id = value == values_[p].end() ? 0 : value->second;
        if (id == 0 || (same != 0 && id != same)) {
          same = 0;
          break;
        }
        same = id;
      }
      if (same == 0) {
        same = module_.bound++;
        phis_[b].push_back({same, c.number, {}});
        phi_types_[same] = typeOf(c);
        if (auto name = module_.names.find(c.variable->id); name != module_.names.end()) {
          std::string text = name->second;
          module_.names[same] = std::move(text);
        }
      }
      current[c.number] = same;
    }
  }

  static const Type* typeOf(const Candidate& c) { return c.variable->type->element; }

  void rewrite(size_t b) {
    std::vector<Id> current(count_);
    enter(b, current);
    for (Instruction& i : blocks_[b].instructions) {
      if (accessed(i) == 0) continue;
      const Place* place = find(i.operands[0]);
      if (place == nullptr) continue;
      Id& value = current[numberOf(*place)];
      if (i.op == spv::Op::OpLoad) {
        i.op = place->indices.empty() ? spv::Op::OpCopyObject : spv::Op::OpCompositeExtract;
        i.operands = words({value}, place->indices);
      } else if (i.op == spv::Op::OpLifetimeStart) {
        value = nothing(typeOf(variables_[place->variable]));
        drop(i);
      } else if (isChain(i.op)) {
        drop(i);
      } else if (place->indices.empty()) {
        value = i.operands[1];
        drop(i);
      } else {
        i.op = spv::Op::OpCompositeInsert;
        i.operands = words({i.operands[1], value}, place->indices);
        i.type = typeOf(variables_[place->variable]);
        value = i.result = module_.bound++;
      }
    }
    std::erase_if(blocks_[b].instructions,
                  [](const Instruction& i) { return i.op == spv::Op::OpNop; });
    llvm::BitVector after(count_);
    for (size_t to : successors_[b]) after |= live_[to];
    for (unsigned v : after.set_bits()) values_[b][v] = current[v];
  }

  static void drop(Instruction& i) { i.op = spv::Op::OpNop; }

  std::span<uint32_t> words(std::initializer_list<Id> ids, llvm::ArrayRef<uint32_t> literals) {
    std::span<uint32_t> all = words_.allocate(ids.size() + literals.size());
    std::copy(literals.begin(), literals.end(), std::copy(ids.begin(), ids.end(), all.begin()));
    return all;
  }

  void completePhis() {
    for (size_t b = 0; b < blocks_.size(); ++b)
      for (Phi& phi : phis_[b])
        for (size_t p : predecessors_[b]) phi.values.push_back(values_[p].lookup(phi.variable));
  }

  Id resolved(Id id) {
    Id end = id;
    for (auto next = same_as_.find(end); next != same_as_.end(); next = same_as_.find(end))
      end = next->second;
    while (id != end) {
      Id& link = same_as_[id];
      id = std::exchange(link, end);
    }
    return end;
  }

  // Of a phi whose operands are one value and perhaps itself. Taking one out may make others so.
  void removeTrivialPhis() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b : order_) {
        std::erase_if(phis_[b], [&](const Phi& phi) {
          Id one = 0;
          for (Id value : phi.values) {
            value = resolved(value);
            if (value == phi.result || value == one) continue;
            if (one != 0) return false;
            one = value;
          }
          if (one == 0) return false;
          same_as_[phi.result] = one;
          changed = true;
          return true;
        });
      }
    }
  }

  // The phis, and the values that stand for those that are gone.
  void write() {
    for (size_t b = 0; b < blocks_.size(); ++b) {
      Block& block = blocks_[b];
      for (Instruction& i : block.instructions) redirect(i);
      redirect(block.terminator);
      std::vector<Instruction> phis;
      for (const Phi& phi : phis_[b]) {
        std::span<uint32_t> operands = words_.allocate(2 * phi.values.size());
        for (size_t k = 0; k < phi.values.size(); ++k) {
          operands[2 * k] = resolved(phi.values[k]);
          operands[2 * k + 1] = blocks_[predecessors_[b][k]].label;
        }
        Instruction i;
        i.op = spv::Op::OpPhi;
        i.type = phi_types_.at(phi.result);
        i.result = phi.result;
        i.operands = operands;
        phis.push_back(i);
      }
      block.instructions.insert(block.instructions.begin(), phis.begin(), phis.end());
    }
    auto promoted = [&](const Variable& v) { return places_.contains(v.id); };
    std::erase_if(module_.variables, promoted);
    std::erase_if(module_.entry.variables, promoted);
    words_.moveTo(module_.words);
  }

  // Only what was written here names phis of ours, and stored values stand in it.
  void redirect(Instruction& i) {
    const size_t values = i.op == spv::Op::OpCopyObject         ? 1
                          : i.op == spv::Op::OpCompositeExtract ? 1
                          : i.op == spv::Op::OpCompositeInsert  ? 2
                                                                : 0;
    bool changes = false;
    for (size_t k = 0; k < values; ++k) changes |= same_as_.contains(i.operands[k]);
    if (!changes) return;
    std::span<uint32_t> operands = words_.copy(i.operands);
    for (size_t k = 0; k < values; ++k) operands[k] = resolved(operands[k]);
    i.operands = operands;
  }

  Module& module_;
  std::vector<Block>& blocks_;
  std::vector<Candidate> variables_;
  uint32_t count_ = 0;  // of those that become values
  std::unordered_map<Id, Place> places_;
  std::unordered_map<Id, size_t> numbers_;  // of blocks, by label
  std::vector<llvm::SmallVector<size_t, 2>> successors_, predecessors_;
  std::vector<size_t> order_;
  std::vector<llvm::BitVector> live_;                 // at a block's start
  std::vector<llvm::DenseMap<uint32_t, Id>> values_;  // at a block's end, of what is live there
  std::vector<std::vector<Phi>> phis_;
  std::unordered_map<Id, const Type*> phi_types_;
  std::unordered_map<Id, Id> same_as_;
  std::unordered_map<const Type*, Id> nothing_;
  WordArena words_;
};

}  // namespace

unsigned promoteVariables(Module& module) { return Promotion(module).run(); }

}  // namespace jit::spirv
