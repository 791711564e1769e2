// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/tensor_access.h"

#include "jit/base/error.h"

namespace jit::spirv {

std::optional<TensorAccess> tensorAccess(const Instruction& instruction) {
  const bool stores = instruction.op == spv::Op::OpCooperativeMatrixStoreTensorNV;
  if (!stores && instruction.op != spv::Op::OpCooperativeMatrixLoadTensorNV) return std::nullopt;
  const auto operands = instruction.operands;
  if (operands.size() < 5) return std::nullopt;
  TensorAccess access{stores, operands[0], operands[1], operands[2]};
  // Two masks, each with the operands of its bits behind it.
  using Memory = spv::MemoryAccessMask;
  using Addressing = spv::TensorAddressingOperandsMask;
  size_t next = 3;
  const uint32_t memory = operands[next++];
  auto has = [](uint32_t mask, auto bit) { return (mask & static_cast<uint32_t>(bit)) != 0; };
  access.is_volatile = has(memory, Memory::Volatile);
  for (Memory bit : {Memory::Aligned, Memory::MakePointerAvailable, Memory::MakePointerVisible})
    next += has(memory, bit);
  if (next >= operands.size()) return std::nullopt;
  const uint32_t addressing = operands[next++];
  const std::pair<Addressing, Id TensorAccess::*> ids[] = {
      {Addressing::TensorView, &TensorAccess::view},
      {Addressing::DecodeFunc, &TensorAccess::decode},
      {Addressing::DecodeVectorFunc, &TensorAccess::decode_vector}};
  for (const auto& [bit, id] : ids) {
    if (!has(addressing, bit)) continue;
    if (next >= operands.size()) return std::nullopt;
    access.*id = operands[next++];
  }
  return access;
}

static bool takesPointerAndTwo(const Binary& binary, Id function) {
  auto isA = [](const RawInstruction* raw, spv::Op op, size_t operands) {
    return raw != nullptr && raw->op == op && raw->operands.size() >= operands;
  };
  const RawInstruction* definition = binary.definition(function);
  if (!isA(definition, spv::Op::OpFunction, 2)) return false;
  const RawInstruction* type = binary.definition(definition->operands[1]);
  return isA(type, spv::Op::OpTypeFunction, 4) && type->operands.size() == 4 &&
         isA(binary.definition(type->operands[1]), spv::Op::OpTypePointer, 2);
}

llvm::Error checkDecodeFunctions(const Reading& reading) {
  for (const RawInstruction& raw : reading.binary.instructions()) {
    Instruction instruction;
    instruction.op = raw.op;
    instruction.operands = raw.operands;
    const std::optional<TensorAccess> access = tensorAccess(instruction);
    if (!access) continue;
    for (Id function : {access->decode, access->decode_vector})
      if (function != 0 && !takesPointerAndTwo(reading.binary, function))
        return malformed(reading.describe(raw) +
                         ": a decode function takes a pointer to PhysicalStorageBuffer and two "
                         "arrays, unlike " +
                         reading.module.describe(function));
  }
  return llvm::Error::success();
}

llvm::Error checkStoredMatrices(const Reading& reading) {
  for (const RawInstruction& raw : reading.binary.instructions()) {
    if (raw.op != spv::Op::OpCooperativeMatrixStoreKHR &&
        raw.op != spv::Op::OpCooperativeMatrixStoreNV &&
        raw.op != spv::Op::OpCooperativeMatrixStoreTensorNV)
      continue;
    const RawInstruction* object =
        raw.operands.size() > 1 ? reading.binary.definition(raw.operands[1]) : nullptr;
    if (object == nullptr || object->type == 0)
      return malformed(reading.describe(raw) + ": what is stored is no value");
  }
  return llvm::Error::success();
}

}  // namespace jit::spirv
