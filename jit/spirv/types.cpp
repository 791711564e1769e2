// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/types.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "jit/base/error.h"
#include "jit/spirv/coopmat_support.h"
#include "jit/spirv/spelling.h"

namespace jit::spirv {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 47;  // an address space

// What pointers lead to whose pointee is not known.
const Type kNothing{};

// Variable pointers are those into these storage classes.
bool isBounded(const Reading& reading, spv::StorageClass storage) {
  return storage == spv::StorageClass::StorageBuffer ||
         (storage == spv::StorageClass::Workgroup && reading.request.robust_variables);
}

uint32_t floatWidth(FloatEncoding encoding, uint32_t width) {
  switch (encoding) {
    case FloatEncoding::Ieee:
      return width == 16 || width == 32 || width == 64 ? width : 0;
    case FloatEncoding::BFloat16:
      return 16;
    case FloatEncoding::Float8E4M3:
    case FloatEncoding::Float8E5M2:
      return 8;
  }
  return 0;
}

}  // namespace

llvm::Error TypeReader::declare(const RawInstruction& raw) {
  Type type{};
  type.id = raw.result;
  const auto operands = raw.operands;
  switch (raw.op) {
    case spv::Op::OpTypeVoid:
      type.kind = TypeKind::Void;
      return add(raw, std::move(type));
    case spv::Op::OpTypeBool:
      type.kind = TypeKind::Bool;
      return add(raw, std::move(type));
    case spv::Op::OpTypeInt:
      type.kind = TypeKind::Int;
      if (operands.size() < 2) break;
      type.width = operands[0];
      type.is_signed = operands[1] != 0;
      if (type.width != 8 && type.width != 16 && type.width != 32 && type.width != 64)
        return unsupported(reading_.describe(raw) + ": integers of " + std::to_string(type.width) +
                           " bits are not supported");
      return add(raw, std::move(type));
    case spv::Op::OpTypeFloat:
      return declareFloat(raw, type);
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      type.kind = raw.op == spv::Op::OpTypeVector ? TypeKind::Vector : TypeKind::Matrix;
      if (operands.size() < 2) break;
      if (llvm::Error error = setElement(raw, type)) return error;
      type.count = operands[1];
      if (type.count < 1 || type.count > kMaxVectorComponents)
        return unsupported(reading_.describe(raw) + ": " + std::to_string(type.count) +
                           " components; up to " + std::to_string(kMaxVectorComponents) +
                           " are supported");
      if (type.kind == TypeKind::Vector ? !type.element->isScalar()
                                        : type.element->kind != TypeKind::Vector)
        return malformed(reading_.describe(raw) + ": wrong kind of component type");
      return add(raw, std::move(type));
    case spv::Op::OpTypeVectorIdEXT: {
      type.kind = TypeKind::Vector;
      if (operands.size() < 2) break;
      if (llvm::Error error = setElement(raw, type)) return error;
      llvm::Expected<uint32_t> count =
          reading_.integerBetween(operands[1], 1, kMaxVectorComponents, "number of components");
      if (!count) return count.takeError();
      type.count = *count;
      if (!type.element->isScalar())
        return malformed(reading_.describe(raw) + ": wrong kind of component type");
      return add(raw, std::move(type));
    }
    case spv::Op::OpTypeArray:
      return declareArray(raw, type);
    case spv::Op::OpTypeRuntimeArray:
      type.kind = TypeKind::RuntimeArray;
      if (llvm::Error error = setElement(raw, type)) return error;
      type.array_stride = reading_.annotations.arrayStride(raw.result);
      return add(raw, std::move(type));
    case spv::Op::OpTypeStruct:
      return declareStruct(raw, type);
    case spv::Op::OpTypePointer:
      return declarePointer(raw);
    case spv::Op::OpTypeUntypedPointerKHR:
      return declareUntypedPointer(raw);
    case spv::Op::OpTypeFunction: {
      type.kind = TypeKind::Function;
      if (operands.empty()) break;
      llvm::Expected<const Type*> result = reading_.type(operands[0]);
      if (!result) return result.takeError();
      type.element = *result;
      for (Id id : operands.subspan(1)) {
        llvm::Expected<const Type*> parameter = reading_.type(id);
        if (!parameter) return parameter.takeError();
        type.parameters.push_back(*parameter);
      }
      return add(raw, std::move(type));
    }
    case spv::Op::OpTypeCooperativeMatrixKHR:
    case spv::Op::OpTypeCooperativeMatrixNV:
      return declareCooperativeMatrix(raw, type);
    case spv::Op::OpTypeTensorLayoutNV:
      return declareTensorLayout(raw, type);
    case spv::Op::OpTypeTensorViewNV:
      return declareTensorView(raw, type);
    default:
      return unsupported(reading_.describe(raw) + " is not supported");
  }
  return malformed(reading_.describe(raw) + " lacks operands");
}

llvm::Error TypeReader::declareFloat(const RawInstruction& raw, Type& type) {
  type.kind = TypeKind::Float;
  if (raw.operands.empty()) return malformed(reading_.describe(raw) + " lacks operands");
  type.width = raw.operands[0];
  if (raw.operands.size() > 1) {
    switch (static_cast<spv::FPEncoding>(raw.operands[1])) {
      case spv::FPEncoding::BFloat16KHR:
        type.encoding = FloatEncoding::BFloat16;
        break;
      case spv::FPEncoding::Float8E4M3EXT:
        type.encoding = FloatEncoding::Float8E4M3;
        break;
      case spv::FPEncoding::Float8E5M2EXT:
        type.encoding = FloatEncoding::Float8E5M2;
        break;
      default:
        return unsupported(reading_.describe(raw) + ": floating-point encoding " +
                           std::to_string(raw.operands[1]) + " is not supported");
    }
  }
  if (type.width != floatWidth(type.encoding, type.width))
    return unsupported(reading_.describe(raw) + ": floating-point numbers of " +
                       std::to_string(type.width) + " bits are not supported");
  return add(raw, std::move(type));
}

llvm::Error TypeReader::declareArray(const RawInstruction& raw, Type& type) {
  type.kind = TypeKind::Array;
  if (raw.operands.size() < 2) return malformed(reading_.describe(raw) + " lacks operands");
  if (llvm::Error error = setElement(raw, type)) return error;
  llvm::Expected<uint32_t> length =
      reading_.integerBetween(raw.operands[1], 1, UINT32_MAX, "array length");
  if (!length) return length.takeError();
  type.count = *length;
  type.array_stride = reading_.annotations.arrayStride(raw.result);
  const uint64_t bytes = std::max(type.naturalSize(), uint64_t{type.count} * type.array_stride);
  if (bytes > kMaxBytes)
    return unsupported(reading_.describe(raw) + ": an array of " + std::to_string(type.count) +
                       " elements exceeds the address space");
  return add(raw, std::move(type));
}

llvm::Error TypeReader::declareStruct(const RawInstruction& raw, Type& type) {
  type.kind = TypeKind::Struct;
  type.block = reading_.annotations.isBlock(raw.result);
  type.buffer_block = reading_.annotations.isBufferBlock(raw.result);
  for (uint32_t i = 0; i < raw.operands.size(); ++i) {
    llvm::Expected<const Type*> member = reading_.type(raw.operands[i]);
    if (!member) return member.takeError();
    if ((*member)->kind == TypeKind::Void || (*member)->kind == TypeKind::Function)
      return malformed(reading_.describe(raw) + ": member " + std::to_string(i) +
                       " has a type without values");
    type.members.push_back(reading_.annotations.member(raw.result, i));
    type.members.back().type = *member;
  }
  return add(raw, std::move(type));
}

llvm::Error TypeReader::declareForward(const RawInstruction& raw) {
  if (raw.operands.size() < 2) return malformed(reading_.describe(raw) + " lacks operands");
  const Id id = raw.operands[0];
  const RawInstruction* definition = reading_.binary.definition(id);
  if (!definition || definition->op != spv::Op::OpTypePointer)
    return malformed(reading_.describe(raw) + ": " + reading_.module.describe(id) +
                     " is not declared as a pointer");
  auto& slot = reading_.module.types[id];
  if (slot) return llvm::Error::success();
  slot = std::make_unique<Type>();
  slot->kind = TypeKind::Pointer;
  slot->id = id;
  slot->storage = static_cast<spv::StorageClass>(raw.operands[1]);
  return llvm::Error::success();
}

llvm::Error TypeReader::declarePointer(const RawInstruction& raw) {
  if (raw.operands.size() < 2) return malformed(reading_.describe(raw) + " lacks operands");
  llvm::Expected<const Type*> pointee = reading_.type(raw.operands[1]);
  if (!pointee) {
    // Structures may hold a pointer declared ahead, so it stays, leading nowhere.
    auto forward = reading_.module.types.find(raw.result);
    if (forward != reading_.module.types.end()) forward->second->element = &kNothing;
    return pointee.takeError();
  }
  auto& slot = reading_.module.types[raw.result];
  if (!slot) slot = std::make_unique<Type>();
  slot->kind = TypeKind::Pointer;
  slot->id = raw.result;
  slot->storage = static_cast<spv::StorageClass>(raw.operands[0]);
  slot->element = *pointee;
  slot->bounded = isBounded(reading_, slot->storage);
  slot->array_stride = reading_.annotations.arrayStride(raw.result);
  return llvm::Error::success();
}

llvm::Error TypeReader::declareUntypedPointer(const RawInstruction& raw) {
  if (raw.operands.empty()) return malformed(reading_.describe(raw) + " lacks operands");
  Type type{};
  type.kind = TypeKind::Pointer;
  type.id = raw.result;
  type.storage = static_cast<spv::StorageClass>(raw.operands[0]);
  type.element = &kNothing;
  type.untyped = true;
  type.bounded = isBounded(reading_, type.storage);
  type.array_stride = reading_.annotations.arrayStride(raw.result);
  return add(raw, std::move(type));
}

const Type* variablePointer(Module& module, const Type& untyped, const Type& data) {
  const Id id = module.bound++;
  auto& slot = module.types[id];
  slot = std::make_unique<Type>(untyped);
  slot->id = id;
  slot->element = &data;
  return slot.get();
}

bool holdsPointer(const Type& type) {
  if (type.kind == TypeKind::Pointer) return true;
  if (type.kind == TypeKind::Struct)
    return std::any_of(type.members.begin(), type.members.end(),
                       [](const Member& m) { return holdsPointer(*m.type); });
  return type.element != nullptr && holdsPointer(*type.element);
}

bool holdsMatrix(const Type* type, std::optional<spv::Scope> scope) {
  switch (type->kind) {
    case TypeKind::CooperativeMatrix:
      return !scope || type->scope == *scope;
    case TypeKind::Array:
      return holdsMatrix(type->element, scope);
    case TypeKind::Struct:
      return std::ranges::any_of(type->members,
                                 [&](const Member& m) { return holdsMatrix(m.type, scope); });
    default:
      return false;
  }
}

llvm::Error TypeReader::declareCooperativeMatrix(const RawInstruction& raw, Type& type) {
  type.kind = TypeKind::CooperativeMatrix;
  const bool has_use = raw.op == spv::Op::OpTypeCooperativeMatrixKHR;
  if (raw.operands.size() < (has_use ? 5 : 4))
    return malformed(reading_.describe(raw) + " lacks operands");
  if (llvm::Error error = setElement(raw, type)) return error;
  if (type.element->kind != TypeKind::Int && type.element->kind != TypeKind::Float)
    return malformed(reading_.describe(raw) + ": the component type is not a number");
  llvm::Expected<uint32_t> scope = reading_.integerBetween(raw.operands[1], 0, UINT32_MAX, "scope");
  if (!scope) return scope.takeError();
  llvm::Expected<uint32_t> rows =
      reading_.integerBetween(raw.operands[2], 1, UINT32_MAX, "number of rows");
  if (!rows) return rows.takeError();
  llvm::Expected<uint32_t> columns =
      reading_.integerBetween(raw.operands[3], 1, UINT32_MAX, "number of columns");
  if (!columns) return columns.takeError();
  if (has_use) {
    llvm::Expected<uint32_t> use = reading_.integerBetween(
        raw.operands[4], 0, static_cast<uint32_t>(spv::CooperativeMatrixUse::MatrixAccumulatorKHR),
        "matrix use");
    if (!use) return use.takeError();
    type.use = static_cast<spv::CooperativeMatrixUse>(*use);
  }
  type.scope = static_cast<spv::Scope>(*scope);
  type.rows = *rows;
  type.columns = *columns;
  uint32_t invocations = 0;
  if (type.scope == spv::Scope::Workgroup && reading_.request.matrices != nullptr) {
    // SPV_NV_cooperative_matrix2: the workgroup's size stands before types of this scope.
    llvm::Expected<WorkgroupSize> size = workgroupSize(reading_);
    if (!size) return size.takeError();
    invocations = invocationsOf(*size);
  }
  if (llvm::Error error = checkMatrix(type, reading_.request.tables(), invocations)) {
    return unsupported(reading_.describe(raw) + ": " + llvm::toString(std::move(error)));
  }
  return add(raw, std::move(type));
}

llvm::Error TypeReader::setElement(const RawInstruction& raw, Type& type) {
  if (raw.operands.empty()) return malformed(reading_.describe(raw) + " lacks operands");
  llvm::Expected<const Type*> element = reading_.type(raw.operands[0]);
  if (!element) return element.takeError();
  type.element = *element;
  if (type.element->kind == TypeKind::Void || type.element->kind == TypeKind::Function)
    return malformed(reading_.describe(raw) + ": the element type has no values");
  return llvm::Error::success();
}

llvm::Error TypeReader::add(const RawInstruction& raw, Type type) {
  reading_.module.types[raw.result] = std::make_unique<Type>(std::move(type));
  return llvm::Error::success();
}

llvm::Error TypeReader::finish() const {
  for (const auto& [id, type] : reading_.module.types)
    if (type->kind == TypeKind::Pointer && !type->element)
      return malformed(reading_.module.describe(id) + " is a pointer without its declaration");
  return llvm::Error::success();
}

}  // namespace jit::spirv
