// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/branch_targets.h"

#include <algorithm>

namespace jit::spirv {

void redirectBranches(Block& block, WordArena& words, llvm::function_ref<Id(Id)> instead) {
  Instruction& branch = block.terminator;
  const std::vector<Id> targets = block.successors();
  if (std::none_of(targets.begin(), targets.end(), [&](Id t) { return instead(t) != t; })) return;
  std::span<uint32_t> operands = words.copy(branch.operands);
  const size_t step = branch.op == spv::Op::OpSwitch ? branch.type->width > 32 ? 3 : 2  // a literal
                                                     : 1;
  size_t at = branch.op == spv::Op::OpBranch ? 0 : 1;
  for (Id target : targets) {
    operands[at] = instead(target);
    at += step;
  }
  branch.operands = operands;
}

}  // namespace jit::spirv
