// SPDX-License-Identifier: Apache-2.0

// What types hold and how much of it: scalars, leaves, sizes, and the limits that they must keep.
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <unordered_map>

#include "jit/base/error.h"
#include "jit/spirv/tensor_types.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

constexpr uint32_t kMaxDepth = 255;  // the universal limit on structures, applied to all types
constexpr uint32_t kMaxNodes = 1 << 15;
constexpr uint64_t kBoolBytes = 4;
constexpr uint64_t kPointerBytes = 8;
constexpr uint64_t kTensorLeafBytes = 4;

uint64_t roundUp(uint64_t value, uint64_t alignment) {
  return llvm::SaturatingAdd(value, alignment - 1) / alignment * alignment;
}

}  // namespace

const Type* Type::scalar() const {
  const Type* type = this;
  while (type->kind == TypeKind::Vector || type->kind == TypeKind::Matrix ||
         type->kind == TypeKind::CooperativeMatrix)
    type = type->element;
  return type;
}

uint64_t Type::leaves() const {
  switch (kind) {
    case TypeKind::Void:
    case TypeKind::RuntimeArray:
    case TypeKind::Function:
      return 0;
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::CooperativeMatrix:
      return 1;
    case TypeKind::Pointer:
      return bounded ? 3 : 1;
    case TypeKind::TensorLayout:
      return LayoutLeaves(count).total();
    case TypeKind::TensorView:
      return ViewLeaves(count).total();
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::Array:
      return llvm::SaturatingMultiply<uint64_t>(count, element->leaves());
    case TypeKind::Struct: {
      uint64_t sum = 0;
      for (const Member& member : members) sum = llvm::SaturatingAdd(sum, member.type->leaves());
      return sum;
    }
  }
  return 0;
}

uint64_t Type::naturalSize() const {
  switch (kind) {
    case TypeKind::Void:
    case TypeKind::RuntimeArray:
    case TypeKind::Function:
      return 0;
    case TypeKind::Bool:
      return kBoolBytes;
    case TypeKind::Int:
    case TypeKind::Float:
      return width / 8;
    case TypeKind::Pointer:
      return kPointerBytes * leaves();
    case TypeKind::TensorLayout:
    case TypeKind::TensorView:
      return kTensorLeafBytes * leaves();
    case TypeKind::CooperativeMatrix:
      return llvm::SaturatingMultiply(llvm::SaturatingMultiply<uint64_t>(rows, columns),
                                      element->naturalSize());
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::Array:
      return llvm::SaturatingMultiply<uint64_t>(count, element->naturalSize());
    case TypeKind::Struct: {
      uint64_t size = 0;
      for (const Member& member : members)
        size = llvm::SaturatingAdd(roundUp(size, member.type->naturalAlignment()),
                                   member.type->naturalSize());
      return roundUp(size, naturalAlignment());
    }
  }
  return 0;
}

uint64_t Type::naturalAlignment() const {
  switch (kind) {
    case TypeKind::Void:
    case TypeKind::Function:
      return 1;
    case TypeKind::Bool:
      return kBoolBytes;
    case TypeKind::Int:
    case TypeKind::Float:
      return std::max<uint64_t>(width / 8, 1);
    case TypeKind::Pointer:
      return kPointerBytes;
    case TypeKind::TensorLayout:
    case TypeKind::TensorView:
      return kTensorLeafBytes;
    case TypeKind::CooperativeMatrix:
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::RuntimeArray:
    case TypeKind::Array:
      return element->naturalAlignment();
    case TypeKind::Struct: {
      uint64_t alignment = 1;
      for (const Member& member : members)
        alignment = std::max(alignment, member.type->naturalAlignment());
      return alignment;
    }
  }
  return 1;
}

const Type* componentType(const Type& composite, uint32_t index) {
  switch (composite.kind) {
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::Array:
      return index < composite.count ? composite.element : nullptr;
    case TypeKind::Struct:
      return index < composite.members.size() ? composite.members[index].type : nullptr;
    default:
      return nullptr;
  }
}

uint64_t leavesBefore(const Type& composite, uint32_t index) {
  if (composite.kind != TypeKind::Struct)
    return llvm::SaturatingMultiply<uint64_t>(index, composite.element->leaves());
  uint64_t sum = 0;
  for (uint32_t i = 0; i < index; ++i)
    sum = llvm::SaturatingAdd(sum, composite.members[i].type->leaves());
  return sum;
}

llvm::Error checkTypeExtents(const Binary& binary) {
  struct Extent {
    uint32_t depth = 0, nodes = 0;
  };
  std::unordered_map<Id, Extent> extents;
  for (const RawInstruction& raw : binary.instructions()) {
    if (raw.op == spv::Op::OpFunction) break;
    if (raw.result == 0 || raw.type != 0) continue;  // no type
    Extent extent{1, 1};
    for (const uint32_t& word : raw.operands) {
      if (!binary.isId(&word)) continue;
      auto part = extents.find(word);
      if (part == extents.end()) continue;
      extent.depth = std::max(extent.depth, part->second.depth + 1);
      extent.nodes += part->second.nodes;
      if (extent.depth > kMaxDepth || extent.nodes > kMaxNodes)
        return unsupported("type %" + std::to_string(raw.result) +
                           " is nested too deeply or has too many members");
    }
    extents[raw.result] = extent;
  }
  return llvm::Error::success();
}

}  // namespace jit::spirv
