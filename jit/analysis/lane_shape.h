// SPDX-License-Identifier: Apache-2.0

// How an integer moves from lane to lane. A lane's number is a few bits; the value of lane l is
//
//   rest(l) + sum over the bits b of l with a constant weight: weight[b]      (modulo 2^modulus)
//
// where `rest` is the same for all lanes but for those of its bits that are `runtime` (each adds a
// number that is the same for all lanes, known only when the code runs) or `any` (nothing is known
// of what they do). A uniform value has neither, and all its weights are 0. In a run of 2^n lanes
// whose lowest n bits are not `any`, the value moves evenly whatever it does from run to run.
//
// All claims are about lanes that are live where the value is made; `rest` of a lane that is not
// live follows from those of the others as if it were. So the value of lane 0 is computed from what
// operands have in lane 0 by these rules, and never read out of a lane.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace jit::simt {

inline constexpr unsigned kMaxLaneBits = 11;

// What each bit of a lane's number adds to what lane 0 has: modulo 2^64, sign-extended; 0 where not
// constant.
using LaneWeights = std::array<uint64_t, kMaxLaneBits>;

struct LaneShape {
  uint8_t width = 0;    // bits of the integer; 0: nothing is known, not even that it is one
  uint8_t modulus = 0;  // up to `width`; the shape is exact where they are equal
  uint8_t known = 0;    // how many of the low bits of `rest` are known, in all lanes
  uint8_t raises = 0;   // of `most`, by join
  uint16_t any = 0, runtime = 0;  // by bit of the lane's number; a bit is in one of them at most
  uint64_t residue = 0;           // the known bits
  uint64_t most = 0;              // no live lane has more than this, as an unsigned number
  LaneWeights weights{};

  bool operator==(const LaneShape&) const = default;

  bool exact() const { return width != 0 && modulus == width; }
  // Bits that change something.
  uint16_t varying() const;
  bool isUniform() const { return width != 0 && varying() == 0; }
  // Every lane's value follows from lane 0's, and is not only known modulo something.
  bool isLinear() const { return exact() && any == 0; }
  // The value, where it is a constant.
  std::optional<uint64_t> constant() const;
  // How many of the low bits of all lanes' values are 0.
  unsigned trailingZeros() const;
  // Whether adding up the weights changes at most the low `bits` bits of `rest`, which nothing
  // carries out of; of the weights that are no multiples of 2^bits, or of all.
  bool staysInside(unsigned bits, bool all_weights = false) const;
  // Whether no lane's value is on the other side of 2^width, or for signed ones of 2^(width-1),
  // than lane 0's.
  bool neverWraps(bool is_signed) const;
  // Whether no live lane's value has its highest bit set.
  bool isNonNegative() const;
};

// Of `bits` bits.
LaneShape constantShape(unsigned width, uint64_t value);
// A uniform value with `known_zeros` low bits that are 0.
LaneShape uniformShape(unsigned width, unsigned known_zeros = 0);
// Any value; only that it does not change with the bits outside of `bits`.
LaneShape unknown(unsigned width, uint16_t bits);
// first + lane, where `first` is a multiple of 2^known_zeros, of 2^bits lanes.
LaneShape countingShape(unsigned width, unsigned bits, unsigned known_zeros, uint64_t most);

// Of two values of which all live lanes have the same one.
LaneShape join(LaneShape a, LaneShape b);

// Results of operations on integers of one width, modulo 2^width.
LaneShape add(LaneShape a, LaneShape b);
LaneShape subtract(LaneShape a, LaneShape b);
LaneShape complement(const LaneShape& a);
LaneShape multiply(const LaneShape& a, const LaneShape& b);
LaneShape shiftLeft(const LaneShape& a, const LaneShape& amount);
LaneShape shiftRight(const LaneShape& a, const LaneShape& amount, bool is_signed);
LaneShape bitAnd(const LaneShape& a, const LaneShape& b);
LaneShape bitOr(const LaneShape& a, const LaneShape& b, bool exclusive);
LaneShape divide(const LaneShape& a, const LaneShape& by, bool is_signed);
// Of either sign: where operands may be negative nothing is known.
LaneShape remainder(const LaneShape& a, const LaneShape& by, bool is_signed);
LaneShape truncate(LaneShape a, unsigned width);
LaneShape extend(LaneShape a, unsigned width, bool is_signed);
enum class Relation : uint8_t { Equal, Less, LessOrEqual };
// Whether `a` relates to `b` in all live lanes or in none, as lane 0's values do.
bool agrees(Relation relation, const LaneShape& a, const LaneShape& b);

}  // namespace jit::simt
