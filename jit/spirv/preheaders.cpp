// SPDX-License-Identifier: Apache-2.0

// Loops are entered by one plain branch: what comes after reading knows no other form. Compilers
// for shading languages write loops so; optimisers merge the block before a header into it.
#include <algorithm>

#include "jit/spirv/branch_targets.h"
#include "jit/spirv/reading.h"

namespace jit::spirv {

namespace {

// How control gets to a loop's header, other than from inside of the loop.
struct Entry {
  std::unordered_set<Id> parents;  // labels of the blocks that branch there
  bool by_choice = false;          // one of them has other targets, too
  bool declared = false;           // it is a merge block, or another loop's continue target
};

class Preheaders {
 public:
  explicit Preheaders(Module& module) : module_(module) {
    for (const Block& block : module.entry.blocks)
      if (block.merge_kind == MergeKind::Loop) entries_[block.label];
  }

  void write() {
    if (entries_.empty()) return;
    collect();
    std::erase_if(entries_, [](const auto& entry) {
      const Entry& e = entry.second;
      return e.parents.size() == 1 && !e.by_choice && !e.declared;
    });
    if (entries_.empty()) return;
    for (const Block& block : module_.entry.blocks) name(block.label);
    for (Block& block : module_.entry.blocks) redirect(block);
    std::vector<Block> blocks;
    for (Block& block : module_.entry.blocks) {
      if (entries_.contains(block.label)) blocks.push_back(preheader(block));
      blocks.push_back(std::move(block));
    }
    module_.entry.blocks = std::move(blocks);
    words_.moveTo(module_.words);
  }

 private:
  // A depth-first search: what branches to a header on the path to it comes from inside of its
  // loop, as control flow is reducible.
  void collect() {
    const std::vector<Block>& blocks = module_.entry.blocks;
    std::unordered_map<Id, size_t> index;
    for (size_t i = 0; i < blocks.size(); ++i) index[blocks[i].label] = i;
    struct Step {
      size_t block;
      std::vector<Id> targets;
      size_t next = 0;
    };
    std::vector<bool> seen(blocks.size()), on_path(blocks.size());
    std::vector<Step> path;
    auto enter = [&](size_t block) {
      seen[block] = on_path[block] = true;
      path.push_back({block, blocks[block].successors()});
      const Block& entered = blocks[block];
      if (entered.merge_kind == MergeKind::None) return;
      declare(entered.merge_block);
      if (entered.merge_kind == MergeKind::Loop && entered.continue_block != entered.label)
        declare(entered.continue_block);
    };
    enter(0);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == step.targets.size()) {
        on_path[step.block] = false;
        path.pop_back();
        continue;
      }
      const Id label = step.targets[step.next++];
      const size_t target = index.at(label);
      if (auto entry = entries_.find(label); entry != entries_.end() && !on_path[target])
        arrive(entry->second, blocks[step.block].label, step.targets);
      if (!seen[target]) enter(target);
    }
  }

  void declare(Id label) {
    if (auto entry = entries_.find(label); entry != entries_.end()) entry->second.declared = true;
  }

  static void arrive(Entry& entry, Id parent, const std::vector<Id>& targets) {
    entry.parents.insert(parent);
    entry.by_choice |= targets.size() > 1;
  }

  void name(Id header) {
    if (!entries_.contains(header)) return;
    const Id label = preheader_of_[header] = module_.bound++;
    if (auto found = module_.names.find(header); found != module_.names.end()) {
      std::string text = found->second + ".preheader";
      module_.names[label] = std::move(text);
    }
  }

  bool entersBy(Id header, Id parent) const { return entries_.at(header).parents.contains(parent); }

  // Where a branch to `label` goes, or a merge instruction that declares it: the preheader.
  Id instead(Id label) const {
    auto found = preheader_of_.find(label);
    return found == preheader_of_.end() ? label : found->second;
  }

  // Sends a block, and the declarations of its construct, to the preheaders.
  void redirect(Block& block) {
    block.merge_block = instead(block.merge_block);
    if (block.continue_block != block.label) block.continue_block = instead(block.continue_block);
    redirectBranches(block, words_, [&](Id target) {
      return preheader_of_.contains(target) && entersBy(target, block.label) ? instead(target)
                                                                             : target;
    });
  }

  // The block before `header`, whose phis take over what those of the header bring from outside.
  Block preheader(Block& header) {
    Block block;
    block.label = preheader_of_.at(header.label);
    block.terminator.op = spv::Op::OpBranch;
    block.terminator.operands = words_.copy({header.label});
    block.terminator.location = header.terminator.location;
    for (Instruction& phi : header.instructions) {
      if (phi.op != spv::Op::OpPhi) break;
      std::vector<uint32_t> outside, inside;
      for (size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
        auto& side = entersBy(header.label, phi.operands[k + 1]) ? outside : inside;
        side.insert(side.end(), {phi.operands[k], phi.operands[k + 1]});
      }
      Id value = outside.empty() ? 0 : outside[0];
      if (outside.size() > 2) {
        Instruction merged = phi;
        merged.result = value = module_.bound++;
        if (auto found = module_.decorations.find(phi.result); found != module_.decorations.end()) {
          const Decorations copy = found->second;
          module_.decorations[value] = copy;
        }
        merged.operands = words_.copy(std::span(std::as_const(outside)));
        block.instructions.push_back(merged);
      }
      inside.insert(inside.begin(), {value, block.label});
      phi.operands = words_.copy(std::span(std::as_const(inside)));
    }
    return block;
  }

  Module& module_;
  std::unordered_map<Id, Entry> entries_;  // by the header's label: of all, then of those to change
  std::unordered_map<Id, Id> preheader_of_;  // by the header's label
  WordArena words_;
};

}  // namespace

void writePreheaders(Module& module) { Preheaders(module).write(); }

}  // namespace jit::spirv
