// SPDX-License-Identifier: Apache-2.0

// What the rules for lane shapes are made of. Internal to lane_shape.cpp and lane_shape_bits.cpp.
#pragma once

#include <algorithm>
#include <bit>

#include "jit/analysis/lane_shape.h"

namespace jit::simt {

inline uint64_t lowMask(unsigned bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

inline uint64_t signExtended(uint64_t value, unsigned bits) {
  if (bits >= 64) return value;
  const unsigned unused = 64 - bits;
  return static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
}

inline unsigned zeros(uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }

inline void setKnown(LaneShape& s, unsigned known, uint64_t residue) {
  s.known = static_cast<uint8_t>(std::min<unsigned>(known, s.modulus));
  s.residue = residue & lowMask(s.known);
}

inline void setWeights(LaneShape& s) {
  for (uint64_t& weight : s.weights) weight = signExtended(weight, s.width);
}

// Makes constant weights part of the rest.
inline void demote(LaneShape& s, uint16_t to_any, uint16_t to_runtime) {
  unsigned known = s.known;
  for (unsigned b = 0; b < kMaxLaneBits; ++b) {
    if (((to_any | to_runtime) >> b & 1) == 0 || s.weights[b] == 0) continue;
    known = std::min(known, zeros(s.weights[b]));
    s.weights[b] = 0;
  }
  setKnown(s, known, s.residue);
  s.any |= to_any;
  s.runtime = static_cast<uint16_t>((s.runtime | to_runtime) & ~s.any);
}

// Gives both the same bits that are not constant.
inline void alignKinds(LaneShape& a, LaneShape& b) {
  const uint16_t any = a.any | b.any;
  const auto runtime = static_cast<uint16_t>((a.runtime | b.runtime) & ~any);
  demote(a, any, runtime);
  demote(b, any, runtime);
}

inline bool comparable(const LaneShape& a, const LaneShape& b) {
  return a.width != 0 && a.width == b.width;
}

inline unsigned restZeros(const LaneShape& s) {
  return std::min<unsigned>(zeros(s.residue), s.known);
}

}  // namespace jit::simt
