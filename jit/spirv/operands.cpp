// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/operands.h"

#include "jit/spirv/group_instruction.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/tensor_access.h"

namespace jit::spirv {

bool isVolatile(const Instruction& instruction, size_t operand) {
  return instruction.operands.size() > operand &&
         (instruction.operands[operand] & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) !=
             0;
}

llvm::SmallVector<Id, 8> valueOperands(const Instruction& instruction) {
  const auto operands = instruction.operands;
  llvm::SmallVector<Id, 8> ids;
  auto range = [&](size_t first, size_t end) {
    for (size_t i = first; i < end && i < operands.size(); ++i) ids.push_back(operands[i]);
  };
  if (const auto group = groupInstruction(instruction)) {
    for (Id id : {group->value, group->selector, group->partition})
      if (id != 0) ids.push_back(id);
    return ids;
  }
  if (instruction.op == opcode(InternalOp::MatrixInvocation)) return ids;
  // Behind the matrix type.
  if (instruction.op == opcode(InternalOp::MatrixElementNumber)) {
    range(1, 2);
    return ids;
  }
  // With two types behind the pointer.
  if (instruction.op == opcode(InternalOp::TensorElement)) {
    range(0, 1);
    range(3, operands.size());
    return ids;
  }
  if (instruction.op == opcode(InternalOp::TensorHasGroups)) {
    range(1, operands.size());
    return ids;
  }
  if (const auto access = tensorAccess(instruction)) {
    ids = {access->pointer, access->object, access->layout};
    if (access->view != 0) ids.push_back(access->view);
    return ids;
  }
  switch (instruction.op) {
    case spv::Op::OpLabel:
    case spv::Op::OpBranch:
    case spv::Op::OpVariable:
    case spv::Op::OpUntypedVariableKHR:
    case spv::Op::OpUndef:
    case spv::Op::OpCooperativeMatrixLengthKHR:
    case spv::Op::OpCooperativeMatrixLengthNV:
      break;
    case spv::Op::OpPhi:
      for (size_t i = 0; i < operands.size(); i += 2) ids.push_back(operands[i]);
      break;
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpLoad:
    case spv::Op::OpArrayLength:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpLifetimeStart:
      range(0, 1);
      break;
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpStore:
    case spv::Op::OpCopyMemory:
      range(0, 2);
      break;
    case spv::Op::OpCooperativeMatrixMulAddKHR:
    case spv::Op::OpCooperativeMatrixMulAddNV:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixLoadNV:
      range(0, 3);
      break;
    case spv::Op::OpCooperativeMatrixStoreKHR:
    case spv::Op::OpCooperativeMatrixStoreNV:
    case spv::Op::OpRawAccessChainNV:
      range(0, 4);
      break;
    case spv::Op::OpCopyMemorySized:
      range(0, 3);
      break;
    case spv::Op::OpUntypedAccessChainKHR:
    case spv::Op::OpUntypedInBoundsAccessChainKHR:
    case spv::Op::OpUntypedPtrAccessChainKHR:
    case spv::Op::OpUntypedInBoundsPtrAccessChainKHR:
      range(1, operands.size());  // behind the base's type
      break;
    case spv::Op::OpUntypedArrayLengthKHR:
      range(1, 2);
      break;
    case spv::Op::OpSDot:
    case spv::Op::OpUDot:
    case spv::Op::OpSUDot:
      range(0, 2);
      break;
    case spv::Op::OpSDotAccSat:
    case spv::Op::OpUDotAccSat:
    case spv::Op::OpSUDotAccSat:
      range(0, 3);
      break;
    case spv::Op::OpExtInst:
    case spv::Op::OpExtInstWithForwardRefsKHR:
      range(2, operands.size());
      break;
    default:
      range(0, operands.size());
      break;
  }
  return ids;
}

}  // namespace jit::spirv
