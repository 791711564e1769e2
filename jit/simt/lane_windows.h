// SPDX-License-Identifier: Apache-2.0

// What lanes load at constant offsets from an address that they share: a few registers.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace jit::simt {

// Offsets in bytes beyond this, in either direction, are no use: their sums might overflow.
inline constexpr int64_t kMostOffset = int64_t{1} << 40;

// What is loaded together, in bytes past the common address.
struct LaneWindow {
  int64_t first, end;
};

// Windows of at most `register_bytes`, in ascending order, that have all elements of `bytes` bytes
// at these offsets; none where that is no use: too many, or elements that are not multiples of
// `granule` bytes apart.
std::optional<std::vector<LaneWindow>> laneWindows(llvm::ArrayRef<int64_t> offsets, int64_t bytes,
                                                   int64_t granule, int64_t register_bytes);

}  // namespace jit::simt
