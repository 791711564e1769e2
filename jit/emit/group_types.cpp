// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/group_types.h"

#include "jit/base/error.h"
#include "jit/spirv/group_instruction.h"

namespace jit::spirv {
namespace {

bool isBallot(const Type& type) {
  return type.kind == TypeKind::Vector && type.count == 4 && type.element->kind == TypeKind::Int &&
         type.element->width == 32;
}

bool isRight(spv::Op op, const Type& result, const Type& value, const Type* selector) {
  switch (op) {
    case spv::Op::OpSubgroupAllKHR:
    case spv::Op::OpSubgroupAnyKHR:
    case spv::Op::OpSubgroupAllEqualKHR:
      return result.kind == TypeKind::Bool && value.kind == TypeKind::Bool;
    case spv::Op::OpSubgroupBallotKHR:
      return isBallot(result) && value.kind == TypeKind::Bool;
    default:
      return &result == &value && (selector == nullptr || selector->kind == TypeKind::Int);
  }
}

}  // namespace

llvm::Error checkGroupTypes(Emission& e, const Instruction& i) {
  const auto parts = groupInstruction(i);
  if (!parts) return malformed(e.module.describe(i) + ": too few operands");
  const Type* value = e.typeOf(parts->value);
  const Type* selector = parts->selector != 0 ? e.typeOf(parts->selector) : nullptr;
  const bool known =
      value != nullptr && i.type != nullptr && (parts->selector == 0 || selector != nullptr);
  if (known && isRight(i.op, *i.type, *value, selector)) return llvm::Error::success();
  return malformed(e.module.describe(i) + ": operands or result of a wrong type");
}

}  // namespace jit::spirv
