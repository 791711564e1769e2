// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/lane_shape.h"

#include "jit/analysis/lane_shape_parts.h"

namespace jit::simt {

namespace {

// Low bits of a product of two rests.
void multiplyKnown(LaneShape& result, const LaneShape& a, const LaneShape& b) {
  setKnown(result, std::min(a.known + restZeros(b), b.known + restZeros(a)), a.residue * b.residue);
}

bool addOverflows(uint64_t a, uint64_t b, uint64_t most) { return a > most || b > most - a; }

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

LaneShape unknown(unsigned width, uint16_t bits) {
  LaneShape s = uniformShape(width);
  s.any = bits;
  return s;
}

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
    return unknown(a.width, a.varying() | b.varying());
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
  LaneShape result = unknown(a.width, 0);
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
  LaneShape result = unknown(a.width, a.any);
  result.runtime = static_cast<uint16_t>(a.varying() & ~a.any);
  setKnown(result, a.trailingZeros(), 0);
  return result;
}

bool agrees(Relation relation, const LaneShape& a, const LaneShape& b) {
  if (!comparable(a, b) || !a.exact() || !b.exact()) return false;
  if (a.varying() == 0 && b.varying() == 0) return true;
  if (a.any != 0 || a.runtime != 0 || b.any != 0 || b.runtime != 0) return false;
  if (a.weights == b.weights) {
    // Both move alike: their difference does not.
    return relation == Relation::Equal || (a.neverWraps(true) && b.neverWraps(true));
  }
  // One moves inside of a block of 2^known numbers, in which the other's offset is known.
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
  const auto offset = static_cast<int64_t>(fixed.residue & lowMask(known));
  const auto at = static_cast<int64_t>(moving.residue & lowMask(known));
  low += at;
  high += at;
  if (relation == Relation::Equal) return offset < low || offset > high;
  // a < b, and a <= b as !(b < a): on which side equal numbers are.
  const bool strict = (relation == Relation::Less) == left;
  return strict ? offset <= low || offset > high : offset < low || offset >= high;
}

}  // namespace jit::simt
