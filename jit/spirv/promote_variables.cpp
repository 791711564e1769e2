// SPDX-License-Identifier: Apache-2.0

// Phis are placed where values are read later (liveness) and several paths meet; those that bring
// one value only are taken out again. See Braun et al., "Simple and Efficient Construction of
// Static Single Assignment Form" (2013), for the removal.
#include "jit/spirv/promote_variables.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <optional>

#include "jit/spirv/promotable_variables.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

// Bits and values in tables over blocks and variables. Beyond them all variables stay.
constexpr uint64_t kMaxLivenessBits = uint64_t{1} << 30;
constexpr uint64_t kMaxLive = uint64_t{1} << 22;

class Promotion {
 public:
  Promotion(Module& module, bool by_value)
      : module_(module), blocks_(module.entry.blocks), by_value_(by_value) {}

  unsigned run() {
    for (size_t b = 0; b < blocks_.size(); ++b) numbers_[blocks_[b].label] = b;
    orderBlocks();
    variables_.emplace(module_, order_, by_value_);
    count_ = variables_->count();
    if (count_ == 0 || uint64_t{count_} * blocks_.size() > kMaxLivenessBits || !findLive())
      return 0;
    for (size_t b : order_) rewrite(b);
    completePhis();
    removeTrivialPhis();
    write();
    return count_;
  }

 private:
  struct Phi {
    Id result;
    uint32_t variable;
    llvm::SmallVector<Id, 2> values;  // of predecessors_, in their order
  };

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

  // Which variables are read later from each block's start on; false where that is too much.
  bool findLive() {
    std::vector<llvm::BitVector> assigned(blocks_.size(), llvm::BitVector(count_));
    live_.assign(blocks_.size(), llvm::BitVector(count_));
    for (size_t b = 0; b < blocks_.size(); ++b) {
      for (const Instruction& i : blocks_[b].instructions) {
        const auto* access = variables_->accessedBy(i);
        const bool chain = i.type != nullptr && i.type->kind == TypeKind::Pointer;
        if (access == nullptr || chain) continue;
        const uint32_t v = variables_->numberOf(*access);
        // A store of a part keeps the rest.
        const bool reads =
            i.op == spv::Op::OpLoad || (i.op == spv::Op::OpStore && !access->isWhole());
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
    for (const auto& c : variables_->candidates()) {
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

  static const Type* typeOf(const PromotableVariables::Candidate& c) {
    return c.variable->type->element;
  }

  void rewrite(size_t b) {
    std::vector<Id> current(count_);
    enter(b, current);
    for (Instruction& i : blocks_[b].instructions) {
      const auto* access = variables_->accessedBy(i);
      if (access == nullptr) continue;
      Id& value = current[variables_->numberOf(*access)];
      if (i.op == spv::Op::OpLoad) {
        i.op = access->component != 0    ? spv::Op::OpVectorExtractDynamic
               : access->indices.empty() ? spv::Op::OpCopyObject
                                         : spv::Op::OpCompositeExtract;
        i.operands = access->component != 0 ? words({value, access->component}, {})
                                            : words({value}, access->indices);
      } else if (i.op == spv::Op::OpLifetimeStart) {
        value = nothing(variables_->typeOf(*access));
        drop(i);
      } else if (i.type != nullptr) {  // an access chain
        drop(i);
      } else if (access->isWhole()) {
        value = i.operands[1];
        drop(i);
      } else {
        const bool by_value = access->component != 0;
        i.op = by_value ? spv::Op::OpVectorInsertDynamic : spv::Op::OpCompositeInsert;
        i.operands = by_value ? words({value, i.operands[1], access->component}, {})
                              : words({i.operands[1], value}, access->indices);
        i.type = variables_->typeOf(*access);
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
    auto promoted = [&](const Variable& v) { return variables_->contains(v.id); };
    std::erase_if(module_.variables, promoted);
    std::erase_if(module_.entry.variables, promoted);
    words_.moveTo(module_.words);
  }

  // Only what was written here names phis of ours, and stored values stand in it.
  void redirect(Instruction& i) {
    const size_t values = i.op == spv::Op::OpCopyObject             ? 1
                          : i.op == spv::Op::OpCompositeExtract     ? 1
                          : i.op == spv::Op::OpVectorExtractDynamic ? 1
                          : i.op == spv::Op::OpVectorInsertDynamic  ? 2
                          : i.op == spv::Op::OpCompositeInsert      ? 2
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
  const bool by_value_;
  std::optional<PromotableVariables> variables_;
  uint32_t count_ = 0;                      // of those that become values
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

unsigned promoteVariables(Module& module, bool by_value) {
  return Promotion(module, by_value).run();
}

}  // namespace jit::spirv
