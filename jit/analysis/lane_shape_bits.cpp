// SPDX-License-Identifier: Apache-2.0

// Operations that take numbers apart: shifts, masks, quotients, conversions.
#include "jit/analysis/lane_shape.h"
#include "jit/analysis/lane_shape_parts.h"

namespace jit::simt {

namespace {

// The part of a value below 2^bits.
LaneShape lowBits(const LaneShape& a, unsigned bits) {
  if (a.modulus < bits) return unknown(a.width, a.varying());
  LaneShape result = a;
  result.modulus = a.width;
  result.most = std::min(a.exact() ? a.most : lowMask(a.width), lowMask(bits));
  if (!a.staysInside(bits)) return unknown(a.width, a.varying());
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
  if (!a.staysInside(bits)) return unknown(a.width, a.varying());
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

}  // namespace jit::simt
