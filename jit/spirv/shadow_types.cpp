// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/shadow_types.h"

#include <memory>

#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

void appendLeaves(const Type& type, bool with_ones, std::vector<uint64_t>& leaves) {
  switch (type.kind) {
    case TypeKind::Struct:
      for (const Member& member : type.members) appendLeaves(*member.type, with_ones, leaves);
      return;
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::Array:
      for (uint32_t k = 0; k < type.count; ++k) appendLeaves(*type.element, with_ones, leaves);
      return;
    default: {
      const Type& scalar = type.kind == TypeKind::CooperativeMatrix ? *type.element : type;
      const uint64_t ones = scalar.kind == TypeKind::Bool ? 1 : ~uint64_t{0} >> (64 - scalar.width);
      leaves.push_back(with_ones ? ones : 0);
    }
  }
}

}  // namespace

ShadowTypes::ShadowTypes(Module& module) : module_(module) {
  for (const auto& [id, type] : module.types) {
    if (type->kind == TypeKind::Bool) boolean_ = type.get();
    if (type->kind == TypeKind::Int && !type->is_signed) integers_[type->width] = type.get();
  }
  for (const auto& [id, type] : module.types)
    if (type->kind == TypeKind::Vector && type->array_stride == 0)
      vectors_[{type->element, type->count}] = type.get();
}

const Type* ShadowTypes::made(Type type) {
  const uint32_t id = module_.bound++;
  type.id = id;
  return (module_.types[id] = std::make_unique<Type>(std::move(type))).get();
}

const Type* ShadowTypes::boolean() {
  if (boolean_ == nullptr) boolean_ = made({.kind = TypeKind::Bool, .id = 0});
  return boolean_;
}

const Type* ShadowTypes::integer(uint32_t width) {
  const Type*& type = integers_[width];
  if (type == nullptr) type = made({.kind = TypeKind::Int, .id = 0, .width = width});
  return type;
}

const Type* ShadowTypes::vector(const Type* component, uint32_t count) {
  const Type*& type = vectors_[{component, count}];
  if (type == nullptr)
    type = made({.kind = TypeKind::Vector, .id = 0, .element = component, .count = count});
  return type;
}

const Type* ShadowTypes::booleansOf(const Type* type) {
  return type->kind == TypeKind::Vector ? vector(boolean(), type->count) : boolean();
}

const Type* ShadowTypes::of(const Type* type, unsigned plane) {
  if (type == nullptr || (plane != kBitsPlane && !holdsMatrix(type))) return nullptr;
  return make(type, plane);
}

const Type* ShadowTypes::make(const Type* type, unsigned plane) {
  if (auto known = shadows_.find({type, plane}); known != shadows_.end()) return known->second;
  const Type* shadow = nullptr;
  switch (type->kind) {
    case TypeKind::Bool:
      shadow = plane == kBitsPlane ? boolean() : integer(64);
      break;
    case TypeKind::Int:
    case TypeKind::Float:
      shadow = integer(plane == kBitsPlane ? type->width : 64);
      break;
    case TypeKind::Pointer:
      shadow = integer(64);
      break;
    case TypeKind::CooperativeMatrix:
      if (plane == kBitsPlane) {
        Type matrix = *type;
        matrix.element = make(type->element, plane);
        shadow = made(std::move(matrix));
      } else {
        shadow = integer(64);
      }
      break;
    case TypeKind::Vector:
      shadow = vector(make(type->element, plane), type->count);
      break;
    case TypeKind::Matrix:
    case TypeKind::Array:
    case TypeKind::RuntimeArray: {
      Type composite = *type;
      composite.element = make(type->element, plane);
      if (composite.element != nullptr) shadow = made(std::move(composite));
      break;
    }
    case TypeKind::Struct: {
      Type composite = *type;
      bool has_all = true;
      for (Member& member : composite.members) {
        member.type = make(member.type, plane);
        member.is_volatile = false;
        has_all &= member.type != nullptr;
      }
      if (has_all) shadow = made(std::move(composite));
      break;
    }
    default:
      break;
  }
  return shadows_[{type, plane}] = shadow;
}

const Type* ShadowTypes::pointer(const Type* pointee, const Type& like) {
  const Type*& type = pointers_[{pointee, &like}];
  if (type == nullptr) {
    Type made_type = like;
    made_type.element = pointee;
    type = made(std::move(made_type));
  }
  return type;
}

Id ShadowTypes::filled(const Type* type, bool with_ones) {
  Id& id = constants_[{type, with_ones}];
  if (id == 0) {
    id = module_.bound++;
    Constant constant{type, {}};
    appendLeaves(*type, with_ones, constant.leaves);
    module_.constants[id] = std::move(constant);
  }
  return id;
}

}  // namespace jit::spirv
