// SPDX-License-Identifier: Apache-2.0

// How much the invocations of a stream share of what those of a subgroup computed together.
#include <algorithm>

#include "jit/analysis/uniformity.h"
#include "jit/spirv/opcode_traits.h"

namespace jit::simt {

using spirv::GroupInstruction;
using spirv::Instruction;
using spirv::SharedBy;

UniformityAnalysis::Levels UniformityAnalysis::groupLevels(const Instruction& instruction,
                                                           const GroupInstruction& group,
                                                           uint32_t node) const {
  constexpr Uniformity kSubgroup = Uniformity::Subgroup;
  constexpr Uniformity kVarying = Uniformity::Varying;
  constexpr Levels kOwn = {kVarying, kVarying, kVarying, kVarying};
  // What each subgroup shares is not the same for all of a workgroup-wide stream.
  const bool wide = shape_.hasWideStream();
  const Levels shared = wide ? kOwn : Levels{kSubgroup, kSubgroup, kSubgroup, kSubgroup};
  const bool value_varies = at(group.value, node) == kVarying;

  const SharedBy shared_by = spirv::traitsOf(instruction.op).shared_by;
  if (spirv::movesValues(shared_by)) {
    // Where all live invocations bring the same, it does not matter whose value is taken. (What
    // comes from an invocation that is not live is undefined.)
    const bool one_source =
        !wide && (shared_by == SharedBy::OneOfValues ||
                  (shared_by == SharedBy::ChosenOfValues && at(group.selector, node) < kVarying));
    Levels result = levels(group.value, node);
    for (Uniformity& level : result)
      if (level == kVarying && one_source) level = kSubgroup;
    return result;
  }
  const bool reduces = group.operation == spv::GroupOperation::Reduce;
  switch (shared_by) {
    case SharedBy::Subgroup:
      return shared;
    case SharedBy::OfReduction: {
      const spirv::Constant* cluster = module_.constant(group.partition);
      const bool one_cluster = group.operation == spv::GroupOperation::ClusteredReduce &&
                               cluster != nullptr && cluster->leaves[0] >= shape_.subgroup_size;
      return reduces || one_cluster ? shared : kOwn;
    }
    case SharedBy::OfAlike:
      return value_varies || !reduces ? kOwn : shared;
    case SharedBy::OfAlikeChosen:
      return value_varies || at(group.selector, node) == kVarying ? kOwn : shared;
    default:
      return kOwn;
  }
}

}  // namespace jit::simt
