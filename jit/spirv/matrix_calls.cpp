// SPDX-License-Identifier: Apache-2.0

// Source: SPV_NV_cooperative_matrix2; SPV_EXT_cooperative_matrix_maintenance1.
#include "jit/spirv/matrix_calls.h"

#include <algorithm>

#include "jit/base/error.h"
#include "jit/spirv/called_function.h"

namespace jit::spirv {

namespace {

constexpr MatrixCallRow kRows[] = {
    {spv::Op::OpCooperativeMatrixPerElementOpEXT, writePerElement},
    {spv::Op::OpCooperativeMatrixReduceEXT, writeReduction},
    {spv::Op::OpCooperativeMatrixLoadTensorNV, writeDecodingLoad},
};

const MatrixCallRow* findRow(spv::Op op) {
  auto row = std::find_if(std::begin(kRows), std::end(kRows),
                          [&](const MatrixCallRow& row) { return row.op == op; });
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

llvm::Error writeMatrixCalls(Reading& reading, std::unordered_map<Id, Function>& functions) {
  WordArena words;
  std::vector<Function> written;
  for (auto& [id, function] : functions)
    for (Block& block : function.blocks)
      for (Instruction& instruction : block.instructions) {
        const MatrixCallRow* row = findRow(instruction.op);
        const auto callees = calledFunctions(instruction);
        if (!row || callees.empty()) continue;
        for (Id callee : callees)
          if (llvm::Error error = checkUntangled(reading.module, functions, callee, instruction))
            return error;
        FunctionBuilder builder(reading, words, instruction);
        if (llvm::Error error = row->write(builder, instruction)) return error;
        const Instruction call = builder.call();
        reading.module.names[call.operands[0]] = reading.module.describe(instruction);
        instruction = call;
        written.push_back(builder.take());
      }
  for (Function& function : written) {
    const Id id = function.id;
    functions.emplace(id, std::move(function));
  }
  words.moveTo(reading.module.words);
  return llvm::Error::success();
}

llvm::Expected<const Type*> functionType(FunctionBuilder& b, const Instruction& i, Id function) {
  const RawInstruction* definition = b.reading().binary.definition(function);
  if (!definition || definition->op != spv::Op::OpFunction || definition->operands.size() < 2)
    return malformed(b.reading().module.describe(i) + ": " + b.reading().module.describe(function) +
                     " is not a function");
  llvm::Expected<const Type*> type = b.reading().type(definition->operands[1]);
  if (type && (*type)->kind != TypeKind::Function)
    return malformed(b.reading().module.describe(function) + " has no function type");
  return type;
}

llvm::Expected<const Type*> matrixOperand(FunctionBuilder& b, const Instruction& i, Id operand) {
  llvm::Expected<const Type*> type = b.typeOf(operand);
  if (type && (*type)->kind != TypeKind::CooperativeMatrix)
    return malformed(b.reading().module.describe(i) + ": " + b.reading().module.describe(operand) +
                     " is not a cooperative matrix");
  return type;
}

uint32_t invocationsOf(const Reading& reading, const Type& matrix) {
  if (matrix.scope != spv::Scope::Workgroup) return reading.request.subgroup_size;
  uint64_t invocations = 1;
  for (uint32_t size : reading.module.workgroup_size)
    invocations = std::min<uint64_t>(invocations * size, UINT32_MAX);
  return static_cast<uint32_t>(invocations);
}

void forEachInParallel(FunctionBuilder& b, const Type& matrix, Id count, uint64_t granule,
                       FunctionBuilder::Body body) {
  const uint32_t invocations = invocationsOf(b.reading(), matrix);
  const Id own = b.emit(InternalOp::MatrixInvocation, b.u32(), {matrix.id});
  const bool none_idle = granule % invocations == 0;
  b.count(count, b.constant(invocations), [&](Id first) {
    const Id k = b.arithmetic(spv::Op::OpIAdd, first, own);
    if (none_idle)
      body(k);
    else
      b.when(b.emit(spv::Op::OpULessThan, b.boolean(), {k, count}), [&] { body(k); });
  });
  b.memoryBarrier();
}

}  // namespace jit::spirv
