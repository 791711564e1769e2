// SPDX-License-Identifier: Apache-2.0

// How many registers the values of a kernel need, before it is emitted.
#pragma once

#include "jit/analysis/linearization.h"
#include "jit/analysis/uniformity.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// Of loops that have none inside or, where there are no loops, of all code.
struct LiveBits {
  // The most bits of values that differ from invocation to invocation and live at one time, for
  // each invocation.
  uint64_t most = 0;
  unsigned operations = 0;  // whose results are such values, in all code
  bool has_loops = false;
  bool is_masked = false;  // some of it is for some invocations only
};

// Variables in memory count as living everywhere: most of them become registers. Truth values do
// not count, nor integers that go on evenly from invocation to invocation: of those, the first is
// enough. nullopt: more than kMostLiveValues such values and blocks, too long to look at.
std::optional<LiveBits> liveBits(const Module& module, const simt::Linearization& linearization,
                                 const simt::UniformityAnalysis& uniformity);

inline constexpr size_t kMostLiveValues = 4096;

}  // namespace jit::spirv
