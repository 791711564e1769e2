// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/lane_shape.h"

#include <algorithm>
#include <bit>

namespace jit::simt {

namespace {

uint64_t lowMask(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

uint64_t signExtended(uint64_t value, unsigned bits) {
  if (bits >= 64) return value;
  const unsigned unused = 64 - bits;
  return static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
}

unsigned zeros(uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }

void setKnown(LaneShape& s, unsigned known, uint64_t residue) {
  s.known = static_cast<uint8_t>(std::min<unsigned>(known, s.modulus));
  s.residue = residue & lowMask(s.known);
}

void setWeights(LaneShape& s) {
  for (uint64_t& weight : s.weights) weight = signExtended(weight, s.width);
}

// Makes constant weights part of the rest.
void demote(LaneShape& s, uint16_t to_any, uint16_t to_runtime) {
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
void alignKinds(LaneShape& a, LaneShape& b) {
  const uint16_t any = a.any | b.any;
  const auto runtime = static_cast<uint16_t>((a.runtime | b.runtime) & ~any);
  demote(a, any, runtime);
  demote(b, any, runtime);
}

bool comparable(const LaneShape& a, const LaneShape& b) {
  return a.width != 0 && a.width == b.width;
}

unsigned restZeros(const LaneShape& s) { return std::min<unsigned>(zeros(s.residue), s.known); }

// Low bits of a product of two rests.
void multiplyKnown(LaneShape& result, const LaneShape& a, const LaneShape& b) {
  setKnown(result, std::min(a.known + restZeros(b), b.known + restZeros(a)), a.residue * b.residue);
}

bool addOverflows(uint64_t a, uint64_t b, uint64_t most) { return a > most || b > most - a; }

// The part of a value below 2^bits.
LaneShape lowBits(const LaneShape& a, unsigned bits) {
  if (a.modulus < bits) return unknown(a.width, a.varying());
  LaneShape result = a;
  result.modulus = a.width;
  result.most = std::min(a.exact() ? a.most : lowMask(a.width), lowMask(bits));
  if (!a.staysInside(bits)) return anyShape(a.width, a.varying());
  for (unsigned b = 0; b < kMaxLaneBits; ++b)
    if (a.weights[b] != 0 && zeros(a.weights[b]) >= bits) result.weights[b] = 0;
  result.any |= result.runtime;
  result.runtime = 0;
  if (a.known >= bits)
    setKnown(result, a.width, a.residue & lowMask(bits));
  else
    setKnown(result, a.known, a.residue);
  return result;
}

// The others.
LaneShape highBits(const LaneShape& a, unsigned bits) {
  if (!a.staysInside(bits)) return anyShape(a.width, a.varying());
  LaneShape result = a;
  for (unsigned b = 0; b < kMaxLaneBits; ++b)
    if (zeros(a.weights[b]) < bits) result.weights[b] = 0;
  result.any |= result.runtime;
  result.runtime = 0;
  setKnown(result, std::max<unsigned>(a.known, bits), a.residue & ~lowMask(bits));
  return result;
}

// By less than the width.
LaneShape shiftedRight(const LaneShape& a, unsigned shift, bool is_signed) {
  if (shift == 0) return a;
  if (!a.staysInside(shift) || shift >= a.modulus) return unknown(a.width, a.varying());
  LaneShape result = a;
  result.raises = 0;
  bool all_inside = true;  // nothing is carried past the bits that go
  for (uint64_t& weight : result.weights) {
    all_inside &= weight == 0 || zeros(weight) < shift;
    weight =
        zeros(weight) < shift ? 0 : static_cast<uint64_t>(static_cast<int64_t>(weight) >> shift);
  }
  result.any |= result.runtime;
  result.runtime = 0;
  // Past 2^width, what is left has width - shift bits. Of what is `any` every lane has its own.
  LaneShape moving = a;
  moving.any = moving.runtime = 0;
  const bool inside = all_inside || moving.neverWraps(is_signed);
  if (!a.exact() || !inside) result.modulus = static_cast<uint8_t>(a.modulus - shift);
  setKnown(result, a.known > shift ? a.known - shift : 0u, a.residue >> shift);
  const bool counts = a.exact() && (!is_signed || a.isNonNegative());
  result.most = counts ? a.most >> shift : lowMask(a.width);
  if (a.known == a.width && counts && a.isNonNegative())
    setKnown(result, a.width, a.residue >> shift);
  return result;
}

}  // namespace

uint16_t LaneShape::varying() const {
  uint16_t bits = any | runtime;
  for (unsigned b = 0; b < kMaxLaneBits; ++b)
    if (weights[b] != 0) bits |= static_cast<uint16_t>(1 << b);
  return bits;
}

std::optional<uint64_t> LaneShape::constant() const {
  if (!exact() || known < width || varying() != 0) return std::nullopt;
  return residue;
}

unsigned LaneShape::trailingZeros() const {
  unsigned least = restZeros(*this);
  for (uint64_t weight : weights)
    if (weight != 0) least = std::min(least, zeros(weight));
  return least;
}

bool LaneShape::staysInside(unsigned bits, bool all_weights) const {
  const unsigned inside = std::min<unsigned>({bits, known, 62});
  int64_t low = 0, high = 0;
  const auto limit = int64_t{1} << 62;
  for (uint64_t weight : weights) {
    if (weight == 0 || (!all_weights && zeros(weight) >= bits)) continue;
    const auto step = static_cast<int64_t>(weight);
    if (step >= limit / kMaxLaneBits || step <= -limit / kMaxLaneBits) return false;
    (step < 0 ? low : high) += step;
  }
  if (low == 0 && high == 0) return true;
  const auto at = static_cast<int64_t>(residue & lowMask(inside));
  return at + low >= 0 && at + high < (int64_t{1} << inside);
}

bool LaneShape::neverWraps(bool is_signed) const {
  return exact() && any == 0 && runtime == 0 &&
         staysInside(is_signed ? width - 1u : width, /*all_weights=*/true);
}

bool LaneShape::isNonNegative() const { return exact() && most <= lowMask(width - 1u); }

LaneShape constantShape(unsigned width, uint64_t value) {
  LaneShape s = uniformShape(width);
  s.most = value & lowMask(width);
  setKnown(s, width, value);
  return s;
}

LaneShape uniformShape(unsigned width, unsigned known_zeros) {
  LaneShape s;
  s.width = s.modulus = static_cast<uint8_t>(width);
  s.most = lowMask(width);
  setKnown(s, known_zeros, 0);
  return s;
}

LaneShape anyShape(unsigned width, uint16_t bits) {
  LaneShape s = uniformShape(width);
  s.any = bits;
  return s;
}

LaneShape unknown(unsigned width, uint16_t bits) { return anyShape(width, bits); }

LaneShape countingShape(unsigned width, unsigned bits, unsigned known_zeros, uint64_t most) {
  LaneShape s = uniformShape(width, known_zeros);
  for (unsigned b = 0; b < bits && b < kMaxLaneBits; ++b) s.weights[b] = uint64_t{1} << b;
  s.most = std::min(most, lowMask(width));
  return s;
}

LaneShape join(LaneShape a, LaneShape b) {
  if (!comparable(a, b)) return {};
  if (!a.exact() || !b.exact()) {
    if (a == b) return a;
    return anyShape(a.width, a.varying() | b.varying());
  }
  uint16_t differ = 0;
  for (unsigned bit = 0; bit < kMaxLaneBits; ++bit)
    if (a.weights[bit] != b.weights[bit]) differ |= static_cast<uint16_t>(1 << bit);
  demote(a, 0, differ);
  demote(b, 0, differ);
  alignKinds(a, b);
  LaneShape result = a;
  setKnown(result, std::min<unsigned>({a.known, b.known, zeros(a.residue ^ b.residue)}), a.residue);
  result.raises = std::max(a.raises, b.raises);
  result.most = std::max(a.most, b.most);
  return result;
}

LaneShape add(LaneShape a, LaneShape b) {
  if (!comparable(a, b)) return {};
  const bool exact = a.exact() && b.exact();
  const uint64_t most = lowMask(a.width);
  const bool fits = exact && !addOverflows(a.most, b.most, most);
  alignKinds(a, b);
  LaneShape result = a;
  result.raises = 0;
  result.modulus = std::min(a.modulus, b.modulus);
  for (unsigned bit = 0; bit < kMaxLaneBits; ++bit) result.weights[bit] += b.weights[bit];
  setWeights(result);
  result.most = fits ? a.most + b.most : most;
  setKnown(result, std::min(a.known, b.known), a.residue + b.residue);
  return result;
}

LaneShape subtract(LaneShape a, LaneShape b) {
  if (!comparable(a, b)) return {};
  LaneShape result = add(a, complement(b));
  // a + ~b + 1
  setKnown(result, result.known, result.residue + 1);
  result.most = lowMask(a.width);
  return result;
}

LaneShape complement(const LaneShape& a) {
  if (a.width == 0) return {};
  LaneShape result = a;
  result.raises = 0;
  for (uint64_t& weight : result.weights) weight = 0 - weight;
  setWeights(result);
  setKnown(result, a.known, ~a.residue);
  result.most = lowMask(a.width);
  return result;
}

LaneShape multiply(const LaneShape& a, const LaneShape& b) {
  if (!comparable(a, b)) return {};
  if (a.isUniform() && !b.isUniform()) return multiply(b, a);
  const uint64_t most = lowMask(a.width);
  if (const std::optional<uint64_t> factor = b.constant()) {
    if (*factor == 0) return constantShape(a.width, 0);
    LaneShape result = a;
    result.raises = 0;
    result.modulus = static_cast<uint8_t>(std::min<unsigned>(a.width, a.modulus + zeros(*factor)));
    for (uint64_t& weight : result.weights) weight *= *factor;
    setWeights(result);
    multiplyKnown(result, a, b);
    const bool fits = a.exact() && a.most <= most / *factor;
    result.most = fits ? a.most * *factor : most;
    return result;
  }
  if (!a.exact() || !b.exact()) return unknown(a.width, a.varying() | b.varying());
  LaneShape result = anyShape(a.width, 0);
  if (b.isUniform()) {
    const unsigned step_zeros = restZeros(b);
    result.any = a.any;
    result.runtime = static_cast<uint16_t>(a.varying() & ~a.any);
    multiplyKnown(result, a, b);
    unsigned known = result.known;
    for (uint64_t weight : a.weights)
      if (weight != 0) known = std::min(known, zeros(weight) + step_zeros);
    setKnown(result, known, result.residue);
  } else {
    result.any = a.varying() | b.varying();
    setKnown(result, a.trailingZeros() + b.trailingZeros(), 0);
  }
  if (b.most != 0 && a.most <= most / b.most) result.most = a.most * b.most;
  return result;
}

LaneShape shiftLeft(const LaneShape& a, const LaneShape& amount) {
  if (!comparable(a, amount)) return {};
  if (const std::optional<uint64_t> bits = amount.constant())
    return multiply(a, constantShape(a.width, uint64_t{1} << (*bits & (a.width - 1u))));
  if (!amount.isUniform() || !a.exact()) return unknown(a.width, a.varying() | amount.varying());
  LaneShape result = anyShape(a.width, a.any);
  result.runtime = static_cast<uint16_t>(a.varying() & ~a.any);
  setKnown(result, a.trailingZeros(), 0);
  return result;
}

LaneShape shiftRight(const LaneShape& a, const LaneShape& amount, bool is_signed) {
  if (!comparable(a, amount)) return {};
  const std::optional<uint64_t> bits = amount.constant();
  if (!bits) return unknown(a.width, a.varying() | amount.varying());
  return shiftedRight(a, static_cast<unsigned>(*bits & (a.width - 1u)), is_signed);
}

LaneShape bitAnd(const LaneShape& a, const LaneShape& b) {
  if (!comparable(a, b)) return {};
  if (a.constant() && !b.constant()) return bitAnd(b, a);
  LaneShape result = unknown(a.width, a.varying() | b.varying());
  if (const std::optional<uint64_t> mask = b.constant()) {
    if (*mask == 0) return constantShape(a.width, 0);
    const unsigned low = zeros(*mask);
    const unsigned high = low + static_cast<unsigned>(std::countr_one(*mask >> low));
    if ((*mask & ~lowMask(high)) == 0) {
      result = high < a.width ? lowBits(a, high) : a;
      if (low != 0) result = highBits(result, low);
      result.raises = 0;
    }
    setKnown(result, std::max<unsigned>(result.known, low),
             result.known >= low ? result.residue & ~lowMask(low) : 0);
  }
  if (result.exact())
    result.most =
        std::min(a.exact() ? a.most : lowMask(a.width), b.exact() ? b.most : lowMask(a.width));
  return result;
}

LaneShape bitOr(const LaneShape& a, const LaneShape& b, bool exclusive) {
  if (!comparable(a, b)) return {};
  if (exclusive) {
    const uint64_t all = lowMask(a.width);
    if (a.constant() == all) return complement(b);
    if (b.constant() == all) return complement(a);
  }
  // The bits of one are below those of the other, in a lane 0 that is not live, too.
  auto below = [](const LaneShape& x, const LaneShape& y) {
    const bool in_all = x.any != 0 || x.neverWraps(false);
    return x.exact() && in_all && x.most <= lowMask(y.trailingZeros());
  };
  if (below(a, b) || below(b, a)) return add(a, b);
  LaneShape result = unknown(a.width, a.varying() | b.varying());
  if (a.exact() && b.exact())
    result.most = lowMask(64 - static_cast<unsigned>(std::countl_zero(a.most | b.most)));
  setKnown(result, std::min(a.trailingZeros(), b.trailingZeros()), 0);
  return result;
}

LaneShape divide(const LaneShape& a, const LaneShape& by, bool is_signed) {
  if (!comparable(a, by)) return {};
  LaneShape result = unknown(a.width, a.varying() | by.varying());
  const std::optional<uint64_t> divisor = by.constant();
  if (!divisor || *divisor == 0 || !a.exact()) return result;
  if (is_signed && (!a.isNonNegative() || !by.isNonNegative())) return result;
  const unsigned shift = zeros(*divisor);
  const uint64_t odd = *divisor >> shift;
  const LaneShape shifted = shiftedRight(a, shift, false);
  // The quotient of a signed lane 0 that is not live, and negative, would be rounded to zero.
  if (is_signed && shifted.varying() != 0 && !a.neverWraps(true)) return result;
  if (odd == 1) {
    result = shifted;
  } else {
    result = unknown(a.width, shifted.exact() ? shifted.varying() : a.varying());
    if (is_signed && !a.neverWraps(true) && a.varying() != result.varying())
      result = unknown(a.width, a.varying());
  }
  if (result.exact()) result.most = a.most / *divisor;
  return result;
}

LaneShape remainder(const LaneShape& a, const LaneShape& by, bool is_signed) {
  if (!comparable(a, by)) return {};
  LaneShape result = unknown(a.width, a.varying() | by.varying());
  const std::optional<uint64_t> divisor = by.constant();
  if (!divisor || *divisor == 0) return result;
  if (is_signed && (!a.isNonNegative() || !by.isNonNegative() || !a.neverWraps(true)))
    return result;
  const uint64_t most = *divisor - 1;
  if (std::has_single_bit(*divisor)) {
    result = lowBits(a, zeros(*divisor));
    result.raises = 0;
  } else if (a.exact()) {
    // What the quotient does not change with stays as it is.
    const uint16_t of_quotient = divide(a, by, is_signed).varying();
    LaneShape rest = a;
    demote(rest, of_quotient, 0);
    if (a.neverWraps(is_signed)) {
      result = rest;
      result.any |= result.runtime;
      result.runtime = 0;
      setKnown(result, std::min<unsigned>(rest.known, zeros(*divisor)), rest.residue);
    }
  }
  if (result.exact()) result.most = std::min(a.exact() ? a.most : most, most);
  return result;
}

LaneShape truncate(LaneShape a, unsigned width) {
  if (a.width == 0) return {};
  const bool fits = a.exact() && a.most <= lowMask(width);
  a.raises = 0;
  a.width = static_cast<uint8_t>(width);
  a.modulus = static_cast<uint8_t>(std::min<unsigned>(a.modulus, width));
  setWeights(a);
  setKnown(a, a.known, a.residue);
  if (!fits) a.most = lowMask(width);
  return a;
}

LaneShape extend(LaneShape a, unsigned width, bool is_signed) {
  if (a.width == 0) return {};
  LaneShape moving = a;
  moving.any = moving.runtime = 0;
  // Without constant weights or others that lanes share, each lane is on its own side.
  const bool exact = a.exact() && a.runtime == 0 && moving.neverWraps(is_signed);
  const bool counts = a.exact() && (!is_signed || a.isNonNegative());
  a.raises = 0;
  a.width = static_cast<uint8_t>(width);
  if (!counts) a.most = lowMask(width);
  if (!exact) return a;
  a.modulus = static_cast<uint8_t>(width);
  if (moving.known == moving.width && counts) setKnown(a, width, a.residue);
  return a;
}

bool agrees(Relation relation, const LaneShape& a, const LaneShape& b) {
  if (!comparable(a, b) || !a.exact() || !b.exact()) return false;
  if (a.varying() == 0 && b.varying() == 0) return true;
  if (a.any != 0 || a.runtime != 0 || b.any != 0 || b.runtime != 0) return false;
  if (a.weights == b.weights) {
    // Both move alike: their difference does not.
    return relation == Relation::Equal || (a.neverWraps(true) && b.neverWraps(true));
  }
  // One moves inside of a block of 2^known numbers, of which the other's place is known.
  const bool left = b.varying() == 0;
  const LaneShape &moving = left ? a : b, &fixed = left ? b : a;
  if (fixed.varying() != 0 || !moving.neverWraps(true)) return false;
  const unsigned known = std::min<unsigned>(moving.known, fixed.known);
  if (!moving.staysInside(known, true)) return false;
  int64_t low = 0, high = 0;
  for (uint64_t weight : moving.weights) {
    const auto step = static_cast<int64_t>(weight);
    (step < 0 ? low : high) += step;
  }
  const auto place = static_cast<int64_t>(fixed.residue & lowMask(known));
  const auto at = static_cast<int64_t>(moving.residue & lowMask(known));
  low += at;
  high += at;
  if (relation == Relation::Equal) return place < low || place > high;
  // a < b, and a <= b as !(b < a): where on the block's way the answer changes.
  const bool strict = (relation == Relation::Less) == left;
  return strict ? place <= low || place > high : place < low || place >= high;
}

}  // namespace jit::simt
