// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace matrices {
namespace {

using kernels::decode;
using kernels::ElementInfo;
using kernels::elementInfo;
using kernels::ElementKind;
using kernels::encode;
using kernels::Int128;
using kernels::Value;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double nearest(ElementType type, double value) {
  return decode(type, encode(type, Value::of(value))).real;
}

double ulp(ElementType type, double value) {
  const double magnitude = std::max(std::fabs(value), leastNormal(type));
  return std::ldexp(1.0, std::ilogb(magnitude) - elementInfo(type).mantissa_bits);
}

// The number of the type next to a value within its range, on one side.
double onSide(ElementType type, double value, bool up) {
  const double unit = ulp(type, value);
  return (up ? std::ceil(value / unit) : std::floor(value / unit)) * unit;
}

Number unknown() { return {}; }

Number nanOnly() {
  Number result;
  result.unknown = false;
  result.nan = true;
  result.low = result.loose_low = kInfinity;
  result.high = result.loose_high = -kInfinity;
  return result;
}

bool isNanOnly(const Number& x) { return !x.unknown && x.nan && x.low > x.high; }
bool isFinite(const Number& x) { return !x.nan && std::isfinite(x.low) && std::isfinite(x.high); }

// Whether the type's numbers are rounded to nearest and may be infinities and NaN.
bool followsIeee(ElementType type, Promise promise) {
  if (promise != Promise::FloatControls) return promise >= Promise::Usual;
  return type == ElementType::F16 || type == ElementType::F32 || type == ElementType::F64;
}

void reachZero(ElementType type, double& low, double& high) {
  const double normal = leastNormal(type);
  if (low < normal && low > 0) low = 0;
  if (high > -normal && high < 0) high = 0;
}

// Double arithmetic rounds too; one step outwards holds the result, where that is not on this side.
double below(double value, bool holds) { return holds ? value : std::nextafter(value, -kInfinity); }
double above(double value, bool holds) { return holds ? value : std::nextafter(value, kInfinity); }

struct Range {
  double low, high;
  bool nan = false;
};

double apply(Arithmetic operation, double x, double y) {
  switch (operation) {
    case Arithmetic::Add:
      return x + y;
    case Arithmetic::Subtract:
      return x - y;
    case Arithmetic::Multiply:
      return x * y;
    case Arithmetic::Divide:
      return x / y;
  }
  return 0;
}

// The sign of what the double that `apply` returned lacks to the result; NaN where nobody knows.
double lacking(Arithmetic operation, double x, double y, double result) {
  switch (operation) {
    case Arithmetic::Subtract:
      y = -y;
      [[fallthrough]];
    case Arithmetic::Add: {
      const double rest = result - x;
      return (x - (result - rest)) + (y - rest);
    }
    case Arithmetic::Multiply:
    case Arithmetic::Divide:
      if (x == 0 || y == 0) return 0;
      // Too small for the difference to be a double.
      if (std::fabs(result) < 0x1p-900) return std::nan("");
      if (operation == Arithmetic::Multiply) return std::fma(x, y, -result);
      return std::copysign(1.0, y) * std::fma(-result, y, x);
  }
  return 0;
}

// All results for operands in the ranges: every operation takes its least and greatest values at
// the ends, as long as no divisor lies between two signs.
Range applyToRanges(Arithmetic operation, const Range& x, const Range& y) {
  Range result{kInfinity, -kInfinity};
  for (double a : {x.low, x.high}) {
    for (double b : {y.low, y.high}) {
      const double value = apply(operation, a, b);
      if (std::isnan(value)) {
        result.nan = true;
        continue;
      }
      const double rest = lacking(operation, a, b, value);
      result.low = std::min(result.low, below(value, rest >= 0));
      result.high = std::max(result.high, above(value, rest <= 0));
    }
  }
  return result;
}

Number integerResult(Arithmetic operation, ElementType type, const Number& x, const Number& y) {
  const Int128 a = integerOf(type, x.bits), b = integerOf(type, y.bits);
  Number result;
  result.unknown = false;
  switch (operation) {
    case Arithmetic::Add:
      result.bits = x.bits + y.bits;
      break;
    case Arithmetic::Subtract:
      result.bits = x.bits - y.bits;
      break;
    case Arithmetic::Multiply:
      result.bits = x.bits * y.bits;
      break;
    case Arithmetic::Divide:
      // Undefined: SPIR-V specification, OpSDiv and OpUDiv.
      if (b == 0 || (b == -1 && a < 0)) return unknown();
      result.bits = static_cast<uint64_t>(a / b);
      break;
  }
  return result;
}

// Clamped to +-end, where that is below infinity.
Number fromInteger(Int128 whole, ElementType to, double end, Promise promise) {
  auto between = [&](double low, double high) {
    return rounded(to, std::clamp(low, -end, end), std::clamp(high, -end, end), promise);
  };
  const double value = static_cast<double>(whole);
  // Types narrower than f32 at once, or by way of it.
  if (!followsIeee(to, promise)) {
    const auto near = static_cast<Int128>(value);
    const double low = below(value, near <= whole), high = above(value, near >= whole);
    if (to == ElementType::F64) return between(low, high);
    const Number first = rounded(ElementType::F32, low, high, promise);
    return between(std::min(low, first.low), std::max(high, first.high));
  }
  const double first = static_cast<double>(static_cast<float>(whole));
  if (to == ElementType::F64) return between(value, value);
  if (to == ElementType::F32) return between(first, first);
  if (promise == Promise::Exact && to != ElementType::F16) return between(first, first);
  return between(std::min(value, first), std::max(value, first));
}

}  // namespace

bool isFloat(ElementType type) { return elementInfo(type).kind == ElementKind::Float; }

double leastNormal(ElementType type) {
  return std::ldexp(1.0, 2 - (1 << (elementInfo(type).exponent_bits - 1)));
}

double greatest(ElementType type) {
  const ElementInfo& info = elementInfo(type);
  // e4m3 has finite numbers at its highest exponent, all but the last one of which is NaN.
  const uint64_t below_nan = (uint64_t{1} << (info.bits - 1)) - 2;
  const uint64_t below_infinity = ((uint64_t{1} << info.exponent_bits) - 1) << info.mantissa_bits;
  return decode(type, type == ElementType::E4M3 ? below_nan : below_infinity - 1).real;
}

Int128 integerOf(ElementType type, uint64_t bits) {
  const uint32_t width = elementInfo(type).bits;
  return decode(type, width == 64 ? bits : bits & ((uint64_t{1} << width) - 1)).integer;
}

Number numberFromBits(ElementType type, uint64_t bits) {
  Number result;
  result.unknown = false;
  if (!isFloat(type)) {
    result.bits = bits;
    return result;
  }
  const double value = decode(type, bits).real;
  if (std::isnan(value)) return nanOnly();
  result.low = result.high = result.loose_low = result.loose_high = value;
  return result;
}

Number taken(ElementType type, const Number& x, Promise promise) {
  if (x.unknown || !isFloat(type) || promise >= Promise::Usual) return x;
  if (!followsIeee(type, promise) && !isFinite(x)) return unknown();
  Number result = x;
  reachZero(type, result.low, result.high);
  reachZero(type, result.loose_low, result.loose_high);
  return result;
}

Number rounded(ElementType type, double low, double high, Promise promise) {
  Number result;
  result.unknown = false;
  // Whether a result is subnormal may be decided before it is rounded.
  if (promise != Promise::Exact) reachZero(type, low, high);
  if (!followsIeee(type, promise)) {
    if (low < -greatest(type) || high > greatest(type)) return unknown();
    result.low = onSide(type, low, false);
    result.high = onSide(type, high, true);
  } else {
    result.low = nearest(type, low);
    result.high = nearest(type, high);
  }
  // e4m3 has no infinity: beyond its numbers is NaN, on either side.
  const bool low_lost = std::isnan(result.low), high_lost = std::isnan(result.high);
  if (low_lost && high_lost) {
    if (low > 0 || high < 0) return nanOnly();
    return unknown();
  }
  result.nan = low_lost || high_lost;
  if (low_lost) result.low = -greatest(type);
  if (high_lost) result.high = greatest(type);
  result.loose_low = result.low;
  result.loose_high = result.high;
  return result;
}

Number combine(Arithmetic operation, ElementType type, const Number& left, const Number& right,
               bool may_fuse, Promise promise) {
  if (left.unknown || right.unknown) return unknown();
  if (!isFloat(type)) return integerResult(operation, type, left, right);
  const Number x = taken(type, left, promise), y = taken(type, right, promise);
  if (x.unknown || y.unknown) return unknown();
  if (isNanOnly(x) || isNanOnly(y)) return nanOnly();
  const bool sum = operation == Arithmetic::Add || operation == Arithmetic::Subtract;
  const bool loose = sum && may_fuse && promise != Promise::Exact;
  const Range a = loose ? Range{x.loose_low, x.loose_high} : Range{x.low, x.high};
  const Range b = loose ? Range{y.loose_low, y.loose_high} : Range{y.low, y.high};
  const bool points = x.isPoint() && y.isPoint() && a.low == a.high && b.low == b.high;
  if (operation == Arithmetic::Divide && b.low <= 0 && b.high >= 0 && !points) return unknown();
  Range range = applyToRanges(operation, a, b);
  if (range.nan) return points && followsIeee(type, promise) ? nanOnly() : unknown();
  // Of two single f32 or narrower, rounding the double's result to nearest rounds the exact one:
  // double has more than twice their digits.
  if (points && followsIeee(type, promise)) range.low = range.high = apply(operation, a.low, b.low);
  if (operation == Arithmetic::Divide && promise != Promise::Exact && std::isfinite(range.low) &&
      std::isfinite(range.high)) {
    // Vulkan: 2.5 ULP for divisors within the range whose reciprocals are normal.
    const double least = leastNormal(type), divisor = std::min(std::fabs(b.low), std::fabs(b.high));
    if (divisor < least || std::max(std::fabs(b.low), std::fabs(b.high)) > 1 / least)
      return unknown();
    const Number exact = rounded(type, range.low, range.high, promise);
    if (!points || promise < Promise::Usual || range.low != exact.low) {
      range.low = onSide(type, range.low - 2.5 * ulp(type, range.low), true);
      range.high = onSide(type, range.high + 2.5 * ulp(type, range.high), false);
    }
  }
  Number result = rounded(type, range.low, range.high, promise);
  result.nan |= x.nan || y.nan;
  if (operation == Arithmetic::Multiply) {
    const bool exact = type != ElementType::F64;  // fewer digits than half of double's
    result.loose_low = std::min(result.low, below(range.low, exact));
    result.loose_high = std::max(result.high, above(range.high, exact));
  }
  return result;
}

Number negated(ElementType type, const Number& operand, Promise promise) {
  if (operand.unknown) return operand;
  Number result = operand;
  if (!isFloat(type)) {
    result.bits = -operand.bits;
    return result;
  }
  const Number x = taken(type, operand, promise);
  if (x.unknown) return x;
  if (!isNanOnly(x)) {
    result.low = -x.high;
    result.high = -x.low;
    result.loose_low = -x.loose_high;
    result.loose_high = -x.loose_low;
  }
  return result;
}

Number converted(ElementType from, ElementType to, const Number& operand, bool saturate,
                 Promise promise) {
  if (operand.unknown) return operand;
  Number result;
  result.unknown = false;
  if (!isFloat(from) && !isFloat(to)) {
    // Extended as the operand's sign has it, or cut off.
    result.bits = static_cast<uint64_t>(integerOf(from, operand.bits));
    return result;
  }
  const double end = saturate ? greatest(to) : kInfinity;
  if (!isFloat(from)) return fromInteger(integerOf(from, operand.bits), to, end, promise);
  const Number x = taken(from, operand, promise);
  if (x.unknown) return x;
  // Of two conversions in a row the first need not round.
  const bool joined = promise < Promise::Usual && !saturate;
  double low = joined ? x.loose_low : x.low, high = joined ? x.loose_high : x.high;
  if (!isFloat(to)) {
    // Undefined beyond the range: SPIR-V specification, OpConvertFToS and OpConvertFToU.
    const ElementInfo& info = elementInfo(to);
    const bool is_signed = info.kind == ElementKind::Signed;
    const double beyond = std::ldexp(1.0, static_cast<int>(info.bits) - (is_signed ? 1 : 0));
    low = std::trunc(low);
    if (x.nan || low != std::trunc(high) || low >= beyond || low < (is_signed ? -beyond : 0))
      return unknown();
    result.bits = static_cast<uint64_t>(static_cast<Int128>(low));
    return result;
  }
  if (x.nan && !followsIeee(to, promise)) return unknown();
  if (isNanOnly(x)) return x;
  result = rounded(to, std::clamp(low, -end, end), std::clamp(high, -end, end), promise);
  if (joined) {
    result.loose_low = std::min(result.low, low);
    result.loose_high = std::max(result.high, high);
  }
  result.nan |= x.nan;
  return result;
}

Number greatestOf(ElementType type, const std::vector<Number>& numbers, Promise promise) {
  Number result = numbers.front();
  for (const Number& x : numbers) {
    if (x.unknown || x.nan) return unknown();
    if (taken(type, x, promise).unknown) return unknown();
    if (!isFloat(type)) {
      if (integerOf(type, x.bits) > integerOf(type, result.bits)) result = x;
      continue;
    }
    result.low = std::max(result.low, x.low);
    result.high = std::max(result.high, x.high);
  }
  if (!isFloat(type)) return result;
  // Zeros of both signs are equal, and so may be all subnormals.
  const double normal = leastNormal(type);
  if (result.low < normal && result.high > -normal) return unknown();
  result.loose_low = result.low;
  result.loose_high = result.high;
  return result;
}

Number replacedIfNegative(ElementType type, const Number& x, const Number& replacement,
                          Promise promise) {
  if (x.unknown) return x;
  if (!isFloat(type)) return integerOf(type, x.bits) < 0 ? replacement : x;
  if (taken(type, x, promise).unknown) return unknown();
  if (promise < Promise::Usual && x.low < 0 && x.high > -leastNormal(type)) return unknown();
  if (isNanOnly(x) || x.low >= 0) return x;
  if (x.high < 0) {
    if (!x.nan) return replacement;
    return unknown();
  }
  return unknown();
}

bool allows(ElementType type, const Number& expected, uint64_t bits, Promise promise) {
  if (expected.unknown) return true;
  if (!isFloat(type)) return integerOf(type, expected.bits) == integerOf(type, bits);
  const double value = decode(type, bits).real;
  if (std::isnan(value)) return expected.nan;
  if (value < expected.low || value > expected.high) return false;
  return promise != Promise::Exact || !expected.isPoint() ||
         std::signbit(value) == std::signbit(expected.low);
}

std::string describe(ElementType type, const Number& number) {
  if (number.unknown) return "anything";
  if (!isFloat(type)) return format(Value::of(integerOf(type, number.bits)));
  if (isNanOnly(number)) return "nan";
  std::string text = format(Value::of(number.low));
  if (number.low != number.high) text += " to " + format(Value::of(number.high));
  return number.nan ? text + " or nan" : text;
}

}  // namespace matrices
