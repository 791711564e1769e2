// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/waterfall_loops.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "jit/analysis/expected_value.h"
#include "jit/analysis/waterfall_writer.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/tensor_access.h"
#include "jit/spirv/types.h"

namespace jit::simt {

using spirv::Block;
using spirv::Id;
using spirv::Instruction;
using spirv::MergeKind;
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
  return !traits.tangled && !writes && !spirv::tensorAccess(i);
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
    if (boolean == module_.types.end() || (headers.empty() && !someLoopLeavesCounter())) return 0;
    Linearization linearization(module_.entry, structure_);
    const UniformityAnalysis uniformity(module_, shape, linearization);
    const std::vector<SelectionArm> arms = chooseArms(linearization, uniformity);
    WaterfallWriter writer(module_, *boolean->second, block_of_);
    std::vector<std::pair<Id, std::vector<SharedValue>>> chosen;  // and counters
    for (Id header : headers) {
      if (inside_.contains(header)) continue;
      if (std::vector<SharedValue> counters = countersOf(header, linearization, uniformity);
          !counters.empty())
        chosen.emplace_back(header, std::move(counters));
    }
    for (const auto& [header, counters] : chosen)
      writer.wrapLoop(header, beginning(block(header).instructions[0], block(header)).second,
                      counters);
    for (const SelectionArm& arm : arms) writer.wrapArm(arm);
    writer.finish();
    return static_cast<unsigned>(chosen.size() + arms.size());
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
      for (Id operand : spirv::valueOperands(*i)) values.push_back(operand);
    }
    return false;
  }

  // Whether a loop's counter is used behind the loop. Few shaders have such.
  bool someLoopLeavesCounter() {
    std::unordered_map<Id, size_t> left;  // where the loop's end is
    for (const Block& block : blocks())
      if (block.merge_kind == MergeKind::Loop && structure_.position.contains(block.merge_block))
        for (const Instruction& i : block.instructions)
          if (isCounter(i)) left[i.result] = structure_.position.at(block.merge_block);
    return std::any_of(blocks().begin(), blocks().end(), [&](const Block& block) {
      const auto position = structure_.position.find(block.label);
      auto comesLater = [&](Id value) {
        const auto found = left.find(value);
        return found != left.end() && position->second >= found->second;
      };
      return position != structure_.position.end() &&
             std::any_of(block.instructions.begin(), block.instructions.end(),
                         [&](const Instruction& i) {
                           return llvm::any_of(spirv::valueOperands(i), comesLater);
                         });
    });
  }

  // Those of a loop that are expected to begin alike, and need not; none where it is to stay.
  std::vector<SharedValue> countersOf(Id label, const Linearization& linearization,
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
    std::vector<SharedValue> counters;
    for (const Instruction& i : header.instructions) {
      if (!isCounter(i) || uniformity.whole(i.result) != Uniformity::Varying) continue;
      const auto [value, before] = beginning(i, header);
      if (uniformity.at(value, linearization.nodeOf(before)) != Uniformity::Varying) continue;
      const auto expected = expectedValue(i.result, definitions_, uniformity);
      const auto first = expectedValue(value, definitions_, uniformity);
      if (expected && first && expected->base == first->base)
        counters.push_back({i.result, i.type, *first});
    }
    return reads ? counters : std::vector<SharedValue>{};
  }

  // The arms that read memory by what loops have left, the outermost ones.
  std::vector<SelectionArm> chooseArms(const Linearization& linearization,
                                       const UniformityAnalysis& uniformity) {
    std::vector<SelectionArm> arms;
    for (uint32_t n = 0; n < linearization.nodes().size(); ++n) {
      const Node& node = linearization.nodes()[n];
      const Block& header = blocks()[node.block];
      if (node.latch || inside_.contains(header.label) ||
          header.merge_kind != MergeKind::Selection || !block_of_.contains(header.merge_block))
        continue;
      for (Id first : header.successors())
        if (std::optional<SelectionArm> arm = armAt(header, first, linearization, uniformity)) {
          inside_.insert(arm->blocks.begin(), arm->blocks.end());
          arms.push_back(std::move(*arm));
        }
    }
    return arms;
  }

  std::optional<SelectionArm> armAt(const Block& header, Id first,
                                    const Linearization& linearization,
                                    const UniformityAnalysis& uniformity) {
    SelectionArm arm{header.label, first, header.merge_block, {}, {}};
    if (first == arm.merge) return std::nullopt;
    const uint32_t begin = linearization.nodeOf(first);
    const uint32_t end = linearization.nodeOf(arm.merge);
    if (linearization.nodes()[begin].dominator != linearization.nodeOf(header.label) ||
        linearization.dominates(begin, end))
      return std::nullopt;
    bool reads = false;
    std::unordered_set<Id> seen;
    for (uint32_t n = linearization.nodeOf(header.label) + 1; n < end; ++n) {
      const Node& node = linearization.nodes()[n];
      const Block& inside = blocks()[node.block];
      if (!linearization.dominates(begin, n)) {
        const auto targets = inside.successors();  // another side that goes on into this one
        if (llvm::is_contained(targets, first)) return std::nullopt;
        continue;
      }
      if (node.latch) continue;
      if (node.successors.empty() ||
          !std::all_of(inside.instructions.begin(), inside.instructions.end(), isForEach))
        return std::nullopt;
      for (Id target : inside.successors())
        if (target != arm.merge && !linearization.dominates(begin, linearization.nodeOf(target)))
          return std::nullopt;
      arm.blocks.push_back(inside.label);
      for (const Instruction& i : inside.instructions) {
        reads |= i.op == spv::Op::OpLoad;
        for (Id value : spirv::valueOperands(i)) {
          if (!seen.insert(value).second) continue;
          if (const auto expected = leftByLoop(value, begin, linearization, uniformity))
            arm.values.push_back({value, definitions_.at(value).first->type, *expected});
        }
      }
    }
    if (!reads || arm.values.empty()) return std::nullopt;
    return arm;
  }

  // What is expected of a value from in front of `node` that differs because invocations left a
  // loop at different times.
  std::optional<ExpectedValue> leftByLoop(Id value, uint32_t node,
                                          const Linearization& linearization,
                                          const UniformityAnalysis& uniformity) const {
    const auto found = definitions_.find(value);
    if (found == definitions_.end() || found->second.first->type->kind != TypeKind::Int ||
        uniformity.at(value, node) != Uniformity::Varying)
      return std::nullopt;
    const uint32_t defined = uniformity.definition(value);
    if (defined == kNoNode || linearization.dominates(node, defined)) return std::nullopt;
    if (!uniformity.escapesLoop(value) && uniformity.shape(value).isLinear()) return std::nullopt;
    return expectedValue(value, definitions_, uniformity);
  }

  spirv::Module& module_;
  const spirv::Structure& structure_;
  std::unordered_map<Id, size_t> block_of_;  // by label
  Definitions definitions_;
  std::unordered_set<Id> inside_;  // of the arms that were chosen, the labels of all blocks
};

}  // namespace

unsigned writeWaterfallLoops(spirv::Module& module, const spirv::Structure& structure,
                             const WorkgroupShape& shape) {
  const bool has_loops =
      std::any_of(module.entry.blocks.begin(), module.entry.blocks.end(),
                  [](const Block& block) { return block.merge_kind == MergeKind::Loop; });
  return has_loops ? WaterfallLoops(module, structure).write(shape) : 0;
}

}  // namespace jit::simt
