// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/ext_glsl450.h"

#include "jit/emit/ext_debug_printf.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/shader_abort.h"

namespace jit::spirv {

llvm::Expected<Value> operand(Emission& e, const Instruction& i, size_t number) {
  if (kFirstOperand + number >= i.operands.size())
    return malformed(e.module.describe(i) + ": too few operands");
  return e.value(i.operands[kFirstOperand + number]);
}

namespace {

const ExtendedRow* findInstruction(uint32_t number) {
  static const std::unordered_map<uint32_t, const ExtendedRow*> kTable = [] {
    std::unordered_map<uint32_t, const ExtendedRow*> table;
    for (llvm::ArrayRef<ExtendedRow> family : {numericInstructions(), exponentialInstructions(),
                                               geometricInstructions(), packingInstructions()})
      for (const ExtendedRow& row : family) table.emplace(row.instruction, &row);
    return table;
  }();
  auto it = kTable.find(number);
  return it == kTable.end() ? nullptr : it->second;
}

llvm::Error emitExtInst(Emission& e, const Instruction& i) {
  auto set = e.module.extended_instruction_sets.find(i.operands[0]);
  if (set != e.module.extended_instruction_sets.end() && set->second == kDebugPrintfSet)
    return emitDebugPrintf(e, i);
  if (set != e.module.extended_instruction_sets.end() && set->second == kDebugBreakSet)
    return emitDebugBreak(e, i);
  if (set == e.module.extended_instruction_sets.end() || set->second != "GLSL.std.450")
    return e.unsupportedAt(
        i, "extended instructions of '" +
               (set == e.module.extended_instruction_sets.end() ? std::string() : set->second) +
               "'; those of GLSL.std.450 are supported");
  const ExtendedRow* row = findInstruction(i.operands[1]);
  if (row == nullptr)
    return e.unsupportedAt(
        i, "instruction " + std::to_string(i.operands[1]) + " of GLSL.std.450 is not supported");
  return row->emit(e, i);
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpExtInst, emitExtInst},
    {spv::Op::OpExtInstWithForwardRefsKHR, emitExtInst},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> extendedOps() { return kRows; }

}  // namespace jit::spirv
