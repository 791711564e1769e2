// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/waterfall_loops.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "jit/spirv/branch_targets.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/types.h"

namespace jit::simt {

using spirv::Block;
using spirv::Id;
using spirv::Instruction;
using spirv::MergeKind;
using spirv::Type;
using spirv::TypeKind;

namespace {

// Values that are looked at for the beginning of one counter.
constexpr size_t kMostValues = 64;

// Whether invocations may carry it out in any groups and in any order.
bool isForEach(const Instruction& i) {
  if (spirv::groupInstruction(i) || (i.type != nullptr && spirv::holdsMatrix(i.type))) return false;
  const spirv::OpcodeTraits& traits = spirv::traitsOf(i.op);
  const bool writes =
      traits.effect == spirv::Effect::Any && i.op != spv::Op::OpStore && i.op != spv::Op::OpExtInst;
  return !traits.tangled && !writes;
}

bool goesOnEvenly(spv::Op op) {
  return op == spv::Op::OpIAdd || op == spv::Op::OpISub || op == spv::Op::OpCopyObject;
}

// The values of a phi, or of what goes on evenly.
std::vector<Id> operandsOf(const Instruction& i) {
  std::vector<Id> values;
  for (size_t k = 0; k < i.operands.size(); k += i.op == spv::Op::OpPhi ? 2 : 1)
    values.push_back(i.operands[k]);
  return values;
}

bool isCounter(const Instruction& phi) {
  return phi.op == spv::Op::OpPhi && phi.type->kind == TypeKind::Int && phi.operands.size() == 4;
}

class WaterfallLoops {
 public:
  WaterfallLoops(spirv::Module& module, const spirv::Structure& structure)
      : module_(module), structure_(structure) {
    for (size_t b = 0; b < blocks().size(); ++b) {
      block_of_[blocks()[b].label] = b;
      for (const Instruction& i : blocks()[b].instructions)
        if (i.result != 0) definitions_[i.result] = {&i, b};
    }
  }

  unsigned write(const WorkgroupShape& shape) {
    std::vector<Id> headers;
    for (const Block& block : blocks())
      if (block.merge_kind == MergeKind::Loop &&
          std::any_of(
              block.instructions.begin(), block.instructions.end(),
              [&](const Instruction& i) { return isCounter(i) && goesOnWithAnother(i, block); }))
        headers.push_back(block.label);
    const auto boolean =
        std::find_if(module_.types.begin(), module_.types.end(),
                     [](const auto& t) { return t.second->kind == TypeKind::Bool; });
    if (headers.empty() || boolean == module_.types.end()) return 0;
    boolean_ = boolean->second.get();
    Linearization linearization(module_.entry, structure_);
    const UniformityAnalysis uniformity(module_, shape, linearization);
    std::vector<std::pair<Id, std::vector<Id>>> chosen;  // and counters
    for (Id header : headers)
      if (std::vector<Id> counters = countersOf(header, linearization, uniformity);
          !counters.empty())
        chosen.emplace_back(header, std::move(counters));
    for (const auto& [header, counters] : chosen) wrap(header, counters);
    words_.moveTo(module_.words);
    return static_cast<unsigned>(chosen.size());
  }

 private:
  std::vector<Block>& blocks() { return module_.entry.blocks; }
  Block& block(Id label) { return blocks()[block_of_.at(label)]; }

  bool isBefore(Id a, Id b) const { return structure_.position.at(a) < structure_.position.at(b); }

  // What a loop's phi gets from outside, and which block from.
  std::pair<Id, Id> beginning(const Instruction& phi, const Block& header) const {
    const size_t k = isBefore(phi.operands[1], header.label) ? 0 : 2;
    return {phi.operands[k], phi.operands[k + 1]};
  }

  // Whether it begins with another loop's counter, perhaps by way of phis and sums.
  bool goesOnWithAnother(const Instruction& phi, const Block& header) const {
    std::vector<Id> values = {beginning(phi, header).first};
    std::unordered_set<Id> seen = {phi.result};
    while (!values.empty() && seen.size() < kMostValues) {
      const Id value = values.back();
      values.pop_back();
      const auto found = definitions_.find(value);
      if (found == definitions_.end() || !seen.insert(value).second) continue;
      const auto [i, b] = found->second;
      const bool is_phi = i->op == spv::Op::OpPhi;
      if (is_phi && module_.entry.blocks[b].merge_kind == MergeKind::Loop) return true;
      if (!is_phi && !goesOnEvenly(i->op)) continue;
      for (Id operand : operandsOf(*i)) values.push_back(operand);
    }
    return false;
  }

  // Those of a loop that are expected to begin alike, and need not; none where it is to stay.
  std::vector<Id> countersOf(Id label, const Linearization& linearization,
                             const UniformityAnalysis& uniformity) {
    const Block& header = block(label);
    const uint32_t first = linearization.nodeOf(label);
    if (!linearization.nodes()[first].dynamic_header || !block_of_.contains(header.merge_block))
      return {};
    bool reads = false;
    for (uint32_t n = first; n <= linearization.nodes()[first].header_latch; ++n) {
      const Node& node = linearization.nodes()[n];
      if (node.latch) continue;
      const Block& inside = blocks()[node.block];
      if (node.successors.empty() ||
          !std::all_of(inside.instructions.begin(), inside.instructions.end(), isForEach))
        return {};
      for (Id target : inside.successors())
        if (!linearization.inLoop(linearization.nodeOf(target), first) &&
            target != header.merge_block)
          return {};
      reads |= std::any_of(inside.instructions.begin(), inside.instructions.end(),
                           [](const Instruction& i) { return i.op == spv::Op::OpLoad; });
    }
    std::vector<Id> counters;
    for (const Instruction& i : header.instructions) {
      if (!isCounter(i) || uniformity.whole(i.result) != Uniformity::Varying) continue;
      const auto [value, before] = beginning(i, header);
      if (uniformity.at(value, linearization.nodeOf(before)) == Uniformity::Varying &&
          isExpectedUniform(i, uniformity))
        counters.push_back(i.result);
    }
    return reads ? counters : std::vector<Id>{};
  }

  Instruction instruction(spv::Op op, const Type* type, std::initializer_list<uint32_t> operands,
                          const Instruction& like) {
    return {.op = op,
            .type = type,
            .result = type == nullptr ? 0 : module_.bound++,
            .operands = words_.copy(operands),
            .word = like.word,
            .location = like.location};
  }

  Block plainBlock(Id target, const Instruction& like) {
    Block block;
    block.label = module_.bound++;
    block.terminator = instruction(spv::Op::OpBranch, nullptr, {target}, like);
    return block;
  }

  // Whether it is the same for all live invocations if those that its phis join went the same way.
  bool isExpectedUniform(const Instruction& phi, const UniformityAnalysis& uniformity) const {
    std::unordered_set<Id> seen = {phi.result};
    std::vector<const Instruction*> open = {&phi};
    while (!open.empty()) {
      const Instruction& i = *open.back();
      open.pop_back();
      if (i.op != spv::Op::OpPhi && !goesOnEvenly(i.op)) return false;
      for (Id value : operandsOf(i)) {
        if (uniformity.whole(value) != Uniformity::Varying || !seen.insert(value).second) continue;
        const auto found = definitions_.find(value);
        if (found == definitions_.end() || seen.size() > kMostValues) return false;
        open.push_back(found->second.first);
      }
    }
    return true;
  }

  //   before -> around -> test -> inner -> header ... -> leave -> merge
  //                ^        |
  //                `- again <- those who begin with another number
  void wrap(Id label, const std::vector<Id>& counters) {
    Block* header = &block(label);
    const Instruction like = header->terminator;
    const Id merge = header->merge_block;
    const Id before = beginning(header->instructions[0], *header).second;
    Block inner = plainBlock(label, like), leave = plainBlock(merge, like);
    Block test;
    test.label = module_.bound++;
    Block around = plainBlock(test.label, like), again = plainBlock(around.label, like);
    around.merge_kind = MergeKind::Loop;
    around.merge_block = merge;
    around.continue_block = again.label;

    Id alike = 0;
    for (Instruction& phi : header->instructions) {
      if (phi.op != spv::Op::OpPhi) break;
      const size_t k = phi.operands[1] == before ? 0 : 2;
      std::span<uint32_t> operands = words_.copy(phi.operands);
      operands[k + 1] = inner.label;
      if (std::find(counters.begin(), counters.end(), phi.result) != counters.end()) {
        const Instruction one = instruction(spv::Op::OpGroupNonUniformBroadcastFirst, phi.type,
                                            {subgroupScope(*phi.type), operands[k]}, like);
        const Instruction equal =
            instruction(spv::Op::OpIEqual, boolean_, {operands[k], one.result}, like);
        test.instructions.insert(test.instructions.end(), {one, equal});
        if (alike != 0) {
          test.instructions.push_back(
              instruction(spv::Op::OpLogicalAnd, boolean_, {alike, equal.result}, like));
        }
        alike = test.instructions.back().result;
        operands[k] = one.result;
      }
      phi.operands = operands;
    }
    test.merge_kind = MergeKind::Selection;
    test.merge_block = inner.label;
    test.terminator =
        instruction(spv::Op::OpBranchConditional, nullptr, {alike, inner.label, again.label}, like);

    Block& after = block(merge);
    const auto end = std::find_if(after.instructions.begin(), after.instructions.end(),
                                  [](const Instruction& i) { return i.op != spv::Op::OpPhi; });
    leave.instructions.assign(after.instructions.begin(), end);
    after.instructions.erase(after.instructions.begin(), end);
    header->merge_block = leave.label;
    redirect(block(before), label, around.label);
    for (Block& other : blocks()) redirect(other, merge, leave.label);
    for (Block* made : {&around, &test, &inner, &leave, &again}) {
      block_of_[made->label] = blocks().size();
      blocks().push_back(std::move(*made));
    }
  }

  Id subgroupScope(const Type& type) {
    constexpr uint64_t kSubgroup = static_cast<uint64_t>(spv::Scope::Subgroup);
    if (scope_ == 0) {
      scope_ = module_.bound++;
      module_.constants[scope_] = {.type = &type, .leaves = {kSubgroup}};
    }
    return scope_;
  }

  // Branches of `block` to `from` go to `to`.
  void redirect(Block& block, Id from, Id to) {
    spirv::redirectBranches(block, words_, [&](Id target) { return target == from ? to : target; });
  }

  spirv::Module& module_;
  const spirv::Structure& structure_;
  std::unordered_map<Id, size_t> block_of_;  // by label
  std::unordered_map<Id, std::pair<const Instruction*, size_t>> definitions_;
  spirv::WordArena words_;
  const Type* boolean_ = nullptr;
  Id scope_ = 0;
};

}  // namespace

unsigned writeWaterfallLoops(spirv::Module& module, const spirv::Structure& structure,
                             const WorkgroupShape& shape) {
  const auto loops =
      std::count_if(module.entry.blocks.begin(), module.entry.blocks.end(),
                    [](const Block& block) { return block.merge_kind == MergeKind::Loop; });
  return loops < 2 ? 0 : WaterfallLoops(module, structure).write(shape);
}

}  // namespace jit::simt
