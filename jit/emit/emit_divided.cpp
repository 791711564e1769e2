// SPDX-License-Identifier: Apache-2.0

// What invocations of a workgroup-wide stream have of their own, where it goes into its regions or
// comes out of them (emit_regions.cpp): it lies in memory, where each subgroup finds its part. Of
// numbers whose move from lane to lane is known that is lane 0's.
#include <llvm/Support/MathExtras.h>

#include "jit/emit/emission.h"

namespace jit::spirv {

using simt::Uniformity;

// Where the current subgroup's part is.
llvm::Value* Emission::partAddress(llvm::AllocaInst* slot) {
  llvm::Type* type = slot->getAllocatedType();
  if (type->isArrayTy())
    return ir.CreateInBoundsGEP(type->getArrayElementType(), slot, loop_->subgroup);
  return ir.CreateInBoundsGEP(ir.getInt8Ty(), slot,
                              ir.CreateMul(loop_->subgroup, ir.getInt64(partBytes(type))));
}

uint64_t Emission::partBytes(llvm::Type* wide) const {
  llvm::Type* element = wide->getScalarType();
  return uint64_t{subgroup_size} *
         (element->isPointerTy() ? 64 : element->getPrimitiveSizeInBits().getFixedValue()) / 8;
}

// Truth values are bits of an integer there.
static llvm::Type* storedType(llvm::Type* type) {
  if (!type->isVectorTy() || !type->getScalarType()->isIntegerTy(1)) return type;
  return llvm::IntegerType::get(type->getContext(),
                                llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
}

llvm::Type* Emission::slotType(llvm::AllocaInst* slot) const {
  llvm::Type* type = slot->getAllocatedType();
  if (loop_ == nullptr || !divided_.slots.contains(slot)) return type;
  if (type->isArrayTy()) return type->getArrayElementType();
  return llvm::FixedVectorType::get(type->getScalarType(), subgroup_size);
}

llvm::Value* Emission::readPart(llvm::AllocaInst* slot) {
  llvm::Type* type = slotType(slot);
  if (!type->isVectorTy()) return ir.CreateLoad(type, partAddress(slot));
  llvm::Value* part = ir.CreateAlignedLoad(
      storedType(type), partAddress(slot),
      llvm::commonAlignment(llvm::Align(64), partBytes(slot->getAllocatedType())));
  return ir.CreateBitCast(part, type);
}

void Emission::writePart(llvm::AllocaInst* slot, llvm::Value* part) {
  if (!part->getType()->isVectorTy()) {
    ir.CreateStore(part, partAddress(slot));
    return;
  }
  ir.CreateAlignedStore(
      ir.CreateBitCast(part, storedType(part->getType())), partAddress(slot),
      llvm::commonAlignment(llvm::Align(64), partBytes(slot->getAllocatedType())));
}

llvm::AllocaInst* Emission::dividedSlot(llvm::Type* type, const llvm::Twine& name) {
  llvm::AllocaInst* slot = allocate(type, name);
  divided_.slots.insert(slot);
  return slot;
}

// Keeps a leaf of the current subgroup's in memory, unless what it is made of is there anyway.
DividedLeaf Emission::divided(llvm::Value* leaf, Kept kept) {
  auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(leaf);
  if (instruction == nullptr || llvm::isa<llvm::AllocaInst>(instruction) ||
      instruction->getParent() == start_block_ || instruction->getParent() == entry_block_)
    return {.same = leaf};
  const uint32_t subgroups = plan_.width / subgroup_size;
  DividedLeaf divided;
  if (kept == Kept::Shared) {
    leaf = simt.uniform(leaf);
    divided.slot = allocate(leaf->getType(), "shared");
    // It has a value even if no subgroup has a live invocation.
    llvm::IRBuilder<>(loop_->subgroup->getIncomingBlock(0)->getTerminator())
        .CreateStore(llvm::Constant::getNullValue(leaf->getType()), divided.slot);
    writeSlot(divided.slot, leaf);
    return divided;
  }
  auto keepNumber = [&](llvm::Value* number) {
    llvm::AllocaInst* slot =
        dividedSlot(llvm::ArrayType::get(number->getType(), subgroups), "numbers");
    writePart(slot, number);
    return slot;
  };
  const bool blends = kept == Kept::Blended;
  if (!blends && !simt.isVarying(leaf)) {
    divided.slot = keepNumber(leaf);
    return divided;
  }
  if (const LaneForm* known = laneForm(leaf);
      known != nullptr && known->first != nullptr && !blends) {
    divided.form = LaneForm{.shape = known->shape, .by_one_index = known->by_one_index};
    divided.first = keepNumber(known->first);
    for (const auto& [bit, weight] : known->runtime)
      divided.runtime.emplace_back(bit, keepNumber(weight));
    if (known->shape.exact()) return divided;
  }
  leaf = simt.broadcast(leaf);
  divided.slot = dividedSlot(
      llvm::FixedVectorType::get(leaf->getType()->getScalarType(), plan_.width), "parts");
  if (blends && simt.mask != nullptr)
    leaf = ir.CreateSelect(simt.mask, leaf, readPart(divided.slot));
  writePart(divided.slot, leaf);
  return divided;
}

// The current subgroup's part.
llvm::Value* Emission::partOf(const DividedLeaf& leaf) {
  llvm::Value* part = leaf.slot == nullptr ? leaf.same : readSlot(leaf.slot);
  if (!leaf.form) return part;
  LaneForm form = *leaf.form;
  form.first = readPart(leaf.first);
  for (const auto& [bit, slot] : leaf.runtime) form.runtime.emplace_back(bit, readPart(slot));
  if (part == nullptr) return inLanes(form);
  keepLaneForm(part, std::move(form));
  return part;
}

Value Emission::partOf(Id id, const DividedValue& value) {
  Value part{value.type, {}};
  for (const DividedLeaf& leaf : value.leaves) part.leaves.push_back(partOf(leaf));
  for (uint32_t c = 0; c < part.leaves.size(); ++c)
    if (value.leaves[c].slot != nullptr && stream_.uniformity->shape(id, c).width != 0)
      keepRuns(part.leaves[c], id, c);
  return part;
}

// A pointer of which `read` gives what is divided.
static Pointer gathered(const DividedPointer& divided,
                        llvm::function_ref<llvm::Value*(const DividedLeaf&)> read) {
  Pointer pointer = divided.pointer;
  pointer.base = read(divided.base);
  pointer.offset = read(divided.offset);
  pointer.size = read(divided.size);
  pointer.range = read(divided.range);
  pointer.within = read(divided.within);
  return pointer;
}

Pointer Emission::partOf(const DividedPointer& pointer) {
  return gathered(pointer, [this](const DividedLeaf& leaf) { return partOf(leaf); });
}

// All of it, in the wide stream.
llvm::Value* Emission::wholeOf(const DividedLeaf& leaf) {
  if (leaf.slot != nullptr && !divided_.slots.contains(leaf.slot)) return readSlot(leaf.slot);
  if (leaf.slot == nullptr && leaf.first == nullptr &&
      (leaf.same == nullptr || !leaf.same->getType()->isVectorTy()))
    return leaf.same;
  if (leaf.slot != nullptr && leaf.slot->getAllocatedType()->isVectorTy())
    return readSlot(leaf.slot);
  // Each subgroup's part is put together in memory.
  llvm::AllocaInst* whole = nullptr;
  llvm::cantFail(forEachSubgroup(nullptr, [&]() -> llvm::Error {
    llvm::Value* part = simt.broadcast(partOf(leaf));
    whole = dividedSlot(llvm::FixedVectorType::get(part->getType()->getScalarType(), plan_.width),
                        "whole");
    writePart(whole, part);
    return llvm::Error::success();
  }));
  return readSlot(whole);
}

Value Emission::wholeOf(const DividedValue& value) {
  Value whole{value.type, {}};
  for (const DividedLeaf& leaf : value.leaves) whole.leaves.push_back(wholeOf(leaf));
  return whole;
}

Pointer Emission::wholeOf(const DividedPointer& pointer) {
  return gathered(pointer, [this](const DividedLeaf& leaf) { return wholeOf(leaf); });
}

// How a value of the current subgroup's is kept. What leaves a loop at different times is what each
// invocation had then, whether they had the same in the loop or not.
Kept Emission::keptOf(Id id) const {
  const simt::UniformityAnalysis& wide = *loop_->wide.uniformity;
  if (wide.escapesLoop(id) || stream_.uniformity->escapesLoop(id)) return Kept::Blended;
  return wide.whole(id) < Uniformity::Varying ? Kept::Shared : Kept::Own;
}

// What the current subgroup has of a value that others than its region want.
void Emission::divide(Id id, const Value& value) {
  const simt::UniformityAnalysis& wide = *loop_->wide.uniformity;
  const Kept kept = keptOf(id);
  DividedValue result{value.type, {}};
  for (uint32_t c = 0; c < value.leaves.size(); ++c) {
    const bool is_shared = kept == Kept::Own && wide.of(id, c) < Uniformity::Varying;
    result.leaves.push_back(divided(value.leaves[c], is_shared ? Kept::Shared : kept));
  }
  divided_.values[id] = std::move(result);
}

void Emission::divide(Id id, const Pointer& pointer) {
  const Kept kept = keptOf(id);
  divided_.pointers[id] = {pointer,
                           divided(pointer.base, kept),
                           divided(pointer.offset, kept),
                           divided(pointer.size, kept),
                           divided(pointer.range, kept),
                           divided(pointer.within, kept)};
}

// What a wide stream's own code makes, for the loops over its subgroups.
DividedLeaf Emission::dividedWhole(llvm::Value* leaf) {
  if (leaf == nullptr || !simt.isVarying(leaf)) return {.same = leaf};
  DividedLeaf result{.slot = dividedSlot(leaf->getType(), "parts")};
  writeSlot(result.slot, leaf);
  return result;
}

void Emission::divideWhole(Id id, const Value& value) {
  DividedValue result{value.type, {}};
  for (llvm::Value* leaf : value.leaves) result.leaves.push_back(dividedWhole(leaf));
  divided_.values[id] = std::move(result);
}

void Emission::divideWhole(Id id, const Pointer& pointer) {
  auto varies = [&](llvm::Value* part) { return part != nullptr && simt.isVarying(part); };
  if (!varies(pointer.base) && !varies(pointer.offset) && !varies(pointer.size) &&
      !varies(pointer.range) && !varies(pointer.within))
    return;
  divided_.pointers[id] = {pointer,
                           dividedWhole(pointer.base),
                           dividedWhole(pointer.offset),
                           dividedWhole(pointer.size),
                           dividedWhole(pointer.range),
                           dividedWhole(pointer.within)};
}

}  // namespace jit::spirv
