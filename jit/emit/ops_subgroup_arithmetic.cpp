// SPDX-License-Identifier: Apache-2.0

// Reductions and scans of the live invocations' values, in clusters too.
// Source: SPIR-V Specification, 3.52.24 "Non-Uniform Instructions".
#include "jit/emit/group_arithmetic.h"
#include "jit/emit/group_partition.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/spirv/group_instruction.h"

namespace jit::spirv {

namespace {

using llvm::Error;

Error emitArithmetic(Emission& e, const Instruction& i) {
  const auto group = groupInstruction(i);
  if (!group) return malformed(e.module.describe(i) + " lacks operands");
  GroupCombination combination{i.op, GroupShape::Reduce, e.width(), e.simt.mask};
  switch (group->operation) {
    case spv::GroupOperation::Reduce:
      break;
    case spv::GroupOperation::InclusiveScan:
    case spv::GroupOperation::PartitionedInclusiveScanEXT:
      combination.shape = GroupShape::InclusiveScan;
      break;
    case spv::GroupOperation::ExclusiveScan:
    case spv::GroupOperation::PartitionedExclusiveScanEXT:
      combination.shape = GroupShape::ExclusiveScan;
      break;
    case spv::GroupOperation::PartitionedReduceEXT:
      break;
    case spv::GroupOperation::ClusteredReduce: {
      llvm::Expected<uint32_t> cluster = clusterSize(e.module, i, e.width());
      if (!cluster) return cluster.takeError();
      combination.cluster = *cluster;
      break;
    }
    default:
      return e.unsupportedAt(i, "this group operation");
  }
  if (isPartitioned(group->operation)) return emitPartitioned(e, i, combination);
  return mapLeaves(e, i, group->value,
                   [&](auto* leaf) { return combineLanes(e, combination, leaf); });
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpGroupNonUniformIAdd, emitArithmetic},
    {spv::Op::OpGroupNonUniformFAdd, emitArithmetic},
    {spv::Op::OpGroupNonUniformIMul, emitArithmetic},
    {spv::Op::OpGroupNonUniformFMul, emitArithmetic},
    {spv::Op::OpGroupNonUniformSMin, emitArithmetic},
    {spv::Op::OpGroupNonUniformUMin, emitArithmetic},
    {spv::Op::OpGroupNonUniformFMin, emitArithmetic},
    {spv::Op::OpGroupNonUniformSMax, emitArithmetic},
    {spv::Op::OpGroupNonUniformUMax, emitArithmetic},
    {spv::Op::OpGroupNonUniformFMax, emitArithmetic},
    {spv::Op::OpGroupNonUniformBitwiseAnd, emitArithmetic},
    {spv::Op::OpGroupNonUniformBitwiseOr, emitArithmetic},
    {spv::Op::OpGroupNonUniformBitwiseXor, emitArithmetic},
    {spv::Op::OpGroupNonUniformLogicalAnd, emitArithmetic},
    {spv::Op::OpGroupNonUniformLogicalOr, emitArithmetic},
    {spv::Op::OpGroupNonUniformLogicalXor, emitArithmetic},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> subgroupArithmeticOps() { return kRows; }

}  // namespace jit::spirv
