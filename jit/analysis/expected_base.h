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

// Whether `value`, an integer, would be the same for all live invocations if those that phis join
// had gone the same way (0), or would be the sum of that and of another value that changes evenly
// from lane to lane (its id): what is left after `for (i = lane; i < n; i += 32)`, where each has
// left the loop with an `i` of its own. Its definition dominates that of `value`. None where
// neither is so.
std::optional<spirv::Id> expectedBase(spirv::Id value, const Definitions& definitions,
                                      const UniformityAnalysis& uniformity);

}  // namespace jit::simt
