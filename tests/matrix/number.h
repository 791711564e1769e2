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

// How much is promised about floats.
enum class Promise : uint8_t {
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
  double loose_low = 0, loose_high = 0;  // the same before it was rounded, if that may be left out

  bool isPoint() const { return !unknown && !nan && low == high; }
};

bool isFloat(ElementType type);

// What is in memory.
Number numberFromBits(ElementType type, uint64_t bits);
// What `bits`, an integer of the type, counts.
kernels::Int128 integerOf(ElementType type, uint64_t bits);

// A float of the type from a number that lies between the two, before rounding.
Number rounded(ElementType type, double low, double high, Promise promise);

Number combine(Arithmetic operation, ElementType type, const Number& x, const Number& y,
               bool may_fuse, Promise promise);
Number negated(ElementType type, const Number& x);
Number converted(ElementType from, ElementType to, const Number& x, bool saturate, Promise promise);
// The greatest of several, found by comparisons in any order.
Number greatestOf(ElementType type, const std::vector<Number>& numbers);
// x < 0 ? replacement : x
Number replacedIfNegative(ElementType type, const Number& x, const Number& replacement);

// Whether a device that left these bits has kept what was promised.
bool allows(ElementType type, const Number& expected, uint64_t bits, Promise promise);

std::string describe(ElementType type, const Number& number);

}  // namespace matrices
