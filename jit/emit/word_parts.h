// SPDX-License-Identifier: Apache-2.0

// Words of memory, and the numbers that are in them. Internal to jit/emit.
#pragma once

#include <algorithm>
#include <optional>

#include "jit/emit/emit_lanes.h"
#include "jit/emit/leafwise.h"
#include "jit/simt/lane_windows.h"

namespace jit::spirv {

// Bytes of the words that numbers of `type`, `bytes` bytes each, are taken out of, where lanes have
// `unit` bytes of them side by side. Integers of less than 32 bits are taken out by shifts:
// programs put such words together again, which then costs nothing.
inline uint64_t partOfWord(const llvm::Type* type, uint64_t bytes, uint64_t unit) {
  constexpr uint64_t kWordBytes = 4;
  return type->isIntegerTy() && bytes < kWordBytes ? std::min(unit & (0 - unit), kWordBytes)
                                                   : bytes;
}

// The numbers of `type` that `words` have in them.
inline void appendParts(llvm::IRBuilder<>& ir, llvm::Value* words, llvm::Type* type,
                        Leaves& leaves) {
  const unsigned bits = type->getScalarSizeInBits(), all = words->getType()->getScalarSizeInBits();
  if (bits == all) {
    leaves.push_back(words);
    return;
  }
  for (unsigned first = 0; first < all; first += bits)
    leaves.push_back(
        ir.CreateTrunc(first == 0 ? words : ir.CreateLShr(words, first), shapedLike(words, type)));
}

// How many registers words of `bytes` bytes of so many lanes, at multiples of `granule`, lie in,
// however lanes go on among them; none where these are not a few.
inline std::optional<size_t> registersInLanes(const LaneForm& form, uint32_t lanes, uint64_t bytes,
                                              uint64_t granule, uint32_t register_bytes) {
  if (form.shape.any != 0 || !form.runtime.empty()) return std::nullopt;
  llvm::SmallVector<int64_t, 64> offsets;
  for (uint32_t l = 0; l < lanes; ++l) {
    uint64_t sum = 0;
    for (unsigned b = 0; l >> b != 0; ++b)
      if ((l >> b & 1) != 0) sum += form.shape.weights[b];
    offsets.push_back(static_cast<int64_t>(sum));
  }
  const auto windows = simt::laneWindows(offsets, static_cast<int64_t>(bytes),
                                         static_cast<int64_t>(granule), int64_t{register_bytes});
  return windows ? std::optional(windows->size()) : std::nullopt;
}

}  // namespace jit::spirv
