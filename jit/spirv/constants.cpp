// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/constants.h"

#include <cstring>
#include <span>

#include "jit/base/error.h"
#include "jit/spirv/spelling.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

// A constant is stored leaf by leaf, so a small module could ask for any amount of memory.
constexpr uint64_t kMaxLeaves = 1 << 20;     // of one constant
constexpr uint64_t kMaxAllLeaves = 1 << 22;  // of a module

llvm::Expected<std::vector<uint64_t>> zeros(Reading& reading, const RawInstruction& raw,
                                            const Type& type) {
  if (type.kind == TypeKind::Void || type.kind == TypeKind::RuntimeArray ||
      type.kind == TypeKind::Function)
    return unsupported(reading.describe(raw) + ": a constant without a value is not supported");
  const uint64_t leaves = type.leaves();
  if (leaves > kMaxLeaves || reading.constant_leaves + leaves > kMaxAllLeaves)
    return unsupported(reading.describe(raw) + ": a constant of " + std::to_string(leaves) +
                       " scalars is too large");
  reading.constant_leaves += leaves;
  return std::vector<uint64_t>(leaves, 0);
}

// The value that the client gave for the constant `id`; null when it gave none.
const Specialization* specializationOf(const Reading& reading, Id id) {
  const Decorations& decorations = reading.module.decorated(id);
  if (!decorations.spec_id) return nullptr;
  for (const Specialization& specialization : reading.request.specializations)
    if (specialization.id == *decorations.spec_id) return &specialization;
  return nullptr;
}

// Replaces the default value of a scalar specialization constant. More bytes than the type has
// are cut: VkBool32 for a Bool, and clients that give 32 bits for every constant.
llvm::Error specialize(const Reading& reading, const RawInstruction& raw, Constant& constant) {
  const Type& type = *constant.type;
  const Specialization* specialization = specializationOf(reading, raw.result);
  if (!specialization) return llvm::Error::success();
  const size_t size = specialization->value.size();
  const size_t needed = type.kind == TypeKind::Bool ? 1 : type.width / 8;
  if (size < needed || size > sizeof(uint64_t))
    return malformed(reading.describe(raw) + ": the specialization of constant id " +
                     std::to_string(specialization->id) + " has " + std::to_string(size) +
                     " bytes, the constant " + std::to_string(needed));
  uint64_t value = 0;
  std::memcpy(&value, specialization->value.data(), size);
  constant.leaves[0] = type.kind == TypeKind::Bool ? value != 0 : truncateTo(value, type.width);
  return llvm::Error::success();
}

llvm::Error setScalar(const Reading& reading, const RawInstruction& raw, Constant& constant) {
  const Type& type = *constant.type;
  if (type.kind != TypeKind::Int && type.kind != TypeKind::Float)
    return malformed(reading.describe(raw) + ": the type is not a number");
  const size_t words = type.width > 32 ? 2 : 1;
  if (raw.operands.size() < words) return malformed(reading.describe(raw) + " lacks its value");
  uint64_t value = raw.operands[0];
  if (words == 2) value |= uint64_t{raw.operands[1]} << 32;
  constant.leaves[0] = truncateTo(value, type.width);
  return llvm::Error::success();
}

llvm::Error setComposite(const Reading& reading, const RawInstruction& raw, Constant& constant) {
  const Type& type = *constant.type;
  const bool matrix = type.kind == TypeKind::CooperativeMatrix;
  const size_t parts = matrix                          ? 1
                       : type.kind == TypeKind::Struct ? type.members.size()
                                                       : type.count;
  // SPV_EXT_replicated_composites: one constituent for all.
  const bool replicated = raw.op == spv::Op::OpConstantCompositeReplicateEXT ||
                          raw.op == spv::Op::OpSpecConstantCompositeReplicateEXT;
  if ((!matrix && !type.isComposite()) || raw.operands.size() != (replicated ? 1 : parts))
    return malformed(reading.describe(raw) + ": the constituents do not make up the type");
  size_t leaf = 0;
  for (uint32_t i = 0; i < parts; ++i) {
    llvm::Expected<const Constant*> part = reading.constant(raw.operands[replicated ? 0 : i]);
    if (!part) return part.takeError();
    const Type* expected = matrix ? type.element : componentType(type, i);
    if ((*part)->type != expected)
      return malformed(reading.describe(raw) + ": constituent " + std::to_string(i) +
                       " has the wrong type");
    for (uint64_t value : (*part)->leaves) constant.leaves.at(leaf++) = value;
    constant.specialized |= (*part)->specialized;
  }
  return llvm::Error::success();
}

// SPV_KHR_constant_data: the elements of an array of integers side by side, from the low bits of
// each word on. A specialization replaces all of them.
llvm::Error setData(const Reading& reading, const RawInstruction& raw, Constant& constant) {
  const Type& type = *constant.type;
  if (type.kind != TypeKind::Array || type.element->kind != TypeKind::Int)
    return malformed(reading.describe(raw) + ": the type is not an array of integers");
  const size_t bytes = type.element->width / 8, needed = bytes * constant.leaves.size();
  std::span<const std::byte> data = std::as_bytes(raw.operands);
  const bool is_specializable = raw.op == spv::Op::OpSpecConstantDataKHR;
  const Specialization* specialization =
      is_specializable ? specializationOf(reading, raw.result) : nullptr;
  if (specialization != nullptr) data = specialization->value;
  if (data.size() < needed)
    return malformed(reading.describe(raw) + " has " + std::to_string(data.size()) +
                     " bytes of data, its type " + std::to_string(needed));
  constant.specialized = is_specializable;
  for (size_t k = 0; k < constant.leaves.size(); ++k)
    std::memcpy(&constant.leaves[k], data.data() + k * bytes, bytes);
  return llvm::Error::success();
}

// Sets the leaves of `constant`, which has its type and as many zeros.
llvm::Error setValue(const Reading& reading, const RawInstruction& raw, Constant& constant) {
  const Type& type = *constant.type;
  switch (raw.op) {
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
      if (type.kind != TypeKind::Bool)
        return malformed(reading.describe(raw) + ": the type is not Bool");
      constant.leaves[0] =
          raw.op == spv::Op::OpConstantTrue || raw.op == spv::Op::OpSpecConstantTrue;
      break;
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      if (llvm::Error error = setScalar(reading, raw, constant)) return error;
      break;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpConstantCompositeReplicateEXT:
    case spv::Op::OpSpecConstantCompositeReplicateEXT:
      return setComposite(reading, raw, constant);
    case spv::Op::OpSpecConstantOp: {
      constant.specialized = true;
      llvm::Expected<std::vector<uint64_t>> folded = foldSpecConstantOp(reading, raw, type);
      if (!folded) return folded.takeError();
      if (folded->size() != constant.leaves.size())
        return malformed(reading.describe(raw) + ": the operands do not fit the result type");
      constant.leaves = std::move(*folded);
      return llvm::Error::success();
    }
    case spv::Op::OpConstantDataKHR:
    case spv::Op::OpSpecConstantDataKHR:
      return setData(reading, raw, constant);
    case spv::Op::OpConstantNull:
      return llvm::Error::success();
    case spv::Op::OpUndef:
      constant.undef = true;
      return llvm::Error::success();
    default:
      return unsupported(reading.describe(raw) + " is not supported");
  }
  const bool specializable = raw.op == spv::Op::OpSpecConstant ||
                             raw.op == spv::Op::OpSpecConstantTrue ||
                             raw.op == spv::Op::OpSpecConstantFalse;
  if (!specializable) return llvm::Error::success();
  constant.specialized = true;
  return specialize(reading, raw, constant);
}

}  // namespace

uint64_t truncateTo(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & ((uint64_t{1} << width) - 1);
}

int64_t signExtend(uint64_t value, uint32_t width) {
  const uint32_t shift = width >= 64 ? 0 : 64 - width;
  return static_cast<int64_t>(value << shift) >> shift;
}

llvm::Error declareConstant(Reading& reading, const RawInstruction& raw) {
  llvm::Expected<const Type*> type = reading.type(raw.type);
  if (!type) return type.takeError();
  Constant constant;
  constant.type = *type;
  llvm::Expected<std::vector<uint64_t>> leaves = zeros(reading, raw, **type);
  if (!leaves) return leaves.takeError();
  constant.leaves = std::move(*leaves);
  if (llvm::Error error = setValue(reading, raw, constant)) return error;
  reading.module.constants[raw.result] = std::move(constant);
  return llvm::Error::success();
}

}  // namespace jit::spirv
