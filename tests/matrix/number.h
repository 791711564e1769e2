// SPDX-License-Identifier: Apache-2.0

// What a component may be: a number with the room that the specifications leave for it.
//
// Integers are exact or unknown. Floats are intervals, of one number where the result is settled;
// operations round the ends as the device rounds, which keeps the order of numbers, so an interval
// holds everything that a device may make of operands within theirs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/matrix/program.h"

namespace matrices {

// How much is promised about floats, from the least to the most.
enum class Promise : uint8_t {
  // What Vulkan asks of every driver (its specification, "Precision and Operation of SPIR-V
  // Instructions"): one of the two numbers next to a result; subnormal operands and results may be
  // 0; nothing where there is an infinity or NaN; quotients within 2.5 ULP; a product that is added
  // may be fused, and conversions one after the other may be one.
  Vulkan,
  // The same in a program with the execution modes RoundingModeRTE and SignedZeroInfNanPreserve for
  // 16, 32 and 64 bits: rounding to nearest even, infinities and NaN. Neither is about bf16, the
  // 8-bit floats and multiply-adds of matrices.
  FloatControls,
  // Rounding to nearest even, once for each operation, multiply-add and conversion; subnormal
  // results may be flushed; division within 2.5 ULP; a product that is added may be fused.
  Usual,
  // TESSERA_NUMERICS=exact (docs/numerics.md): every bit.
  Exact,
};

struct Number {
  bool unknown = true;       // no promise at all
  bool nan = false;          // a float: may be NaN
  uint64_t bits = 0;         // an integer modulo 2^64; what is above its width does not count
  double low = 0, high = 0;  // a float that is a number; empty (low > high) when it must be NaN
  // The same before it was rounded, if that may be left out; holds the range above.
  double loose_low = 0, loose_high = 0;

  bool isPoint() const { return !unknown && !nan && low == high; }
};

bool isFloat(ElementType type);
// Of a float type: the least positive normal number, the greatest finite one.
double leastNormal(ElementType type);
double greatest(ElementType type);

// What is in memory.
Number numberFromBits(ElementType type, uint64_t bits);
// What `bits`, an integer of the type, counts.
kernels::Int128 integerOf(ElementType type, uint64_t bits);

// A float of the type from a number that lies between the two, before rounding.
Number rounded(ElementType type, double low, double high, Promise promise);

// What an instruction may take an operand for.
Number taken(ElementType type, const Number& x, Promise promise);

Number combine(Arithmetic operation, ElementType type, const Number& left, const Number& right,
               bool may_fuse, Promise promise);
Number negated(ElementType type, const Number& operand, Promise promise);
Number converted(ElementType from, ElementType to, const Number& operand, bool saturate,
                 Promise promise);
// The greatest of several, found by comparisons in any order.
Number greatestOf(ElementType type, const std::vector<Number>& numbers, Promise promise);
// x < 0 ? replacement : x
Number replacedIfNegative(ElementType type, const Number& x, const Number& replacement,
                          Promise promise);

// Whether a device that left these bits has kept what was promised.
bool allows(ElementType type, const Number& expected, uint64_t bits, Promise promise);

std::string describe(ElementType type, const Number& number);

}  // namespace matrices
