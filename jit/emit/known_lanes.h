// SPDX-License-Identifier: Apache-2.0

// What emission knows of how leaves move from lane to lane. Internal to jit/emit.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "jit/emit/emit_lanes.h"
#include "jit/emit/expected_lanes.h"
#include "jit/emit/values.h"

namespace jit::spirv {

// By leaf.
struct KnownLanes {
  llvm::DenseMap<llvm::Value*, LaneForm> forms;          // for sure
  llvm::DenseMap<llvm::Value*, ExpectedLanes> expected;  // if a test holds
};

// How an access is split into runs of lanes.
struct LaneRuns {
  unsigned bits = 0;     // runs of 2^bits lanes
  bool uniform = false;  // of one address each, or else side by side
  uint32_t step = 1;     // or, for loads, so many times as far apart
  llvm::SmallVector<llvm::Value*, 16> starts;
};

// An access at `together` if `holds`, else where it was.
struct TestedAddress {
  Pointer together;
  llvm::Value* holds;
  bool moved;          // `together` is another address
  unsigned alike = 0;  // there, all of 2^alike lanes are at one address
};

}  // namespace jit::spirv
