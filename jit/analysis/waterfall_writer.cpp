// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/waterfall_writer.h"

#include <algorithm>

#include "jit/spirv/branch_targets.h"
#include "jit/spirv/operands.h"

namespace jit::simt {

using spirv::Block;
using spirv::Id;
using spirv::Instruction;
using spirv::MergeKind;
using spirv::Type;

Instruction WaterfallWriter::instruction(spv::Op op, const Type* type,
                                         std::initializer_list<uint32_t> operands,
                                         const Instruction& like) {
  return {.op = op,
          .type = type,
          .result = type == nullptr ? 0 : module_.bound++,
          .operands = words_.copy(operands),
          .word = like.word,
          .location = like.location};
}

Block WaterfallWriter::plainBlock(Id target, const Instruction& like) {
  Block block;
  block.label = module_.bound++;
  block.terminator = instruction(spv::Op::OpBranch, nullptr, {target}, like);
  return block;
}

WaterfallWriter::Waterfall WaterfallWriter::begin(Id first, Id merge, const Instruction& like) {
  Waterfall made;
  made.inner = plainBlock(first, like);
  made.leave = plainBlock(merge, like);
  made.test.label = module_.bound++;
  made.around = plainBlock(made.test.label, like);
  made.again = plainBlock(made.around.label, like);
  made.around.merge_kind = MergeKind::Loop;
  made.around.merge_block = merge;
  made.around.continue_block = made.again.label;
  return made;
}

// What the first of those who wait has of `value`; they go on together who have the same.
Id WaterfallWriter::shared(Waterfall& made, Id value, const SharedValue& as,
                           const Instruction& like) {
  std::vector<Instruction>& code = made.test.instructions;
  auto add = [&](spv::Op op, const Type* type, std::initializer_list<uint32_t> operands) {
    code.push_back(instruction(op, type, operands, like));
    return code.back().result;
  };
  const Id base = as.expected.base;
  const Id own = base == 0 ? value : add(spv::Op::OpISub, as.type, {value, base});
  Id one = add(spv::Op::OpGroupNonUniformBroadcastFirst, as.type, {subgroupScope(*as.type), own});
  const Id equal = add(spv::Op::OpIEqual, &boolean_, {own, one});
  made.alike = made.alike == 0 ? equal : add(spv::Op::OpLogicalAnd, &boolean_, {made.alike, equal});
  // Which bits are 0 is said, so that what is read there is known to be aligned as in the loop.
  if (const unsigned zeros = std::min(as.expected.zeros, as.type->width - 1); zeros > 0)
    one = add(spv::Op::OpBitwiseAnd, as.type, {one, constant(*as.type, ~uint64_t{0} << zeros)});
  return base == 0 ? one : add(spv::Op::OpIAdd, as.type, {base, one});
}

void WaterfallWriter::append(Waterfall made, const Instruction& like) {
  made.test.merge_kind = MergeKind::Selection;
  made.test.merge_block = made.inner.label;
  made.test.terminator = instruction(spv::Op::OpBranchConditional, nullptr,
                                     {made.alike, made.inner.label, made.again.label}, like);
  for (Block* block : {&made.around, &made.test, &made.inner, &made.leave, &made.again})
    append(std::move(*block));
}

void WaterfallWriter::append(Block block) {
  block_of_[block.label] = module_.entry.blocks.size();
  module_.entry.blocks.push_back(std::move(block));
}

void WaterfallWriter::wrapLoop(Id label, Id before, const std::vector<SharedValue>& counters) {
  Block* header = &block(label);
  const Instruction like = header->terminator;
  const Id merge = header->merge_block;
  Waterfall made = begin(label, merge, like);
  for (Instruction& phi : header->instructions) {
    if (phi.op != spv::Op::OpPhi) break;
    const size_t k = phi.operands[1] == before ? 0 : 2;
    std::span<uint32_t> operands = words_.copy(phi.operands);
    operands[k + 1] = made.inner.label;
    for (const SharedValue& counter : counters)
      if (counter.id == phi.result) operands[k] = shared(made, operands[k], counter, like);
    phi.operands = operands;
  }
  Block& after = block(merge);
  const auto end = std::find_if(after.instructions.begin(), after.instructions.end(),
                                [](const Instruction& i) { return i.op != spv::Op::OpPhi; });
  made.leave.instructions.assign(after.instructions.begin(), end);
  after.instructions.erase(after.instructions.begin(), end);
  header->merge_block = made.leave.label;
  redirect(block(before), label, made.around.label);
  for (Block& other : module_.entry.blocks) redirect(other, merge, made.leave.label);
  append(std::move(made), like);
}

void WaterfallWriter::wrapArm(const SelectionArm& arm) {
  const Instruction like = block(arm.selection).terminator;
  Waterfall made = begin(arm.first, arm.merge, like);
  made.around.merge_block = made.leave.label;
  std::unordered_map<Id, Id> instead;
  for (const SharedValue& value : arm.values)
    instead[value.id] = shared(made, value.id, value, like);
  for (Id label : arm.blocks) {
    Block& inside = block(label);
    for (Instruction& i : inside.instructions) replaceValues(i, instead);
    redirect(inside, arm.merge, made.leave.label);
  }
  for (Instruction& phi : block(arm.first).instructions)
    if (phi.op == spv::Op::OpPhi) renameBlock(phi, arm.selection, made.inner.label);
  for (Instruction& phi : block(arm.merge).instructions)
    if (phi.op == spv::Op::OpPhi) joinInFront(phi, arm, made.leave);
  // A loop's header has one block in front of it, which goes nowhere else.
  Block enter = plainBlock(made.around.label, like);
  redirect(block(arm.selection), arm.first, enter.label);
  append(std::move(made), like);
  append(std::move(enter));
}

void WaterfallWriter::replaceValues(Instruction& i, const std::unordered_map<Id, Id>& instead) {
  const llvm::SmallVector<uint32_t, 8> numbers = spirv::valueOperandNumbers(i);
  if (std::none_of(numbers.begin(), numbers.end(),
                   [&](uint32_t k) { return instead.contains(i.operands[k]); }))
    return;
  std::span<uint32_t> operands = words_.copy(i.operands);
  for (uint32_t k : numbers)
    if (const auto found = instead.find(operands[k]); found != instead.end())
      operands[k] = found->second;
  i.operands = operands;
}

void WaterfallWriter::renameBlock(Instruction& phi, Id from, Id to) {
  std::span<uint32_t> operands = words_.copy(phi.operands);
  for (size_t k = 1; k < operands.size(); k += 2)
    if (operands[k] == from) operands[k] = to;
  phi.operands = operands;
}

// What the phi gets from the arm comes by one of `leave`.
void WaterfallWriter::joinInFront(Instruction& phi, const SelectionArm& arm, Block& leave) {
  std::vector<uint32_t> inside, others;
  for (size_t k = 0; k < phi.operands.size(); k += 2) {
    const bool is_inside =
        std::find(arm.blocks.begin(), arm.blocks.end(), phi.operands[k + 1]) != arm.blocks.end();
    std::vector<uint32_t>& to = is_inside ? inside : others;
    to.insert(to.end(), {phi.operands[k], phi.operands[k + 1]});
  }
  if (inside.empty()) return;
  Instruction joined = phi;
  joined.result = module_.bound++;
  joined.operands = words_.copy(inside);
  others.insert(others.end(), {joined.result, leave.label});
  phi.operands = words_.copy(others);
  leave.instructions.push_back(joined);
}

Id WaterfallWriter::constant(const Type& type, uint64_t value) {
  const uint64_t all = ~uint64_t{0} >> (64 - type.width);
  const Id id = module_.bound++;
  module_.constants[id] = {.type = &type, .leaves = {value & all}};
  return id;
}

Id WaterfallWriter::subgroupScope(const Type& type) {
  if (scope_ == 0) scope_ = constant(type, static_cast<uint64_t>(spv::Scope::Subgroup));
  return scope_;
}

// Branches of `block` to `from` go to `to`.
void WaterfallWriter::redirect(Block& block, Id from, Id to) {
  spirv::redirectBranches(block, words_, [&](Id target) { return target == from ? to : target; });
}

}  // namespace jit::simt
