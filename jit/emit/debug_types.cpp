// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/debug_types.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>

#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

using Kind = DebugLayout::Kind;
namespace dwarf = llvm::dwarf;

std::string scalarName(const Type& type) {
  const std::string width = std::to_string(type.width);
  switch (type.kind) {
    case TypeKind::Bool:
      return "bool";
    case TypeKind::Int:
      if (type.width == 32) return type.is_signed ? "int" : "uint";
      return (type.is_signed ? "int" : "uint") + width + "_t";
    default:
      break;
  }
  switch (type.encoding) {
    case FloatEncoding::BFloat16:
      return "bfloat16_t";
    case FloatEncoding::Float8E4M3:
      return "floate4m3_t";
    case FloatEncoding::Float8E5M2:
      return "floate5m2_t";
    case FloatEncoding::Ieee:
      break;
  }
  return type.width == 32 ? "float" : type.width == 64 ? "double" : "float" + width + "_t";
}

// "f16vec4", "uvec2", "vec3".
std::string vectorName(const Type& type) {
  const Type& scalar = *type.element;
  const std::string count = std::to_string(type.count), width = std::to_string(scalar.width);
  if (scalar.kind == TypeKind::Bool) return "bvec" + count;
  if (scalar.kind == TypeKind::Int)
    return (scalar.is_signed ? "i" : "u") + (scalar.width == 32 ? "" : width) + "vec" + count;
  if (scalar.encoding != FloatEncoding::Ieee)
    return "vector<" + scalarName(scalar) + ", " + count + ">";
  return (scalar.width == 32 ? "" : scalar.width == 64 ? "d" : "f" + width) + "vec" + count;
}

// Bytes of a value, up to the end of its last scalar where it is explicitly laid out.
uint64_t sizeOf(const Type* type, const DebugLayout& layout) {
  switch (layout.kind) {
    case Kind::Lanes:
      return type->leaves() * layout.step;
    case Kind::Natural:
      return type->naturalSize();
    case Kind::Explicit:
      break;
  }
  if (type->kind == TypeKind::RuntimeArray) return 0;
  if (type->kind == TypeKind::Vector && layout.component_stride != 0)
    return uint64_t{type->count} * layout.component_stride;
  if (type->isScalar() || type->kind == TypeKind::Pointer) return leafBytes(type);
  llvm::SmallVector<LeafLayout, 16> leaves;
  if (type->leaves() == 0 || type->leaves() > kMaxValueScalars) return explicitSize(type);
  leafLayouts(type, 0, true, layout.matrix, layout.component_stride, leaves);
  uint64_t end = 0;
  for (const LeafLayout& leaf : leaves) end = std::max(end, leaf.offset + leafBytes(leaf.type));
  return end;
}

}  // namespace

llvm::DIType* DebugTypes::number(const std::string& name, uint32_t bits, unsigned encoding) {
  return builder_.createBasicType(name, bits, encoding);
}

// A structure that is as large as the step to the next one: not all debuggers heed steps.
llvm::DIType* DebugTypes::padded(llvm::DIType* element, uint64_t bytes) {
  auto* composite = llvm::dyn_cast<llvm::DICompositeType>(element);
  if (composite == nullptr || composite->getTag() != dwarf::DW_TAG_structure_type ||
      element->getSizeInBits() >= bytes * 8)
    return element;
  auto* file = composite->getFile();
  return builder_.createStructType(file, composite->getName(), file, 0, bytes * 8, 0,
                                   llvm::DINode::FlagZero, nullptr, composite->getElements());
}

llvm::DIType* DebugTypes::array(llvm::DIType* element, uint64_t count, uint64_t stride,
                                llvm::DIVariable* elements) {
  element = padded(element, stride);
  auto* word = llvm::Type::getInt64Ty(element->getContext());
  auto constant = [&](uint64_t n) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, n));
  };
  llvm::Metadata* number = elements;
  if (count != 0) number = constant(count);
  auto* range = builder_.getOrCreateSubrange(
      number, constant(0), nullptr,
      element->getSizeInBits() == stride * 8 ? nullptr : constant(stride));
  return builder_.createArrayType(count * stride * 8, 0, element,
                                  builder_.getOrCreateArray({range}));
}

llvm::DIType* DebugTypes::structure(const std::string& name, llvm::ArrayRef<Field> fields,
                                    uint64_t bytes) {
  auto* file = builder_.createFile("shader", "");
  auto* result = builder_.createStructType(file, name, file, 0, bytes * 8, 0,
                                           llvm::DINode::FlagZero, nullptr, {});
  llvm::SmallVector<llvm::Metadata*, 8> members;
  for (const Field& field : fields)
    members.push_back(builder_.createMemberType(result, field.name, file, 0,
                                                field.type->getSizeInBits(), 0, field.offset * 8,
                                                llvm::DINode::FlagZero, field.type));
  builder_.replaceArrays(result, builder_.getOrCreateArray(members));
  return result;
}

llvm::DIType* DebugTypes::typeOf(const Type* type, const DebugLayout& layout) {
  auto [known, is_new] = types_.try_emplace({type, layout.key()}, nullptr);
  llvm::DIType*& result = known->second;
  // A structure that a pointer in it leads back to.
  if (is_new) result = make(type, layout);
  return result != nullptr ? result : number("uint8_t", 8, dwarf::DW_ATE_unsigned);
}

llvm::DIType* DebugTypes::make(const Type* type, const DebugLayout& layout) {
  switch (type->kind) {
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
      return scalar(type, layout);
    case TypeKind::Vector:
      return vector(type, layout);
    case TypeKind::Matrix: {
      // A column, and a row where these are side by side, is a vector whose components are apart.
      DebugLayout column = layout;
      uint64_t stride = sizeOf(type->element, layout);
      if (layout.kind == Kind::Explicit) {
        column.matrix = {};
        column.component_stride = layout.matrix.row_major ? layout.matrix.stride : 0;
        stride = layout.matrix.row_major ? leafBytes(type->scalar()) : layout.matrix.stride;
      }
      return array(typeOf(type->element, column), type->count, stride);
    }
    case TypeKind::Array:
    case TypeKind::RuntimeArray: {
      const uint64_t stride = layout.kind == Kind::Lanes
                                  ? sizeOf(type->element, layout)
                                  : elementStride(type, layout.kind == Kind::Explicit);
      if (type->kind == TypeKind::RuntimeArray)
        return array(typeOf(type->element, layout), 0, stride, layout.elements);
      return array(typeOf(type->element, layout), type->count, stride);
    }
    case TypeKind::Struct:
      return members(type, layout);
    case TypeKind::Pointer:
      return pointer(type);
    case TypeKind::CooperativeMatrix:
      return cooperativeMatrix(type);
    default:
      return number("uint", 32, dwarf::DW_ATE_unsigned);
  }
}

llvm::DIType* DebugTypes::scalar(const Type* type, const DebugLayout& layout) {
  const std::string name = scalarName(*type);
  if (type->kind == TypeKind::Bool)
    return number(name, layout.kind == Kind::Lanes ? 8 : 32, dwarf::DW_ATE_boolean);
  if (type->kind == TypeKind::Int)
    return number(name, type->width,
                  type->is_signed ? dwarf::DW_ATE_signed : dwarf::DW_ATE_unsigned);
  // Names by which gdb knows formats, or bits where it knows none.
  if (type->encoding == FloatEncoding::Ieee) return number(name, type->width, dwarf::DW_ATE_float);
  auto* file = builder_.createFile("shader", "");
  llvm::DIType* bits = type->encoding == FloatEncoding::BFloat16
                           ? number("__bf16", 16, dwarf::DW_ATE_float)
                           : number("uint8_t", 8, dwarf::DW_ATE_unsigned);
  return builder_.createTypedef(bits, name, file, 0, file);
}

llvm::DIType* DebugTypes::vector(const Type* type, const DebugLayout& layout) {
  llvm::DIType* component = typeOf(type->element, layout);
  const uint64_t stride = layout.kind == Kind::Lanes     ? layout.step
                          : layout.component_stride != 0 ? layout.component_stride
                                                         : sizeOf(type->element, layout);
  if (type->count > 4) return array(component, type->count, stride);
  llvm::SmallVector<Field, 4> fields;
  for (uint32_t k = 0; k < type->count; ++k)
    fields.push_back({std::string(1, "xyzw"[k]), component, k * stride});
  return structure(vectorName(*type), fields, type->count * stride);
}

std::string DebugTypes::memberName(const Type* structure, uint32_t index) const {
  auto names = module_.debug.member_names.find(structure->id);
  if (names == module_.debug.member_names.end()) return {};
  auto name = names->second.find(index);
  return name == names->second.end() ? std::string() : name->second;
}

uint64_t DebugTypes::offsetOf(const Type* structure, uint32_t index, const DebugLayout& layout) {
  if (layout.kind != Kind::Lanes)
    return memberOffset(structure, index, layout.kind == Kind::Explicit);
  uint64_t leaves = 0;
  for (uint32_t k = 0; k < index; ++k) leaves += structure->members[k].type->leaves();
  return leaves * layout.step;
}

DebugLayout DebugTypes::memberLayout(const Type* structure, uint32_t index, DebugLayout layout) {
  const Member& member = structure->members[index];
  if (layout.kind == Kind::Explicit)
    layout.matrix = {.stride = member.matrix_stride, .row_major = member.row_major};
  layout.component_stride = 0;
  return layout;
}

llvm::DIType* DebugTypes::members(const Type* type, const DebugLayout& layout) {
  llvm::SmallVector<Field, 8> fields;
  for (uint32_t k = 0; k < type->members.size(); ++k) {
    std::string name = memberName(type, k);
    if (name.empty()) name = "member" + std::to_string(k);
    fields.push_back({std::move(name), typeOf(type->members[k].type, memberLayout(type, k, layout)),
                      offsetOf(type, k, layout)});
  }
  auto name = module_.names.find(type->id);
  return structure(name == module_.names.end() ? "" : name->second, fields, sizeOf(type, layout));
}

llvm::DIType* DebugTypes::pointer(const Type* type) {
  constexpr unsigned kBits = 64;
  llvm::DIType* pointee = nullptr;  // as `void *` where it is not known
  if (type->storage == spv::StorageClass::PhysicalStorageBuffer && !type->untyped)
    pointee = typeOf(type->element, {.kind = Kind::Explicit});
  return builder_.createPointerType(pointee, kBits);
}

llvm::DIType* DebugTypes::cooperativeMatrix(const Type* type) {
  const DebugLayout layout{.kind = Kind::Natural};
  const uint64_t element = leafBytes(type->element);
  llvm::DIType* row = array(typeOf(type->element, layout), type->columns, element);
  llvm::DIType* rows = array(row, type->rows, element * type->columns);
  std::string use = "gl_MatrixUseAccumulator";
  if (type->use == spv::CooperativeMatrixUse::MatrixAKHR) use = "gl_MatrixUseA";
  if (type->use == spv::CooperativeMatrixUse::MatrixBKHR) use = "gl_MatrixUseB";
  const std::string scope =
      type->scope == spv::Scope::Workgroup ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup";
  const std::string name = "coopmat<" + scalarName(*type->element) + ", " + scope + ", " +
                           std::to_string(type->rows) + ", " + std::to_string(type->columns) +
                           ", " + use + ">";
  auto* file = builder_.createFile("shader", "");
  return builder_.createTypedef(rows, name, file, 0, file);
}

}  // namespace jit::spirv
