// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/spirv/inlined_module.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "jit/spirv/structure.h"

namespace jit::spirv {

void expectInlined(const Module& module) {
  std::set<Id> labels, results;
  std::map<Id, std::multiset<Id>> predecessors;
  for (const Variable& variable : module.entry.variables)
    EXPECT_TRUE(results.insert(variable.id).second);
  for (const Block& block : module.entry.blocks) {
    EXPECT_TRUE(labels.insert(block.label).second) << module.describe(block.label);
    EXPECT_LT(block.label, module.bound);
    for (Id target : block.successors()) predecessors[target].insert(block.label);
    for (const Instruction& instruction : block.instructions) {
      EXPECT_NE(instruction.op, spv::Op::OpFunctionCall);
      EXPECT_LT(instruction.result, module.bound);
      if (instruction.result == 0) continue;
      EXPECT_TRUE(results.insert(instruction.result).second) << module.describe(instruction);
    }
  }
  for (const Block& block : module.entry.blocks) {
    for (Id target : block.successors()) EXPECT_TRUE(labels.contains(target));
    for (const Instruction& phi : block.instructions) {
      if (phi.op != spv::Op::OpPhi) continue;
      std::set<Id> parents;
      for (size_t i = 0; i + 1 < phi.operands.size(); i += 2) {
        parents.insert(phi.operands[i + 1]);
        EXPECT_TRUE(results.contains(phi.operands[i]) || module.constant(phi.operands[i]))
            << module.describe(phi);
      }
      const auto& expected = predecessors[block.label];
      EXPECT_EQ(parents, std::set<Id>(expected.begin(), expected.end())) << module.describe(phi);
    }
  }
  llvm::Expected<Structure> structure = buildStructure(module.entry);
  EXPECT_TRUE(static_cast<bool>(structure)) << llvm::toString(structure.takeError());
}

}  // namespace jit::spirv
