// SPDX-License-Identifier: Apache-2.0

// How much the invocations of a stream share of what those of a subgroup computed together.
#include <algorithm>

#include "jit/analysis/uniformity.h"

namespace jit::simt {

using spirv::GroupInstruction;
using spirv::Instruction;

UniformityAnalysis::Levels UniformityAnalysis::groupLevels(const Instruction& instruction,
                                                           const GroupInstruction& group,
                                                           uint32_t node) const {
  constexpr Uniformity kSubgroup = Uniformity::Subgroup;
  constexpr Uniformity kVarying = Uniformity::Varying;
  constexpr Levels kOwn = {kVarying, kVarying, kVarying, kVarying};
  // What each subgroup shares is not the same for all of a wide stream.
  const bool wide = shape_.hasWideStream();
  const Levels shared = wide ? kOwn : Levels{kSubgroup, kSubgroup, kSubgroup, kSubgroup};
  const bool value_varies = at(group.value, node) == kVarying;

  if (spirv::movesValues(instruction.op)) {
    // Where all live invocations bring the same, it does not matter whose value is taken. (What
    // comes from an invocation that is not live is undefined.)
    const bool one_source = !wide && (instruction.op == spv::Op::OpGroupNonUniformBroadcast ||
                                      instruction.op == spv::Op::OpGroupNonUniformBroadcastFirst ||
                                      instruction.op == spv::Op::OpSubgroupFirstInvocationKHR ||
                                      instruction.op == spv::Op::OpSubgroupReadInvocationKHR ||
                                      (instruction.op == spv::Op::OpGroupNonUniformShuffle &&
                                       at(group.selector, node) < kVarying));
    Levels result = levels(group.value, node);
    for (Uniformity& level : result)
      if (level == kVarying && one_source) level = kSubgroup;
    return result;
  }
  if (spirv::isGroupArithmetic(instruction.op)) {
    if (group.operation == spv::GroupOperation::Reduce) return shared;
    const spirv::Constant* cluster = module_.constant(group.partition);
    const bool one_cluster = group.operation == spv::GroupOperation::ClusteredReduce &&
                             cluster != nullptr && cluster->leaves[0] >= shape_.subgroup_size;
    return one_cluster ? shared : kOwn;
  }
  switch (instruction.op) {
    case spv::Op::OpGroupNonUniformAll:
    case spv::Op::OpGroupNonUniformAny:
    case spv::Op::OpGroupNonUniformAllEqual:
    case spv::Op::OpGroupNonUniformBallot:
    case spv::Op::OpSubgroupAllKHR:
    case spv::Op::OpSubgroupAnyKHR:
    case spv::Op::OpSubgroupAllEqualKHR:
    case spv::Op::OpSubgroupBallotKHR:
      return shared;
    case spv::Op::OpGroupNonUniformBallotBitExtract:
      return value_varies || at(group.selector, node) == kVarying ? kOwn : shared;
    case spv::Op::OpGroupNonUniformBallotBitCount:
      return value_varies || group.operation != spv::GroupOperation::Reduce ? kOwn : shared;
    case spv::Op::OpGroupNonUniformBallotFindLSB:
    case spv::Op::OpGroupNonUniformBallotFindMSB:
    case spv::Op::OpGroupNonUniformQuadAllKHR:
    case spv::Op::OpGroupNonUniformQuadAnyKHR:
    case spv::Op::OpGroupNonUniformPartitionEXT:
      return value_varies ? kOwn : shared;
    default:  // OpGroupNonUniformElect, OpGroupNonUniformInverseBallot
      return kOwn;
  }
}

}  // namespace jit::simt
