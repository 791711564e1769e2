// SPDX-License-Identifier: Apache-2.0

// Lanes whose addresses go on evenly within rows.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

#include "jit/passes/access/lane_addresses.h"

namespace jit::simt {

struct LaneRows {
  unsigned lanes;                         // of a row, 2 or more and a power of two
  int64_t step;                           // bytes from one of them to the next
  llvm::SmallVector<int64_t, 16> starts;  // of rows, in bytes past the first one's
};

// The longest rows that lanes are, where each begins at a constant past the first; nothing where
// all lanes are one row, or each is its own.
std::optional<LaneRows> laneRowsOf(const LaneAddresses& addresses, unsigned lanes);

}  // namespace jit::simt
