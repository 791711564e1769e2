// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/share_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/STLExtras.h>

#include <unordered_map>

#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/plain_loads.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

struct HashOfWords {
  size_t operator()(const std::vector<uint32_t>& words) const {
    return llvm::hash_combine_range(words.begin(), words.end());
  }
};

bool isScalarOrVector(const Type* type) {
  return type != nullptr && (type->isScalar() || type->kind == TypeKind::Vector);
}

class Sharing {
 public:
  explicit Sharing(Module& module)
      : module_(module), blocks_(module.entry.blocks), plain_(module) {}

  unsigned run() {
    llvm::DenseMap<Id, size_t> numbers;
    std::vector<std::vector<size_t>> from(blocks_.size());
    for (size_t b = 0; b < blocks_.size(); ++b) numbers[blocks_[b].label] = b;
    for (size_t b = 0; b < blocks_.size(); ++b)
      for (Id label : blocks_[b].successors())
        if (!llvm::is_contained(from[numbers.at(label)], b)) from[numbers.at(label)].push_back(b);
    // What is behind a loop would have to ask for what each invocation had when it left.
    std::vector<bool> begins(blocks_.size());
    begins[0] = true;
    for (const Block& block : blocks_)
      if (block.merge_kind == MergeKind::Loop)
        if (const auto merge = numbers.find(block.merge_block); merge != numbers.end())
          begins[merge->second] = true;
    children_.resize(blocks_.size());
    for (size_t b = 0; b < blocks_.size(); ++b) {
      if (from[b].size() != 1) begins[b] = true;
      if (!begins[b]) children_[from[b][0]].push_back(b);
    }
    for (size_t b = 0; b < blocks_.size(); ++b)
      if (begins[b]) visit(b);
    if (count_ == 0) return 0;
    removeUnused();
    words_.moveTo(module_.words);
    return count_;
  }

 private:
  // A block, and then those that only it leads to, each with what is known at its end. No
  // recursion: such paths are as long as a shader.
  void visit(size_t root) {
    struct Step {
      size_t block, next_child = 0, known;
      uint32_t epoch;
    };
    std::vector<Step> path;
    auto enter = [&](size_t block) {
      const size_t known = added_.size();
      share(blocks_[block]);
      path.push_back({block, 0, known, epoch_});
    };
    epoch_ = ++epochs_;
    enter(root);
    while (!path.empty()) {
      Step& step = path.back();
      epoch_ = step.epoch;
      if (step.next_child < children_[step.block].size()) {
        enter(children_[step.block][step.next_child++]);
        continue;
      }
      for (; added_.size() > step.known; added_.pop_back()) values_.erase(added_.back());
      path.pop_back();
    }
  }

  void share(Block& block) {
    for (Instruction& i : block.instructions) {
      if (i.op == spv::Op::OpCopyObject) {
        same_[i.result] = original(i.operands[0]);
        continue;
      }
      if (i.op == spv::Op::OpPhi || i.op == spv::Op::OpUndef) continue;
      const bool loads = isPlainLoad(i);
      if (!loads && !isPure(i)) {
        // No two epochs of a module have one number.
        if (plain_.mayWrite(i)) epoch_ = ++epochs_;
        continue;
      }
      if (isAccessChain(i.op)) {
        const auto base = bases_.find(i.operands[0]);
        bases_[i.result] = base == bases_.end() ? i.operands[0] : base->second;
      }
      if (module_.decorations.contains(i.result)) continue;
      std::vector<uint32_t> key = keyOf(i);
      if (loads) key.push_back(epoch_);
      const auto [found, is_new] = values_.try_emplace(key, i.result);
      if (is_new) {
        added_.push_back(std::move(key));
        continue;
      }
      same_[i.result] = found->second;
      ++count_;
      if (isAccessChain(i.op))
        continue;  // pointers are not copied: nobody needs it any more, or it stays
      i.op = spv::Op::OpCopyObject;
      i.operands = words_.copy({found->second});
    }
  }

  Id original(Id id) const {
    const auto found = same_.find(id);
    return found == same_.end() ? id : found->second;
  }

  // Without effects, and the same wherever it is done.
  bool isPure(const Instruction& i) const {
    if (isAccessChain(i.op)) return true;
    if (!isScalarOrVector(i.type)) return false;
    if (i.op == spv::Op::OpExtInst) return plain_.isPureExtended(i);
    return traitsOf(i.op).effect == Effect::None;
  }

  bool isPlainLoad(const Instruction& i) const {
    if (i.op != spv::Op::OpLoad) return false;
    const auto chain = bases_.find(original(i.operands[0]));
    return plain_.isPlainLoad(i, chain == bases_.end() ? i.operands[0] : chain->second);
  }

  std::vector<uint32_t> keyOf(const Instruction& i) const {
    std::vector<uint32_t> key = {static_cast<uint32_t>(i.op), i.type->id};
    const OperandRange& ids = traitsOf(i.op).values;
    for (size_t o = 0; o < i.operands.size(); ++o)
      if (i.op != spv::Op::OpLoad || o == 0)
        key.push_back(o >= ids.first && o < ids.end ? original(i.operands[o]) : i.operands[o]);
    return key;
  }

  // Users stand behind what they use but for phis round a loop, which keep it.
  void removeUnused() {
    llvm::DenseMap<Id, unsigned> uses;
    for (const Block& block : blocks_) {
      for (const Instruction& i : block.instructions)
        for (Id id : valueOperands(i)) ++uses[id];
      for (Id id : valueOperands(block.terminator)) ++uses[id];
    }
    for (Block& block : llvm::reverse(blocks_)) {
      std::vector<Instruction> kept;
      for (Instruction& i : llvm::reverse(block.instructions)) {
        const bool can_go = i.op == spv::Op::OpCopyObject || isPure(i) || isPlainLoad(i);
        if (can_go && uses.lookup(i.result) == 0)
          for (Id id : valueOperands(i)) --uses[id];
        else
          kept.push_back(std::move(i));
      }
      std::reverse(kept.begin(), kept.end());
      block.instructions = std::move(kept);
    }
  }

  Module& module_;
  std::vector<Block>& blocks_;
  const PlainLoads plain_;
  WordArena words_;
  std::vector<std::vector<size_t>> children_;  // by block: what only it leads to
  using Values = std::unordered_map<std::vector<uint32_t>, Id, HashOfWords>;
  Values values_;                             // that are known where the walk is
  std::vector<std::vector<uint32_t>> added_;  // their keys, in order
  llvm::DenseMap<Id, Id> same_;               // the value that another one is equal to
  llvm::DenseMap<Id, Id> bases_;              // the variable that a chain begins at
  uint32_t epoch_ = 0, epochs_ = 0;           // of memory: without writes
  unsigned count_ = 0;
};

}  // namespace

unsigned shareValues(Module& module) { return Sharing(module).run(); }

}  // namespace jit::spirv
