// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/carried_values.h"

#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

bool readsInvocations(spv::Op op) {
  switch (op) {
    case spv::Op::OpGroupNonUniformBroadcast:
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
    case spv::Op::OpGroupNonUniformRotateKHR:
    case spv::Op::OpGroupNonUniformQuadBroadcast:
    case spv::Op::OpGroupNonUniformQuadSwap:
    case spv::Op::OpSubgroupReadInvocationKHR:
      return true;
    default:
      return false;
  }
}

bool carriesOperands(const Module& module, const Instruction& i) {
  if (i.result == 0 || i.type == nullptr || holdsMatrix(i.type)) return false;
  if (readsInvocations(i.op)) return true;
  if (groupInstruction(i)) return false;
  const OpcodeTraits& traits = traitsOf(i.op);
  if (traits.effect == Effect::None || traits.points_to != PointsTo::None) return true;
  switch (i.op) {
    case spv::Op::OpPhi:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic:
    case spv::Op::OpCompositeConstructReplicateEXT:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpTranspose:
    case spv::Op::OpExpectKHR:
    case spv::Op::OpQuantizeToF16:
    case spv::Op::OpFmaKHR:
    case spv::Op::OpConvertPtrToU:
    case spv::Op::OpConvertUToPtr:
    case spv::Op::OpIAddCarry:
    case spv::Op::OpISubBorrow:
    case spv::Op::OpUMulExtended:
    case spv::Op::OpSMulExtended:
    case spv::Op::OpSDot:
    case spv::Op::OpUDot:
    case spv::Op::OpSUDot:
    case spv::Op::OpSDotAccSat:
    case spv::Op::OpUDotAccSat:
    case spv::Op::OpSUDotAccSat:
      return true;
    case spv::Op::OpExtInst: {
      const auto set = module.extended_instruction_sets.find(i.operands[0]);
      return set != module.extended_instruction_sets.end() && set->second == "GLSL.std.450";
    }
    default:
      return false;
  }
}

llvm::SmallVector<Id, 8> carriedOperands(const Instruction& i) {
  // Whom a group instruction names decides; the value moves.
  if (readsInvocations(i.op)) return {groupInstruction(i)->value};
  return valueOperands(i);
}

llvm::SmallVector<Id, 8> decisiveOperands(const Instruction& i) {
  if (readsInvocations(i.op)) return {groupInstruction(i)->selector};
  switch (i.op) {
    case spv::Op::OpLifetimeStart:
    case spv::Op::OpAssumeTrueKHR:
    case spv::Op::OpArrayLength:
    case spv::Op::OpUntypedArrayLengthKHR:
    case spv::Op::OpExtInst:  // debugPrintfEXT
      return {};
    default:
      return valueOperands(i);
  }
}

}  // namespace jit::spirv
