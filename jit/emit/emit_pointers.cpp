// SPDX-License-Identifier: Apache-2.0

// Pointers: where access chains lead, and pointers as values.
//
// What a pointer is checked against is all of the variable or buffer that it leads into: an index
// past the end of an inner array that stays inside of the outermost one is not out of bounds.
//
// A pointer is a record for as long as it can be: its base, layout and bounds stay known. Phis,
// selects and variables need values (emission.h, Value), which keep the bounds where checks may be
// needed; the layout then follows from the pointee, since variable pointers do not lead to
// matrices (SPIR-V Specification, 2.16.1, "Variable pointer").
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "jit/emit/coopmat_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/uniform_check.h"
#include "jit/matrix/layout.h"
#include "jit/spirv/memory_layout.h"

namespace jit::spirv {

namespace {

// No offset into memory has more bits, so larger ones are out of bounds wherever they lead.
constexpr unsigned kAddressBits = 47;

}  // namespace

bool Emission::hasExplicitLayout(spv::StorageClass storage) const {
  switch (storage) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::PhysicalStorageBuffer:
      return true;
    case spv::StorageClass::Workgroup:
      return explicit_workgroup_;
    default:
      return false;
  }
}

void Emission::advance(Pointer& p, llvm::Value* index, bool is_signed, uint64_t stride) {
  llvm::Type* wide = shapedLike(index, ir.getInt64Ty());
  llvm::Value* distance =
      is_signed ? ir.CreateSExtOrTrunc(index, wide) : ir.CreateZExtOrTrunc(index, wide);
  if (p.size != nullptr && index->getType()->getScalarSizeInBits() == 64) {
    // The product must not wrap around and come back into bounds.
    const unsigned bits = kAddressBits - std::min(llvm::Log2_64_Ceil(stride), kAddressBits);
    llvm::Value* most = llvm::ConstantInt::get(wide, uint64_t{1} << bits);
    distance = is_signed ? ir.CreateBinaryIntrinsic(
                               llvm::Intrinsic::smax,
                               ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, distance, most),
                               ir.CreateNeg(most))
                         : ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, distance, most);
  }
  const bool clamps = p.size != nullptr && index->getType()->getScalarSizeInBits() == 64;
  distance = ir.CreateMul(distance, llvm::ConstantInt::get(wide, stride));
  llvm::Value* before = p.offset;
  llvm::Value* offset = before;
  simt.unify(offset, distance);
  p.offset = ir.CreateAdd(offset, distance);
  if (clamps) return;
  followOffset(index, is_signed, stride, before, p.offset);
  expectOffset(p, index, is_signed, stride, before, p.offset);
}

llvm::Error Emission::step(Pointer& p, llvm::Value* index, bool is_signed,
                           const Constant* constant_index, const Instruction& instruction) {
  const Type* type = p.pointee;
  if (p.builtin_variable != 0) {
    if (constant_index == nullptr) {
      // A component chosen at run time: out of a copy in memory.
      llvm::Expected<Value> whole = load(p);
      if (!whole) return whole.takeError();
      Pointer copy;
      copy.pointee = type;
      copy.lanes = loop_ == nullptr ? width() : loop_->wide.width;
      copy.base =
          allocate(llvm::ArrayType::get(ir.getInt8Ty(), type->naturalSize() * copy.lanes), "copy");
      copy.offset = ir.getInt64(0);
      copy.size = variableSize(type->naturalSize());
      copy.interleaved = true;
      llvm::Value* mask = simt.mask;
      simt.mask = nullptr;
      llvm::Error error = store(copy, *whole);
      simt.mask = mask;
      if (error) return error;
      p = copy;
    } else {
      if (type->element == nullptr || type->count == 0)
        return malformed(module.describe(instruction) + ": an index into what has no components");
      // Past the end, as in code that is never reached, it means the last one.
      const uint64_t component = std::min<uint64_t>(constant_index->leaves[0], type->count - 1);
      p.first_leaf += static_cast<uint32_t>(component * type->element->leaves());
      p.pointee = type->element;
      return llvm::Error::success();
    }
  }
  if (p.binding != nullptr) {
    UniformCheck(*this).descriptor(index, instruction);
    selectDescriptor(p, index);
    p.pointee = type->element;
    return llvm::Error::success();
  }
  MemoryCheck(*this).index(p, index);
  // Past the end of a variable, whose size LLVM knows, it would make the access undefined, unless
  // robust access leaves it out.
  const bool sized = type->kind == TypeKind::Array || type->kind == TypeKind::Vector ||
                     type->kind == TypeKind::Matrix;
  if (constant_index != nullptr && sized && type->count != 0 && !request.robust_variables &&
      !hasExplicitLayout(p.storage) && constant_index->leaves[0] >= type->count)
    index = integerLike(index, type->count - 1);
  switch (type->kind) {
    case TypeKind::Array:
    case TypeKind::RuntimeArray:
      advance(p, index, is_signed, elementStride(type, p.explicit_layout));
      p.pointee = type->element;
      return llvm::Error::success();
    case TypeKind::Struct: {
      if (constant_index == nullptr || constant_index->leaves[0] >= type->members.size())
        return malformed(module.describe(instruction) + ": not a member of the structure");
      const auto m = static_cast<uint32_t>(constant_index->leaves[0]);
      const Member& member = type->members[m];
      p.offset = offsetPlus(p.offset, memberOffset(type, m, p.explicit_layout));
      p.matrix = {};
      if (p.explicit_layout) p.matrix = {member.matrix_stride, member.row_major};
      p.is_volatile |= member.is_volatile;
      p.is_read_only |= member.non_writable;
      p.pointee = member.type;
      return llvm::Error::success();
    }
    case TypeKind::Vector: {
      uint64_t stride = p.component_stride != 0 ? p.component_stride : type->element->naturalSize();
      advance(p, index, is_signed, stride);
      p.component_stride = 0;
      p.pointee = type->element;
      return llvm::Error::success();
    }
    case TypeKind::Matrix: {
      uint64_t stride = p.matrix.stride == 0 ? type->element->naturalSize()
                        : p.matrix.row_major ? type->element->element->naturalSize()
                                             : p.matrix.stride;
      advance(p, index, is_signed, stride);
      p.component_stride = p.matrix.row_major ? p.matrix.stride : 0;
      p.matrix = {};
      p.pointee = type->element;
      return llvm::Error::success();
    }
    case TypeKind::CooperativeMatrix: {
      // Component `index` of each invocation.
      const uint64_t bytes = type->element->naturalSize();
      Pointer component;
      component.pointee = type->element;
      component.storage = p.storage;
      component.base = leafAddress(clamped(p, {{type, 0}}), 0, 0);
      if (llvm::Error error = checkMatrixAddress(*type, component.base)) return error;
      component.base = simt.uniform(component.base);
      component.offset = ir.getInt64(0);
      component.size = nullptr;
      advance(component, elementsInLeaf(*this, *type, componentElements(*this, *type, index)),
              false, bytes);
      if (p.size != nullptr || type->rows * type->columns % invocationsOf(type->scope) != 0)
        component.size = ir.getInt64(type->naturalSize() * copiesOf(*type));
      // An invocation may own components that are no elements.
      component.may_leave = type->rows * type->columns % invocationsOf(type->scope) != 0;
      p = component;
      return llvm::Error::success();
    }
    default:
      return malformed(module.describe(instruction) + ": an index into what has no components");
  }
}

llvm::Value* Emission::address(const Pointer& p) {
  llvm::Value* at = leafAddress(p, 0, 0);
  return ir.CreatePtrToInt(at, shapedLike(at, ir.getInt64Ty()));
}

Value Emission::flattened(const Pointer& p, const Type* type) {
  if (type->leaves() == 1) return Value{type, {address(p)}};
  // Where nothing is checked, the offset is part of the base. Of a pointer to a whole buffer the
  // size is left, which an OpRawAccessChainNV may ask for.
  if (p.size == nullptr) {
    const bool whole =
        p.range != nullptr && llvm::PatternMatch::match(p.offset, llvm::PatternMatch::m_ZeroInt());
    return Value{type, {address(p), ir.getInt64(0), whole ? p.range : ir.getInt64(0)}};
  }
  return Value{type,
               {ir.CreatePtrToInt(p.base, shapedLike(p.base, ir.getInt64Ty())), p.offset, p.size}};
}

Pointer Emission::fromValue(const Value& value) {
  Pointer p;
  p.pointee = value.type->element;
  p.storage = value.type->storage;
  p.explicit_layout = hasExplicitLayout(p.storage);
  llvm::Value* number = value.leaves[0];
  if (p.storage == spv::StorageClass::Workgroup) {
    // From `shared` on, so that passes see which memory it is (jit/ir/memories.h).
    llvm::Value* start = ir.CreatePtrToInt(shared, ir.getInt64Ty());
    simt.unify(number, start);
    p.base = ir.CreateGEP(ir.getInt8Ty(), shared, ir.CreateSub(number, start));
  } else {
    p.base = ir.CreateIntToPtr(number, shapedLike(number, llvm::PointerType::get(context, 0)));
  }
  p.offset = value.leaves.size() == 1 ? ir.getInt64(0) : value.leaves[1];
  if (value.leaves.size() == 3) {
    if (p.storage == spv::StorageClass::StorageBuffer) p.range = value.leaves[2];
    p.may_leave =
        p.storage == spv::StorageClass::StorageBuffer && !request.memory_check.storage_buffers;
    p.may_be_null = !request.memory_check.null_descriptors;
    if (p.storage == spv::StorageClass::Workgroup || request.robust_storage_buffers)
      p.size = value.leaves[2];
  }
  return p;
}

llvm::Expected<Pointer> Emission::pointer(Id id) {
  if (laneContext().isOneSubgroup()) return pointerInSubgroup(id);
  const auto divided = divided_.pointers.find(id);
  if (divided != divided_.pointers.end() && loop_ != nullptr && loop_->defined.count(id) == 0)
    return partOf(divided->second);
  if (auto it = pointers_.find(id); it != pointers_.end()) {
    const auto& escaping = streamOf(id).slots.escaping_pointers;
    auto slots = escaping.find(id);
    if (slots == escaping.end() || !leavesLoop(id)) return it->second;
    return keptPointer(slots->second, it->second);
  }
  if (divided != divided_.pointers.end()) return wholeOf(divided->second);
  if (auto it = missing_.find(id); it != missing_.end()) return malformed(it->second);
  llvm::Expected<Value> v = value(id);
  if (!v) return v.takeError();
  if (v->type == nullptr || v->type->kind != TypeKind::Pointer ||
      v->leaves.size() != v->type->leaves())
    return malformed(module.describe(id) + " is not a pointer");
  return fromValue(*v);
}

void Emission::setPointer(const Instruction& instruction, Pointer pointer) {
  const Id id = instruction.result;
  if (loop_ != nullptr) {
    loop_->defined.insert(id);
    if (loop_->results.count(id) != 0) divide(id, pointer);
  } else if (plan_.subgroup_uniformity != nullptr) {
    divideWhole(id, pointer);
  }
  if (stream_.slots.escaping.count(id) != 0) keepPointer(id, pointer);
  pointers_[id] = std::move(pointer);
}

// Whether the current position is outside of the divergent loop that defines `id`.
bool Emission::leavesLoop(Id id) const {
  const Stream& stream = streamOf(id);
  const uint32_t loop = stream.linearization->dynamicLoop(stream.uniformity->definition(id));
  return loop != simt::kNoNode && !stream.linearization->inLoop(node_, loop);
}

// A slot with what each invocation had when it left the loop; null for what is always the same.
llvm::AllocaInst* Emission::keepPart(llvm::Value* part) {
  auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(part);
  if (instruction == nullptr || llvm::isa<llvm::AllocaInst>(part) ||
      instruction->getParent() == start_block_)
    return nullptr;
  part = simt.broadcast(part);
  llvm::AllocaInst* slot = allocate(part->getType(), "kept");
  if (loop_ == nullptr && plan_.subgroup_uniformity != nullptr) divided_.slots.insert(slot);
  if (simt.mask != nullptr) part = ir.CreateSelect(simt.mask, part, readSlot(slot));
  writeSlot(slot, part);
  return slot;
}

void Emission::keepPointer(Id id, const Pointer& p) {
  stream_.slots.escaping_pointers[id] = {keepPart(p.base), keepPart(p.offset), keepPart(p.size),
                                         keepPart(p.range), keepPart(p.within)};
}

Pointer Emission::keptPointer(const PointerSlots& slots, Pointer p) {
  if (slots.base != nullptr) p.base = readSlot(slots.base);
  if (slots.offset != nullptr) p.offset = readSlot(slots.offset);
  if (slots.size != nullptr) p.size = readSlot(slots.size);
  if (slots.range != nullptr) p.range = readSlot(slots.range);
  if (slots.within != nullptr) p.within = readSlot(slots.within);
  return p;
}

}  // namespace jit::spirv
