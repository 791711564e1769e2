// SPDX-License-Identifier: Apache-2.0

// One table of all opcodes, merged from the families.
#include <array>

#include "jit/emit/emission.h"
#include "jit/emit/opcode_rows.h"

namespace jit::spirv {

const OpcodeRow* findOpcode(spv::Op op) {
  static const std::unordered_map<uint32_t, const OpcodeRow*> kTable = [] {
    std::unordered_map<uint32_t, const OpcodeRow*> table;
    for (llvm::ArrayRef<OpcodeRow> family : {arithmeticOps(),
                                             fusedOps(),
                                             integerDotOps(),
                                             bitOps(),
                                             logicalOps(),
                                             conversionOps(),
                                             compositeOps(),
                                             memoryOps(),
                                             atomicOps(),
                                             barrierOps(),
                                             subgroupVoteOps(),
                                             subgroupBallotOps(),
                                             subgroupShuffleOps(),
                                             subgroupArithmeticOps(),
                                             subgroupPartitionOps(),
                                             hintOps(),
                                             derivativeOps(),
                                             coopmatOps(),
                                             coopmatConversionOps(),
                                             internalOps(),
                                             shadowOps(),
                                             tensorOps(),
                                             tensorElementOps(),
                                             tensorMemoryOps(),
                                             extendedOps()})
      for (const OpcodeRow& row : family) table.emplace(static_cast<uint32_t>(row.op), &row);
    return table;
  }();
  auto it = kTable.find(static_cast<uint32_t>(op));
  return it == kTable.end() ? nullptr : it->second;
}

}  // namespace jit::spirv
