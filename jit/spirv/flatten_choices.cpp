// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/flatten_choices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

constexpr uint64_t kMaxComponents = 4;
// Instructions of a block that is copied to the end of another at once: of a long row of choices
// each would be copied as often as there are choices before it. The rest is joined at the end.
constexpr size_t kMaxTaken = 256;

bool isNumber(const Type* type) {
  return type != nullptr && (type->isScalar() || type->kind == TypeKind::Vector) &&
         type->leaves() <= kMaxComponents;
}

// Of an operation on each component by itself, for one; none: not to be done by others.
std::optional<unsigned> costOfExtended(uint32_t instruction) {
  const auto in = [instruction](uint32_t first, uint32_t last) {
    return instruction >= first && instruction <= last;
  };
  if (in(GLSLstd450Round, GLSLstd450Fract) || in(GLSLstd450FMin, GLSLstd450Step) ||
      instruction == GLSLstd450Fma || in(GLSLstd450NMin, GLSLstd450NClamp))
    return 1;
  return std::nullopt;
}

class Flattening {
 public:
  explicit Flattening(Module& module) : module_(module), blocks_(module.entry.blocks) {
    for (size_t b = 0; b < blocks_.size(); ++b) numbers_[blocks_[b].label] = b;
    for (const Block& block : blocks_) {
      for (Id label : block.successors()) ++edges_[label];
      if (block.merge_kind != MergeKind::None) ++named_[block.merge_block];
      if (block.merge_kind != MergeKind::Loop) continue;
      ++named_[block.continue_block];
      loops_.insert({block.merge_block, block.continue_block});
    }
    for (const auto* variables : {&module.variables, &module.entry.variables})
      for (const Variable& v : *variables) variables_[v.id] = v.storage;
    gone_.resize(blocks_.size());
  }

  // Headers come before what is inside: the last first.
  unsigned run() {
    unsigned count = 0;
    for (size_t b = blocks_.size(); b-- > 0;)
      while (!gone_[b] && (flatten(b) || endCall(b))) ++count;
    if (count == 0) return 0;
    for (size_t b = 0; b < blocks_.size(); ++b)
      while (!gone_[b] && join(blocks_[b])) continue;
    std::vector<Block> left;
    for (size_t b = 0; b < blocks_.size(); ++b)
      if (!gone_[b]) left.push_back(std::move(blocks_[b]));
    blocks_ = std::move(left);
    words_.moveTo(module_.words);
    return count;
  }

 private:
  Block& blockOf(Id label) { return blocks_[numbers_.at(label)]; }

  // Where a block branches to that only one other leads to, and where nothing else begins.
  std::optional<Id> leadsTo(const Block& block, unsigned named) const {
    const bool plain = edges_.at(block.label) == 1 && block.merge_kind == MergeKind::None &&
                       block.terminator.op == spv::Op::OpBranch &&
                       (block.instructions.empty() || block.instructions[0].op != spv::Op::OpPhi);
    const auto names = named_.find(block.label);
    if (!plain || (names == named_.end() ? 0 : names->second) != named) return std::nullopt;
    return block.terminator.operands[0];
  }

  // Two paths that meet at once, or in the merge block of something around.
  struct Sides {
    Block *on_true = nullptr, *on_false = nullptr;  // null: it goes there at once
    Id target = 0;
  };
  std::optional<Sides> sidesOf(const Block& header) {
    const Id labels[] = {header.terminator.operands[1], header.terminator.operands[2]};
    if (labels[0] == labels[1]) return std::nullopt;
    Sides sides;
    Block** const blocks[] = {&sides.on_true, &sides.on_false};
    std::optional<Id> ends[2];
    for (size_t k = 0; k < 2; ++k)
      if (labels[k] != header.merge_block || edges_[labels[k]] == 1)
        ends[k] = leadsTo(blockOf(labels[k]), labels[k] == header.merge_block ? 1 : 0);
    // A triangle's third side goes where the other one ends.
    for (size_t k = 0; k < 2; ++k) {
      if (ends[k] && (ends[1 - k] == ends[k] || labels[1 - k] == *ends[k])) {
        sides.target = *ends[k];
        for (size_t j = 0; j < 2; ++j)
          if (labels[j] != sides.target) *blocks[j] = &blockOf(labels[j]);
        const Block& target = blockOf(sides.target);
        // Not round a loop, nor out of one.
        const bool here = sides.target == header.merge_block ||
                          !(labels[0] == sides.target || labels[1] == sides.target);
        if (target.merge_kind == MergeKind::Loop || !here || loops_.contains(sides.target))
          return std::nullopt;
        return sides;
      }
    }
    return std::nullopt;
  }

  // What is known without looking at memory that an invocation may not have.
  bool isReadable(Id pointer) const {
    if (readable_.contains(pointer)) return true;
    const auto variable = variables_.find(pointer);
    return variable != variables_.end() && (variable->second == spv::StorageClass::Input ||
                                            variable->second == spv::StorageClass::PushConstant);
  }

  std::optional<unsigned> cost(const Instruction& i) {
    if (isAccessChain(i.op)) {
      const auto indices = llvm::ArrayRef(i.operands.data(), i.operands.size()).drop_front();
      const bool fixed =
          llvm::all_of(indices, [&](Id id) { return module_.constant(id) != nullptr; });
      if (!fixed || !isReadable(i.operands[0])) return std::nullopt;
      readable_.insert(i.result);
      return 0;
    }
    if (!isNumber(i.type)) return std::nullopt;
    if (i.op == spv::Op::OpLoad) {
      const bool plain = i.operands.size() == 1 && isReadable(i.operands[0]);
      return plain ? std::optional(1u) : std::nullopt;
    }
    std::optional<unsigned> one;
    if (i.op == spv::Op::OpExtInst) {
      const auto set = module_.extended_instruction_sets.find(i.operands[0]);
      if (set != module_.extended_instruction_sets.end() && set->second == "GLSL.std.450")
        one = costOfExtended(i.operands[1]);
    } else {
      const OpcodeTraits& traits = traitsOf(i.op);
      if (traits.cost != OpcodeTraits::kNever &&
          (!traits.by_constant || module_.constant(i.operands[1]) != nullptr))
        one = traits.cost;
    }
    if (!one) return std::nullopt;
    return *one * static_cast<unsigned>(i.type->leaves());
  }

  // Debuggers stop in sides that have lines of their own, and see who takes them.
  bool isIn(const Instruction& i, const Location& at) const {
    return !module_.debug.is_wanted ||
           (i.location.line == at.line && i.location.file == at.file && i.location.call == at.call);
  }

  // What can be done anywhere and costs little, of both sides together; none: not so.
  bool isCheap(const Sides& sides, const Block& merge, const Location& at) {
    unsigned all = 0;
    for (const Block* side : {sides.on_true, sides.on_false}) {
      if (side == nullptr) continue;
      for (const Instruction& i : side->instructions) {
        const std::optional<unsigned> one = cost(i);
        if (!one || !isIn(i, at)) return false;
        all += *one;
      }
    }
    for (const Instruction& phi : merge.instructions) {
      if (phi.op != spv::Op::OpPhi) break;
      if (!isNumber(phi.type)) return false;
      all += static_cast<unsigned>(phi.type->leaves());
    }
    return all <= kMaxFlattenedCost;
  }

  bool flatten(size_t at) {
    Block& header = blocks_[at];
    constexpr auto kDontFlatten = static_cast<uint32_t>(spv::SelectionControlMask::DontFlatten);
    if (header.merge_kind != MergeKind::Selection || (header.merge_control & kDontFlatten) != 0 ||
        header.terminator.op != spv::Op::OpBranchConditional)
      return false;
    const std::optional<Sides> sides = sidesOf(header);
    if (!sides || !isCheap(*sides, blockOf(sides->target), header.terminator.location))
      return false;
    Block& target = blockOf(sides->target);
    for (Block* side : {sides->on_true, sides->on_false}) {
      if (side == nullptr) continue;
      llvm::append_range(header.instructions, side->instructions);
      gone_[numbers_.at(side->label)] = true;
    }
    const auto labelOf = [&](const Block* side) { return side ? side->label : header.label; };
    choose(header, target, header.terminator.operands[0], labelOf(sides->on_true),
           labelOf(sides->on_false));
    --named_[header.merge_block];
    edges_[target.label] -= 1;
    header.merge_kind = MergeKind::None;
    header.merge_block = 0;
    header.merge_control = 0;
    header.terminator.op = spv::Op::OpBranch;
    header.terminator.operands = words_.copy({target.label});
    if (edges_[target.label] == 1 && named_[target.label] == 0 &&
        target.instructions.size() <= kMaxTaken)
      take(header, target);
    return true;
  }

  // Makes what the two sides bring to the target's phis one value, and phis of one value that.
  void choose(Block& header, Block& target, Id condition, Id from_true, Id from_false) {
    std::vector<Instruction> rest;
    const bool others = edges_[target.label] != 2;
    for (Instruction& i : target.instructions) {
      if (i.op != spv::Op::OpPhi) {
        rest.push_back(std::move(i));
        continue;
      }
      Instruction choice = i;
      Id values[2] = {};
      std::vector<uint32_t> kept;
      for (size_t k = 0; k + 1 < i.operands.size(); k += 2) {
        const Id from = i.operands[k + 1];
        if (from == from_true)
          values[0] = i.operands[k];
        else if (from == from_false)
          values[1] = i.operands[k];
        else
          kept.insert(kept.end(), {i.operands[k], from});
      }
      if (others) choice.result = module_.bound++;
      header.instructions.push_back(chosen(choice, condition, values[0], values[1]));
      if (!others) continue;
      kept.insert(kept.end(), {choice.result, header.label});
      i.operands = words_.copy(std::span<const uint32_t>(kept));
      rest.push_back(std::move(i));
    }
    target.instructions = std::move(rest);
  }

  Instruction chosen(Instruction choice, Id condition, Id on_true, Id on_false) {
    auto is_undefined = [&](Id id) {
      const Constant* constant = module_.constant(id);
      return constant != nullptr && constant->undef;
    };
    const bool one = on_true == on_false || is_undefined(on_false);
    if (one || is_undefined(on_true)) {
      choice.op = spv::Op::OpCopyObject;
      choice.operands = words_.copy({one ? on_true : on_false});
    } else {
      choice.op = spv::Op::OpSelect;
      choice.operands = words_.copy({condition, on_true, on_false});
    }
    return choice;
  }

  // A call of which one block is left is no construct any more.
  bool endCall(size_t at) {
    Block& call = blocks_[at];
    if (call.merge_kind != MergeKind::Selection || call.terminator.op != spv::Op::OpBranch)
      return false;
    Block& body = blockOf(call.terminator.operands[0]);
    if (leadsTo(body, 0) != call.merge_block || edges_[call.merge_block] != 1) return false;
    Block& behind = blockOf(call.merge_block);
    if (behind.merge_kind == MergeKind::Loop || named_[behind.label] != 1 ||
        behind.instructions.size() > kMaxTaken)
      return false;
    for (Instruction& i : behind.instructions) {
      if (i.op != spv::Op::OpPhi) break;
      i.op = spv::Op::OpCopyObject;
      i.operands = words_.copy({i.operands[0]});
    }
    call.merge_kind = MergeKind::None;
    call.merge_block = 0;
    named_[behind.label] = 0;
    take(call, body);
    take(call, behind);
    return true;
  }

  // LLVM moves what a later block needs there, one block at a time: of a row of blocks that would
  // be done as often as the row is long.
  bool join(Block& block) {
    if (block.merge_kind != MergeKind::None || block.terminator.op != spv::Op::OpBranch)
      return false;
    Block& next = blockOf(block.terminator.operands[0]);
    const auto names = named_.find(next.label);
    const bool is_named = names != named_.end() && names->second != 0;
    const bool has_phis = !next.instructions.empty() && next.instructions[0].op == spv::Op::OpPhi;
    if (edges_.at(next.label) != 1 || is_named || has_phis || next.merge_kind == MergeKind::Loop)
      return false;
    take(block, next);
    return true;
  }

  // The block that only the header leads to becomes its end.
  void take(Block& header, Block& merge) {
    llvm::append_range(header.instructions, merge.instructions);
    header.terminator = merge.terminator;
    header.merge_kind = merge.merge_kind;
    header.merge_block = merge.merge_block;
    header.merge_control = merge.merge_control;
    gone_[numbers_.at(merge.label)] = true;
    for (Id label : merge.successors()) {
      for (Instruction& phi : blocks_[numbers_.at(label)].instructions) {
        if (phi.op != spv::Op::OpPhi) break;
        std::span<uint32_t> operands = words_.copy(phi.operands);
        for (size_t k = 1; k < operands.size(); k += 2)
          if (operands[k] == merge.label) operands[k] = header.label;
        phi.operands = operands;
      }
    }
  }

  Module& module_;
  std::vector<Block>& blocks_;
  std::unordered_map<Id, size_t> numbers_;  // of blocks, by label
  std::unordered_map<Id, unsigned> edges_;  // that lead to a block, by label
  std::unordered_map<Id, unsigned> named_;  // as merge or continue block, by label
  std::unordered_map<Id, spv::StorageClass> variables_;
  std::unordered_set<Id> readable_;  // access chains that lead into what can be read anywhere
  std::unordered_set<Id> loops_;     // where they end and go on, by label
  std::vector<bool> gone_;           // by number of a block
  WordArena words_;
};

}  // namespace

unsigned flattenChoices(Module& module) { return Flattening(module).run(); }

}  // namespace jit::spirv
