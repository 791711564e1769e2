// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/operands.h"

#include <algorithm>

#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/tensor_access.h"

namespace jit::spirv {

bool isVolatile(const Instruction& instruction, size_t operand) {
  return instruction.operands.size() > operand &&
         (instruction.operands[operand] & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) !=
             0;
}

Id baseOf(const Instruction& instruction) {
  const OpcodeTraits& traits = traitsOf(instruction.op);
  const bool has_base =
      traits.points_to != PointsTo::None && traits.values.first < instruction.operands.size();
  return has_base ? instruction.operands[traits.values.first] : 0;
}

llvm::SmallVector<uint32_t, 8> valueOperandNumbers(const Instruction& instruction) {
  const OperandRange& values = traitsOf(instruction.op).values;
  const auto size = static_cast<uint32_t>(instruction.operands.size());
  llvm::SmallVector<uint32_t, 8> numbers;
  for (uint32_t k = values.first; k < std::min(values.end, size); k += values.step)
    numbers.push_back(k);
  for (uint32_t k = values.rest; k < size; ++k) numbers.push_back(k);
  return numbers;
}

llvm::SmallVector<Id, 8> valueOperands(const Instruction& instruction) {
  const auto operands = instruction.operands;
  llvm::SmallVector<Id, 8> ids;
  if (const auto group = groupInstruction(instruction)) {
    for (Id id : {group->value, group->selector, group->partition})
      if (id != 0) ids.push_back(id);
    return ids;
  }
  if (const auto access = tensorAccess(instruction)) {
    ids = {access->pointer, access->object, access->layout};
    if (access->view != 0) ids.push_back(access->view);
    return ids;
  }
  for (uint32_t k : valueOperandNumbers(instruction)) ids.push_back(operands[k]);
  return ids;
}

}  // namespace jit::spirv
