// SPDX-License-Identifier: Apache-2.0

// What a value would have of each invocation's own if all had gone the same way.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>

#include "jit/analysis/uniformity.h"

namespace jit::simt {

// Where instructions with results are, and the blocks that they are in.
using Definitions = std::unordered_map<spirv::Id, std::pair<const spirv::Instruction*, size_t>>;

// Sums and copies, which move a counter on.
bool goesOnEvenly(spv::Op op);

struct ExpectedValue {
  spirv::Id base;  // 0: none
  unsigned zeros;  // so many of the low bits of what is the same for all are 0
};

// What `value`, an integer, would be if those that phis join had gone the same way: the same for
// all live invocations; or the sum of that and of a base that changes evenly from lane to lane,
// whose definition dominates that of `value`, as is left after `for (i = lane; i < n; i += 32)`,
// where each has left the loop with an `i` of its own. None where neither is so.
std::optional<ExpectedValue> expectedValue(spirv::Id value, const Definitions& definitions,
                                           const UniformityAnalysis& uniformity);

}  // namespace jit::simt
