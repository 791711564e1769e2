#include "jit/spirv/called_function.h"

#include <unordered_set>

#include "jit/error.h"
#include "jit/spirv/group_instruction.h"

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

Id calledFunction(const Instruction& instruction) {
  const auto operand = [&](size_t k) {
    return k < instruction.operands.size() ? instruction.operands[k] : 0;
  };
  switch (instruction.op) {
    case spv::Op::OpFunctionCall:
      return operand(0);
    case spv::Op::OpCooperativeMatrixPerElementOpEXT:
      return operand(1);
    case spv::Op::OpCooperativeMatrixReduceEXT:
      return operand(2);
    default:
      return 0;
  }
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
        if (const Id callee = calledFunction(instruction); callee && seen.insert(callee).second)
          pending.push_back(callee);
      }
  }
  return llvm::Error::success();
}

}  // namespace jit::spirv
