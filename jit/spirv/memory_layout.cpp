// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/memory_layout.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace jit::spirv {

namespace {

uint64_t naturalStride(const Type* type) {
  return llvm::alignTo(type->naturalSize(), type->naturalAlignment());
}

// What arrays are made of in the end.
const Type* innermost(const Type* type) {
  while (type->kind == TypeKind::Array) type = type->element;
  return type;
}

}  // namespace

uint64_t leafBytes(const Type* type) { return type->naturalSize() / type->leaves(); }

uint64_t memberBytes(llvm::ArrayRef<LeafLayout> leaves, size_t most) {
  if (leaves.empty() || leaves.size() > most) return 0;
  const uint64_t bytes = leafBytes(leaves[0].type);
  for (size_t k = 0; k < leaves.size(); ++k)
    if (leaves[k].type != leaves[0].type || leaves[k].offset != leaves[0].offset + k * bytes)
      return 0;
  return leaves[0].type->isScalar() ? bytes : 0;
}

uint64_t elementStride(const Type* array, bool explicit_layout) {
  return explicit_layout && array->array_stride != 0 ? array->array_stride
                                                     : naturalStride(array->element);
}

uint64_t memberOffset(const Type* type, uint32_t index, bool explicit_layout) {
  if (explicit_layout && type->members[index].offset != kNoOffset)
    return type->members[index].offset;
  uint64_t offset = 0;
  for (uint32_t i = 0; i <= index; ++i) {
    offset = llvm::alignTo(offset, type->members[i].type->naturalAlignment());
    if (i < index) offset += type->members[i].type->naturalSize();
  }
  return offset;
}

void leafLayouts(const Type* type, uint64_t offset, bool explicit_layout, MatrixLayout matrix,
                 uint32_t component_stride, llvm::SmallVectorImpl<LeafLayout>& out) {
  switch (type->kind) {
    case TypeKind::Vector: {
      uint64_t stride = component_stride != 0 ? component_stride : type->element->naturalSize();
      for (uint32_t i = 0; i < type->count; ++i)
        leafLayouts(type->element, offset + i * stride, explicit_layout, {}, 0, out);
      break;
    }
    case TypeKind::Matrix: {
      uint64_t scalar = type->element->element->naturalSize();
      for (uint32_t c = 0; c < type->count; ++c) {
        if (matrix.stride == 0)
          leafLayouts(type->element, offset + c * type->element->naturalSize(), explicit_layout, {},
                      0, out);
        else if (matrix.row_major)
          leafLayouts(type->element, offset + c * scalar, explicit_layout, {}, matrix.stride, out);
        else
          leafLayouts(type->element, offset + uint64_t{c} * matrix.stride, explicit_layout, {}, 0,
                      out);
      }
      break;
    }
    case TypeKind::Array: {
      uint64_t stride = elementStride(type, explicit_layout);
      for (uint32_t i = 0; i < type->count; ++i)
        leafLayouts(type->element, offset + i * stride, explicit_layout, matrix, 0, out);
      break;
    }
    case TypeKind::Struct:
      for (uint32_t i = 0; i < type->members.size(); ++i) {
        const Member& m = type->members[i];
        MatrixLayout layout;
        if (explicit_layout) layout = {m.matrix_stride, m.row_major};
        leafLayouts(m.type, offset + memberOffset(type, i, explicit_layout), explicit_layout,
                    layout, 0, out);
      }
      break;
    case TypeKind::Void:
    case TypeKind::RuntimeArray:
    case TypeKind::Function:
      break;
    default:
      for (uint64_t k = 0; k < type->leaves(); ++k)
        out.push_back({type, offset + k * leafBytes(type)});
  }
}

uint64_t explicitSize(const Type* type) {
  switch (type->kind) {
    case TypeKind::Array:
      if (type->count == 0) return 0;
      return (type->count - 1) * elementStride(type, true) + explicitSize(type->element);
    case TypeKind::Struct: {
      uint64_t size = 0;
      for (uint32_t i = 0; i < type->members.size(); ++i) {
        const Member& m = type->members[i];
        // A matrix ends inside its last column (row), which is no longer than the stride.
        uint64_t bytes = explicitSize(m.type);
        if (m.matrix_stride != 0) {
          const Type* matrix = innermost(m.type);
          bytes += uint64_t{m.matrix_stride} * matrix->leaves() - explicitSize(matrix);
          bytes = std::max(bytes, uint64_t{m.matrix_stride} * m.type->leaves());
        }
        size = std::max(size, memberOffset(type, i, true) + bytes);
      }
      return size;
    }
    default:
      return type->naturalSize();
  }
}

}  // namespace jit::spirv
