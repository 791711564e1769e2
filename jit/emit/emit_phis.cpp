// SPDX-License-Identifier: Apache-2.0

// Phis: slots that are written where control leaves for their block, and read where it begins.
#include <llvm/ADT/STLExtras.h>

#include "jit/emit/emission.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

using simt::kNoNode;
using simt::Uniformity;

// What `lanes` (null: all) bring to a phi.
llvm::Error Emission::storePhi(const Instruction& phi, const ValueSlots& slots, Id operand,
                               llvm::Value* lanes) {
  llvm::Expected<Value> v = value(operand);
  if (!v) return v.takeError();
  if (v->leaves.size() != slots.leaves.size())
    return malformed(module.describe(phi) + ": operand of another type");
  const bool is_there = operand == slots.usual;
  for (size_t i = 0; i < slots.leaves.size(); ++i) {
    llvm::AllocaInst* slot = slots.leaves[i];
    llvm::Value* leaf = v->leaves[i];
    if (is_there && slots.hasUsual(i)) continue;
    if (slots.lanes[i]) {
      if (llvm::Error error = writeLaneSlots(slots, i, leaf, phi, operand)) return error;
      continue;
    }
    leaf = blended(slots, i, lanes, leaf);
    if (leaf->getType() != slotType(slot)) leaf = simt.uniform(leaf);
    writeSlot(slot, leaf);
  }
  return llvm::Error::success();
}

llvm::Error Emission::storePhis(uint32_t from, uint32_t to, llvm::Value* lanes, bool blend) {
  const auto& nodes = stream_.linearization->nodes();
  const Id from_label = module.entry.blocks[nodes[from].block].label;
  struct Brought {
    const Instruction* phi;
    const ValueSlots* slots;
    Id operand;
  };
  llvm::SmallVector<Brought, 4> divided;
  // A latch passes on the phis of its header.
  for (const Instruction& phi : module.entry.blocks[nodes[to].block].instructions) {
    if (phi.op != spv::Op::OpPhi) break;
    for (size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
      if (phi.operands[k + 1] != from_label) continue;
      const Brought brought{&phi, &stream_.slots.phis.at(phi.result), phi.operands[k]};
      if (isDividedPhi(phi))
        divided.push_back(brought);
      else if (llvm::Error error =
                   storePhi(phi, *brought.slots, brought.operand, blend ? lanes : nullptr))
        return error;
      break;
    }
  }
  if (divided.empty()) return llvm::Error::success();
  return forEachSubgroup(lanes, [&]() -> llvm::Error {
    for (const Brought& brought : divided)
      if (llvm::Error error =
              storePhi(*brought.phi, *brought.slots, brought.operand, blend ? simt.mask : nullptr))
        return error;
    return llvm::Error::success();
  });
}

// What the phis behind `node` have from the last time that somebody came to them: nobody looks at
// it again, and it need not be kept until they are written. They begin with what an invocation has
// that takes one of the paths, if that is known here: the others choose between that and their own,
// and where all take the same path there is no choice left.
llvm::Error Emission::forgetPhis(uint32_t node) {
  for (uint32_t at : stream_.code[node].forgets)
    for (const Instruction& phi :
         module.entry.blocks[stream_.linearization->nodes()[at].block].instructions) {
      if (phi.op != spv::Op::OpPhi) break;
      auto found = stream_.slots.phis.find(phi.result);
      if (isDividedPhi(phi) || found == stream_.slots.phis.end()) continue;  // or of a region
      ValueSlots& slots = found->second;
      slots.usual = usualOperand(phi, node);
      std::optional<Value> usual;
      if (slots.usual != 0) {
        llvm::Expected<Value> v = value(slots.usual);
        if (!v) return v.takeError();
        if (v->leaves.size() != slots.leaves.size())
          return malformed(module.describe(phi) + ": operand of another type");
        usual = std::move(*v);
      }
      for (size_t i = 0; i < slots.leaves.size(); ++i) {
        llvm::AllocaInst* slot = slots.leaves[i];
        llvm::Value* begins = llvm::UndefValue::get(slot->getAllocatedType());
        if (usual && slots.hasUsual(i)) begins = simt.broadcast(usual->leaves[i]);
        writeSlot(slot, begins);
      }
    }
  return llvm::Error::success();
}

// An operand of a phi whose value is known at the end of `node`, which comes before all of the
// phi's paths; 0: none.
Id Emission::usualOperand(const Instruction& phi, uint32_t node) const {
  for (size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const Id operand = phi.operands[k];
    const uint32_t definition = stream_.uniformity->definition(operand);
    if (definition == simt::kNoNode ? module.constant(operand) != nullptr
                                    : stream_.linearization->dominates(definition, node))
      return operand;
  }
  return 0;
}

// Phis that several nodes write are forgotten at the last node before that all of their invocations
// come through, once for each time that they do: in the same loop.
void Emission::findForgottenPhis(uint32_t first, uint32_t last) {
  const auto& nodes = stream_.linearization->nodes();
  for (uint32_t n = first; n <= last; ++n) {
    if (nodes[n].latch || !stream_.linearization->gathers(n)) continue;
    const auto& block = module.entry.blocks[nodes[n].block];
    if (block.instructions.empty() || block.instructions[0].op != spv::Op::OpPhi) continue;
    uint32_t before = nodes[n].dominator;
    while (before != kNoNode && nodes[before].loop != nodes[n].loop)
      before = nodes[before].dominator;
    if (before != kNoNode && before >= first) stream_.code[before].forgets.push_back(n);
  }
}

llvm::Error Emission::loadPhis(const Block& block) {
  llvm::SmallVector<std::pair<const Instruction*, const ValueSlots*>, 4> divided;
  for (const Instruction& phi : block.instructions) {
    if (phi.op != spv::Op::OpPhi) break;
    const ValueSlots& slots = stream_.slots.phis.at(phi.result);
    if (!isDividedPhi(phi))
      loadPhi(phi, slots);
    else if (divided_.values.count(phi.result) == 0)
      divided.emplace_back(&phi, &slots);
  }
  if (divided.empty()) return llvm::Error::success();
  return forEachSubgroup(simt.mask, [&]() -> llvm::Error {
    for (const auto& [phi, slots] : divided) loadPhi(*phi, *slots);
    return llvm::Error::success();
  });
}

void Emission::loadPhi(const Instruction& phi, const ValueSlots& slots) {
  Value value{phi.type, {}};
  for (size_t k = 0; k < slots.leaves.size(); ++k)
    value.leaves.push_back(slots.lanes[k] ? readLaneSlots(slots, k, phi)
                                          : readSlot(slots.leaves[k]));
  keepRuns(phi, value);
  setValue(phi, std::move(value));
}

// Phis of the wide stream's own code whose values differ between invocations: slots and values are
// divided, and each subgroup's is brought and taken by itself.
bool Emission::isDividedPhi(const Instruction& phi) const {
  return loop_ == nullptr && plan_.subgroup_uniformity != nullptr && phi.op == spv::Op::OpPhi &&
         stream_.uniformity->whole(phi.result) == Uniformity::Varying && !holdsMatrix(phi.type);
}

void Emission::makeDividedPhi(const Instruction& phi, const Block& block) {
  const simt::UniformityAnalysis& own = *plan_.subgroup_uniformity;
  const bool escapes = stream_.uniformity->escapesLoop(phi.result) || own.escapesLoop(phi.result);
  const bool varies = own.whole(phi.result) == Uniformity::Varying;
  ValueSlots slots = makeSlots(phi.result, phi.type, true);
  DividedValue value{phi.type, {}};
  for (uint32_t k = 0; k < slots.leaves.size(); ++k) {
    const simt::LaneShape shape = own.hasShapes(phi) ? own.shape(phi.result, k) : simt::LaneShape{};
    const bool follows = varies && shape.isLinear() && !shape.isUniform() &&
                         (shape.runtime == 0 || !plan_.loses_steps);
    DividedLeaf leaf{.slot = slots.leaves[k]};
    if (!escapes && (!varies || follows)) {
      slots.varying[k] = false;
      slots.lanes[k] = follows;
      auto* numbers = llvm::ArrayType::get(slots.leaves[k]->getAllocatedType()->getScalarType(),
                                           plan_.width / subgroup_size);
      slots.leaves[k] = dividedSlot(numbers, "first" + llvm::Twine(phi.result));
      leaf = follows ? DividedLeaf{.form = LaneForm{.shape = shape}, .first = slots.leaves[k]}
                     : DividedLeaf{.slot = slots.leaves[k]};
      for (unsigned b = 0; follows && b < simt::kMaxLaneBits; ++b)
        if ((shape.runtime >> b & 1) != 0)
          slots.runtime[k].emplace_back(b, dividedSlot(numbers, "step" + llvm::Twine(phi.result)));
      leaf.runtime = slots.runtime[k];
    }
    value.leaves.push_back(leaf);
  }
  // What is brought to the phis of a block is brought at once: one that is brought to another has
  // to be kept apart from what comes next, and so has what is looked at after the loop.
  const bool is_brought = llvm::any_of(block.instructions, [&](const Instruction& other) {
    return other.op == spv::Op::OpPhi && &other != &phi &&
           llvm::is_contained(valueOperands(other), phi.result);
  });
  if (!escapes && !is_brought) divided_.values[phi.result] = std::move(value);
  stream_.slots.phis[phi.result] = std::move(slots);
}

}  // namespace jit::spirv
