// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/group_instruction.h"

#include <algorithm>
#include <bit>

#include "jit/base/error.h"
#include "jit/spirv/opcode_traits.h"

namespace jit::spirv {

std::optional<GroupInstruction> groupInstruction(const Instruction& instruction) {
  const auto operands = instruction.operands;
  auto operand = [&](size_t k) { return k < operands.size() ? operands[k] : 0; };
  GroupInstruction group;
  switch (traitsOf(instruction.op).form) {
    case OperandForm::GroupScoped:
      if (operands.size() < 2) return std::nullopt;
      group.value = operands[1];
      group.selector = operand(2);
      group.partition = operand(3);
      return group;
    case OperandForm::GroupUnscoped:
      if (operands.empty() || operands[0] == 0) return std::nullopt;
      group.value = operands[0];
      group.selector = operand(1);
      return group;
    case OperandForm::GroupOperation:
      if (operands.size() < 3) return std::nullopt;
      group.operation = static_cast<spv::GroupOperation>(operands[1]);
      group.value = operands[2];
      group.partition = operand(3);
      return group;
    case OperandForm::GroupElect:
      return group;
    default:
      return std::nullopt;
  }
}

llvm::Expected<uint32_t> clusterSize(const Module& module, const Instruction& instruction,
                                     uint32_t subgroup_size) {
  const auto group = groupInstruction(instruction);
  if (!group || group->partition == 0) return subgroup_size;
  const Constant* size = module.constant(group->partition);
  if (size == nullptr || size->leaves.size() != 1 || !std::has_single_bit(size->leaves[0]))
    return malformed(module.describe(instruction) + ": the cluster size, " +
                     module.describe(group->partition) + ", is no constant power of two");
  return static_cast<uint32_t>(std::min<uint64_t>(size->leaves[0], subgroup_size));
}

}  // namespace jit::spirv
