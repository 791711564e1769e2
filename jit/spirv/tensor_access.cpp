#include "jit/spirv/tensor_access.h"

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
  const std::pair<Addressing, Id TensorAccess::*> kIds[] = {
      {Addressing::TensorView, &TensorAccess::view},
      {Addressing::DecodeFunc, &TensorAccess::decode},
      {Addressing::DecodeVectorFunc, &TensorAccess::decode_vector}};
  for (const auto& [bit, id] : kIds) {
    if (!has(addressing, bit)) continue;
    if (next >= operands.size()) return std::nullopt;
    access.*id = operands[next++];
  }
  return access;
}

}  // namespace jit::spirv
