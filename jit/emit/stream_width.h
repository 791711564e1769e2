// SPDX-License-Identifier: Apache-2.0

// How many invocations an instruction stream has.
#pragma once

#include "jit/analysis/linearization.h"
#include "jit/analysis/subgroup_regions.h"
#include "jit/analysis/uniformity.h"
#include "jit/base/target.h"
#include "jit/matrix/layout.h"
#include "jit/spirv/module.h"

namespace jit::spirv {

// The stream's invocations, and what is known of them.
struct StreamPlan {
  // Of a stream: those of a subgroup; or, where the code holds cooperative matrices of Workgroup
  // scope, which are values of all invocations together, of the whole workgroup, rounded up to
  // whole subgroups: a wide stream.
  uint32_t width = 0;
  // The request's; or, where nobody can tell, how many invocations run together.
  uint32_t subgroup_size = 0;
  std::unique_ptr<simt::Linearization> linearization;
  std::unique_ptr<simt::UniformityAnalysis> uniformity;
  // Of a wide stream: what is known of one of its subgroups by itself, and the code that is emitted
  // for one. Null and none for other streams.
  std::unique_ptr<simt::Linearization> subgroup_linearization;
  std::unique_ptr<simt::UniformityAnalysis> subgroup_uniformity;
  std::vector<simt::SubgroupRegion> regions;
  // Of a wide stream: that a value leaves a loop of which bits of the lane's number add what is
  // known at run time alone. Behind the loop each lane's value is all there is of it.
  bool loses_steps = false;
};

// `module`: its workgroup has no more than kMaxWorkgroupInvocations.
//
// Where invocations cannot tell which others are in their subgroup, twice as many of them may run
// together. Values are whole registers of many invocations; a stream that fills few of them waits
// for each result before the next operation, and does what is the same for all of it for few
// invocations. That is of no use where the values that live in a loop would no longer fit the
// registers, where loops run under a mask (the more invocations, the fewer of them live), or where
// rows of the workgroup are short.
StreamPlan planStream(const Module& module, const Structure& structure, uint32_t subgroup_size,
                      coopmat::Mapping components, const Target& target);

}  // namespace jit::spirv
