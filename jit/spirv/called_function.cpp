// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/called_function.h"

#include <unordered_set>

#include "jit/base/error.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/tensor_access.h"

namespace jit::spirv {

llvm::SmallVector<Id, 2> calledFunctions(const Instruction& instruction) {
  if (const uint8_t callee = traitsOf(instruction.op).callee; callee != OpcodeTraits::kNone) {
    if (callee >= instruction.operands.size()) return {};
    return {instruction.operands[callee]};
  }
  llvm::SmallVector<Id, 2> decoding;
  if (const std::optional<TensorAccess> access = tensorAccess(instruction))
    for (Id id : {access->decode, access->decode_vector})
      if (id != 0) decoding.push_back(id);
  return decoding;
}

llvm::Error checkUntangled(const Module& module, const std::unordered_map<Id, Function>& functions,
                           Id function, const Instruction& by) {
  std::vector<Id> pending{function};
  std::unordered_set<Id> seen{function};
  while (!pending.empty()) {
    const Function& code = functions.at(pending.back());
    pending.pop_back();
    for (const Block& block : code.blocks)
      for (const Instruction& instruction : block.instructions) {
        if (traitsOf(instruction.op).tangled || groupInstruction(instruction))
          return malformed(module.describe(by) + " calls " + module.describe(function) +
                           " for elements of a matrix, so " + module.describe(instruction) +
                           " is not allowed in it: invocations would have to execute it together");
        for (Id callee : calledFunctions(instruction))
          if (seen.insert(callee).second) pending.push_back(callee);
      }
  }
  return llvm::Error::success();
}

}  // namespace jit::spirv
