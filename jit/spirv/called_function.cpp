// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/called_function.h"

#include <unordered_set>

#include "jit/base/error.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/tensor_access.h"

namespace jit::spirv {

namespace {

bool isTangled(spv::Op op) {
  switch (op) {
    case spv::Op::OpControlBarrier:
    case spv::Op::OpControlBarrierArriveEXT:
    case spv::Op::OpControlBarrierWaitEXT:
    case spv::Op::OpDPdx:
    case spv::Op::OpDPdy:
    case spv::Op::OpFwidth:
    case spv::Op::OpDPdxFine:
    case spv::Op::OpDPdyFine:
    case spv::Op::OpFwidthFine:
    case spv::Op::OpDPdxCoarse:
    case spv::Op::OpDPdyCoarse:
    case spv::Op::OpFwidthCoarse:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixStoreKHR:
    case spv::Op::OpCooperativeMatrixMulAddKHR:
    case spv::Op::OpCooperativeMatrixLoadNV:
    case spv::Op::OpCooperativeMatrixStoreNV:
    case spv::Op::OpCooperativeMatrixMulAddNV:
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
    case spv::Op::OpCooperativeMatrixReduceEXT:
    case spv::Op::OpCooperativeMatrixConvertUseEXT:
    case spv::Op::OpCooperativeMatrixTransposeNV:
    case spv::Op::OpCooperativeMatrixPerElementOpEXT:
      return true;
    default:
      return false;
  }
}

}  // namespace

llvm::SmallVector<Id, 2> calledFunctions(const Instruction& instruction) {
  const auto operand = [&](size_t k) -> llvm::SmallVector<Id, 2> {
    if (k >= instruction.operands.size()) return {};
    return {instruction.operands[k]};
  };
  switch (instruction.op) {
    case spv::Op::OpFunctionCall:
      return operand(0);
    case spv::Op::OpCooperativeMatrixPerElementOpEXT:
      return operand(1);
    case spv::Op::OpCooperativeMatrixReduceEXT:
      return operand(2);
    default:
      break;
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
        if (isTangled(instruction.op) || groupInstruction(instruction))
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
