// SPDX-License-Identifier: Apache-2.0

// Values of ids: constants, leaves, slots of values that leave a divergent loop.
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "jit/emit/emission.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

llvm::Type* Emission::leafType(const Type* scalar) const {
  switch (scalar->kind) {
    case TypeKind::Bool:
      return llvm::Type::getInt1Ty(context);
    case TypeKind::Int:
      return llvm::Type::getIntNTy(context, scalar->width);
    case TypeKind::Float:
      if (scalar->encoding == FloatEncoding::BFloat16) return llvm::Type::getBFloatTy(context);
      switch (scalar->width) {
        case 16:
          return llvm::Type::getHalfTy(context);
        case 32:
          return llvm::Type::getFloatTy(context);
        case 64:
          return llvm::Type::getDoubleTy(context);
        default:
          return llvm::Type::getInt8Ty(context);
      }
    case TypeKind::CooperativeMatrix:
      return llvm::FixedVectorType::get(leafType(scalar->element),
                                        scalar->rows * scalar->columns * copiesOf(*scalar));
    case TypeKind::TensorLayout:
    case TypeKind::TensorView:
      return llvm::Type::getInt32Ty(context);
    default:
      return llvm::Type::getInt64Ty(context);  // an address
  }
}

void Emission::leafTypes(const Type* type, llvm::SmallVectorImpl<const Type*>& out) const {
  switch (type->kind) {
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::Array:
      for (uint32_t i = 0; i < type->count; ++i) leafTypes(type->element, out);
      break;
    case TypeKind::Struct:
      for (const Member& m : type->members) leafTypes(m.type, out);
      break;
    case TypeKind::Void:
    case TypeKind::RuntimeArray:
    case TypeKind::Function:
      break;
    default:
      out.append(type->leaves(), type);
  }
}

Value Emission::zeroValue(const Type* type) const {
  llvm::SmallVector<const Type*, 4> leaves;
  leafTypes(type, leaves);
  Value value{type, {}};
  for (const Type* leaf : leaves)
    value.leaves.push_back(llvm::Constant::getNullValue(leafType(leaf)));
  return value;
}

Value Emission::constantValue(const Constant& constant) const {
  llvm::SmallVector<const Type*, 4> types;
  leafTypes(constant.type, types);
  Value value{constant.type, {}};
  for (size_t i = 0; i < types.size(); ++i) {
    uint64_t bits = i < constant.leaves.size() ? constant.leaves[i] : 0;
    const Type* scalar =
        types[i]->kind == TypeKind::CooperativeMatrix ? types[i]->element : types[i];
    llvm::Type* type = leafType(scalar);
    llvm::Constant* leaf = nullptr;
    if (type->isFloatingPointTy()) {
      llvm::APInt pattern = integerBits(type->getPrimitiveSizeInBits(), bits);
      leaf = llvm::ConstantFP::get(context, llvm::APFloat(type->getFltSemantics(), pattern));
    } else {
      leaf = llvm::ConstantInt::get(context, integerBits(type->getIntegerBitWidth(), bits));
    }
    if (types[i]->kind == TypeKind::CooperativeMatrix)
      leaf = llvm::ConstantVector::getSplat(
          llvm::cast<llvm::FixedVectorType>(leafType(types[i]))->getElementCount(), leaf);
    value.leaves.push_back(leaf);
  }
  return value;
}

const Type* Emission::typeOf(Id id) const {
  if (auto it = types_.find(id); it != types_.end()) return it->second;
  if (const Constant* constant = module.constant(id)) return constant->type;
  return nullptr;
}

const Type* Emission::pointerTo(const Type* pointee, spv::StorageClass storage) const {
  for (const auto& [id, type] : module.types)
    if (type->kind == TypeKind::Pointer && type->element == pointee && type->storage == storage)
      return type.get();
  return nullptr;
}

llvm::Expected<Value> Emission::value(Id id) {
  if (const Constant* constant = module.constant(id)) {
    Value value = constantValue(*constant);
    // Arithmetic of constants is left for when it rounds as the float controls say.
    if (!float_controls.isDefault())
      for (llvm::Value*& leaf : value.leaves)
        if (float_controls.of(leaf->getType())) leaf = ir.CreateFreeze(leaf);
    return value;
  }
  if (laneContext().isOneSubgroup()) return valueInSubgroup(id);
  if (laneContext().lane) return valueInLane(id, *laneContext().lane);
  return valueInStream(id);
}

llvm::Expected<Value> Emission::valueInStream(Id id) {
  const bool is_own = loop_ == nullptr || loop_->defined.count(id) != 0;
  if (auto divided = divided_.values.find(id); divided != divided_.values.end()) {
    if (!is_own) return partOf(id, divided->second);
    if (values_.count(id) == 0) return wholeOf(divided->second);
  }
  // Has slots of its own.
  const bool is_pointer = pointers_.count(id) != 0 || divided_.pointers.count(id) != 0;
  const auto& escaping = streamOf(id).slots.escaping;
  if (auto slots = escaping.find(id); slots != escaping.end() && !is_pointer) {
    if (leavesLoop(id)) {
      Value value{slots->second.type, {}};
      for (llvm::AllocaInst* slot : slots->second.leaves) value.leaves.push_back(readSlot(slot));
      return value;
    }
  }
  if (auto it = values_.find(id); it != values_.end()) return it->second;
  if (is_pointer) {
    llvm::Expected<Pointer> at = pointer(id);
    if (!at) return at.takeError();
    if (at->interleaved || at->builtin_variable != 0)
      return unsupported(module.describe(id) +
                         ": a pointer to a Function, Private or Input variable used as a value");
    return flattened(*at, typeOf(id));
  }
  // Defined in a block that cannot be reached.
  if (const Type* type = typeOf(id)) return zeroValue(type);
  return malformed(module.describe(id) + " has no value");
}

ValueSlots Emission::makeSlots(Id id, const Type* type, bool varying) {
  llvm::SmallVector<const Type*, 4> leaves;
  leafTypes(type, leaves);
  ValueSlots slots{type, {}, {}, {}, {}, {}};
  for (const Type* leaf : leaves) {
    const bool matrix = leaf->kind == TypeKind::CooperativeMatrix;
    const bool vary = varying && !matrix;
    llvm::Type* t = leafType(leaf);
    llvm::AllocaInst* slot = allocate(vary ? simt.vectorOf(t) : t, "v" + llvm::Twine(id));
    if (vary && loop_ == nullptr && plan_.subgroup_uniformity != nullptr)
      divided_.slots.insert(slot);
    slots.leaves.push_back(slot);
    slots.varying.push_back(vary);
    slots.matrices.push_back(matrix && copiesOf(*leaf) > 1 ? leaf : nullptr);
    slots.lanes.push_back(false);
    slots.runtime.emplace_back();
  }
  return slots;
}

void Emission::setValue(const Instruction& instruction, Value value) {
  if (laneContext().result != nullptr) {
    *laneContext().result = std::move(value);
    return;
  }
  const Id id = instruction.result;
  for (llvm::Value* leaf : value.leaves)
    if (leaf->getType()->isPointerTy() == false && !leaf->hasName() &&
        !llvm::isa<llvm::Constant>(leaf))
      leaf->setName("v" + llvm::Twine(id));
  if (loop_ != nullptr) {
    loop_->defined.insert(id);
    if (loop_->region == nullptr || loop_->results.count(id) != 0) divide(id, value);
  } else if (plan_.subgroup_uniformity != nullptr && !holdsMatrix(instruction.type) &&
             stream_.uniformity->whole(id) == simt::Uniformity::Varying) {
    divideWhole(id, value);
  }
  if (auto slots = stream_.slots.escaping.find(id); slots != stream_.slots.escaping.end()) {
    for (size_t i = 0; i < value.leaves.size(); ++i) {
      llvm::AllocaInst* slot = slots->second.leaves[i];
      writeSlot(slot, blended(slots->second, i, simt.mask, value.leaves[i]));
    }
  }
  values_[id] = std::move(value);
}

llvm::Value* Emission::blended(const ValueSlots& slots, size_t leaf, llvm::Value* lanes,
                               llvm::Value* value) {
  if (slots.varying[leaf]) {
    value = simt.broadcast(value);
    return lanes == nullptr ? value : ir.CreateSelect(lanes, value, readSlot(slots.leaves[leaf]));
  }
  if (slots.matrices[leaf] == nullptr || lanes == nullptr) return value;
  return chosenBySubgroup(lanes, value, readSlot(slots.leaves[leaf]));
}

// Of lanes whose move is known, what lane 0 has is enough.
ValueSlots Emission::makePhiSlots(const Instruction& phi) {
  ValueSlots slots = makeSlots(phi.result, phi.type,
                               stream_.uniformity->whole(phi.result) == simt::Uniformity::Varying);
  if (!stream_.uniformity->hasShapes(phi)) return slots;
  for (uint32_t k = 0; k < slots.leaves.size(); ++k) {
    const simt::LaneShape shape = stream_.uniformity->shape(phi.result, k);
    if (!slots.varying[k] || !shape.isLinear() || shape.isUniform() ||
        (shape.runtime != 0 && plan_.loses_steps))
      continue;
    llvm::Type* type = slots.leaves[k]->getAllocatedType()->getScalarType();
    slots.varying[k] = false;
    slots.lanes[k] = true;
    slots.leaves[k] = allocate(type, "first" + llvm::Twine(phi.result));
    for (unsigned b = 0; b < simt::kMaxLaneBits; ++b)
      if ((shape.runtime >> b & 1) != 0)
        slots.runtime[k].emplace_back(b, allocate(type, "step" + llvm::Twine(phi.result)));
  }
  return slots;
}

// Slots of phis, and of values that are used outside of the divergent loop that defines them.
void Emission::createSlots() {
  const std::unordered_set<Id> in_regions = valuesInRegions();
  for (const simt::Node& node : stream_.linearization->nodes()) {
    if (node.latch) continue;
    const Block& block = module.entry.blocks[node.block];
    for (const Instruction& i : block.instructions) {
      if (i.result == 0 || i.type == nullptr || i.type->kind == TypeKind::Void) continue;
      types_[i.result] = i.type;
      if (in_regions.count(i.result) != 0) continue;
      if (isDividedPhi(i)) {
        makeDividedPhi(i, block);
      } else {
        createSlotsOf(i);
      }
    }
  }
}

void Emission::createSlotsOf(const Instruction& i) {
  if (i.type == nullptr || i.type->kind == TypeKind::Void) return;
  if (i.op == spv::Op::OpPhi) stream_.slots.phis[i.result] = makePhiSlots(i);
  if (stream_.uniformity->escapesLoop(i.result))
    stream_.slots.escaping[i.result] = makeSlots(i.result, i.type, true);
}

llvm::Value* Emission::floatResult(llvm::Value* value) {
  if (!float_controls.flushes()) return value;
  return ir.CreateUnaryIntrinsic(llvm::Intrinsic::canonicalize, value);
}

llvm::AllocaInst* Emission::allocate(llvm::Type* type, const llvm::Twine& name) {
  llvm::IRBuilder<> builder(entry_block_, entry_block_->begin());
  auto* slot = builder.CreateAlloca(type, nullptr, name);
  slot->setAlignment(llvm::Align(64));
  return slot;
}

llvm::Value* Emission::readSlot(llvm::AllocaInst* slot) {
  if (loop_ != nullptr && divided_.slots.contains(slot)) return readPart(slot);
  return ir.CreateAlignedLoad(slot->getAllocatedType(), slot, llvm::Align(64));
}

void Emission::writeSlot(llvm::AllocaInst* slot, llvm::Value* value) {
  if (loop_ != nullptr && divided_.slots.contains(slot)) return writePart(slot, value);
  ir.CreateAlignedStore(value, slot, llvm::Align(64));
}

llvm::AllocaInst* Emission::allocateZero(const llvm::Twine& name) {
  llvm::AllocaInst* slot = allocate(ir.getInt64Ty(), name);
  llvm::IRBuilder<>(entry_block_->getTerminator()).CreateStore(ir.getInt64(0), slot);
  return slot;
}

llvm::AllocaInst* Emission::laneSlot(llvm::Type* type, unsigned number) {
  llvm::AllocaInst*& slot = scratch_.lane_slots[{type, number}];
  if (slot == nullptr) slot = allocate(type, "lanes");
  return slot;
}

llvm::Value* Emission::staging(uint64_t bytes) {
  if (bytes > scratch_.staging_bytes) {
    scratch_.staging_offset = kernel_.facts.frame.allocate(bytes, 64);
    scratch_.staging_bytes = bytes;
  }
  return ir.CreateConstGEP1_64(ir.getInt8Ty(), frame_pointer, scratch_.staging_offset);
}

llvm::Value* Emission::readLane(llvm::AllocaInst* slot, llvm::Value* lane) {
  llvm::Type* type = slot->getAllocatedType()->getScalarType();
  return ir.CreateLoad(type, ir.CreateInBoundsGEP(type, slot, lane));
}

void Emission::writeLane(llvm::AllocaInst* slot, llvm::Value* lane, llvm::Value* value) {
  llvm::Type* type = slot->getAllocatedType()->getScalarType();
  ir.CreateStore(value, ir.CreateInBoundsGEP(type, slot, lane));
}

llvm::Error Emission::unsupportedAt(const Instruction& instruction,
                                    const std::string& reason) const {
  return unsupported(module.describe(instruction) + ": " + reason);
}

}  // namespace jit::spirv
