// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/checked_numbers.h"

#include <cmath>
#include <span>

namespace rt {

namespace {

std::span<const CheckedNumber> numbersOf(const CheckedOperation& operation) {
  return {operation.numbers(), operation.count};
}

// Whether the number, cut to an integer, is one of the format's.
bool fits(double number, NumberFormat format) {
  const int bits = static_cast<int>(8 * bytesOf(format));
  const double whole = std::trunc(number);  // a NaN stays one, which no comparison holds for
  if (isSigned(format))
    return whole >= -std::ldexp(1.0, bits - 1) && whole < std::ldexp(1.0, bits - 1);
  return whole >= 0 && whole < std::ldexp(1.0, bits);
}

bool isDivisible(NumberFormat format, uint64_t dividend, uint64_t divisor) {
  if (divisor == 0) return false;
  const uint32_t bits = 8 * bytesOf(format);
  const bool is_least = dividend == uint64_t{1} << (bits - 1);
  return !isSigned(format) || !is_least || signedValueOf(format, divisor) != -1;
}

}  // namespace

const CheckedNumber* CheckedNumbers::find(uint8_t operand, uint32_t component) const {
  const CheckedNumber* only = nullptr;
  uint32_t count = 0;
  for (const CheckedNumber& number : numbersOf(operation_)) {
    if (number.operand != operand) continue;
    if (number.component == component) return &number;
    only = &number;
    ++count;
  }
  return count == 1 ? only : nullptr;  // a scalar for all components
}

bool CheckedNumbers::isAbout(const CheckedNumber& number, uint32_t component) const {
  return operation_.mixes != 0 || find(number.operand, component) == &number;
}

std::optional<FindingKind> CheckedNumbers::born(const CheckedNumber& result, uint32_t lane,
                                                const std::function<bool(uint32_t)>& isLive) const {
  const FloatClass of_result = classOf(result.format, bits(result, lane));
  if (of_result == FloatClass::Finite) return std::nullopt;
  bool has_nan = false, has_infinity = false;
  auto look = [&](const CheckedNumber& number, uint32_t at) {
    const FloatClass of_operand = classOf(number.format, bits(number, at));
    has_nan |= of_operand == FloatClass::NotANumber;
    has_infinity |= of_operand == FloatClass::Infinite;
  };
  for (const CheckedNumber& number : numbersOf(operation_)) {
    if (number.operand == CheckedNumber::kResult || !isFloat(number.format) ||
        !isAbout(number, result.component))
      continue;
    if (operation_.crosses_lanes == 0) {
      look(number, lane);
      continue;
    }
    for (uint32_t other = 0; other < operation_.lanes; ++other)
      if (isLive(other)) look(number, other);
  }
  // E4M3 has no infinity: there it becomes a NaN.
  const bool may_be_infinity =
      of_result == FloatClass::Infinite || result.format == NumberFormat::E4M3;
  if (has_nan || (has_infinity && may_be_infinity)) return std::nullopt;
  return of_result == FloatClass::Infinite ? FindingKind::Infinity : FindingKind::Nan;
}

void CheckedNumbers::findIn(uint32_t lane, const std::function<bool(uint32_t)>& isLive,
                            const std::function<void(Wrong)>& found) const {
  const uint8_t subject =
      operation_.rule == NumberRule::Result ? CheckedNumber::kResult : uint8_t{0};
  for (const CheckedNumber& number : numbersOf(operation_)) {
    if (number.operand != subject) continue;
    const CheckedNumber* second = find(1, number.component);
    const CheckedNumber* third = find(2, number.component);
    const uint32_t width = 8 * bytesOf(number.format);
    switch (operation_.rule) {
      case NumberRule::Result:
        if (const auto kind = born(number, lane, isLive)) found({*kind, number.component});
        break;
      case NumberRule::ToInteger:
        if (!fits(valueOf(number.format, bits(number, lane)), operation_.target))
          found({FindingKind::Conversion, number.component});
        break;
      case NumberRule::Division:
        if (second != nullptr &&
            !isDivisible(number.format, bits(number, lane), bits(*second, lane)))
          found({FindingKind::Division, number.component});
        break;
      case NumberRule::Shift:
        if (second != nullptr && bits(*second, lane) >= width)
          found({FindingKind::Shift, number.component});
        break;
      case NumberRule::BitField:
        if (second != nullptr && third != nullptr &&
            (bits(*second, lane) > width || bits(*third, lane) > width - bits(*second, lane)))
          found({FindingKind::Shift, number.component});
        break;
      case NumberRule::Sums:
      case NumberRule::Note:
        break;
    }
  }
}

std::string CheckedNumbers::expression(uint32_t lane, uint32_t component) const {
  const std::string name = operation_.name();
  std::string list;
  for (uint8_t operand = 0; operand < CheckedNumber::kResult; ++operand) {
    std::string values;
    uint32_t count = 0;
    bool has_any = false;
    for (const CheckedNumber& number : numbersOf(operation_)) {
      if (number.operand != operand) continue;
      has_any = true;
      if (!isAbout(number, component)) continue;
      values += (count++ != 0 ? ", " : "") + text(number, lane);
    }
    if (!has_any) break;
    if (count > 1) values = "(" + values + ")";
    if (operand != 0) list += operation_.is_infix != 0 ? " " + name + " " : ", ";
    list += values;
  }
  if (operation_.is_infix != 0) return list;
  return name.ends_with(' ') ? name + list : name + "(" + list + ")";
}

std::string CheckedNumbers::describe(uint32_t lane, Wrong wrong) const {
  const std::string what = expression(lane, wrong.component);
  const CheckedNumber* first = find(0, wrong.component);
  const std::string width =
      first != nullptr ? std::to_string(8 * bytesOf(first->format)) : std::string();
  auto textOfOperand = [&](uint8_t operand) {
    const CheckedNumber* number = find(operand, wrong.component);
    return number != nullptr ? text(*number, lane) : std::string();
  };
  switch (wrong.kind) {
    case FindingKind::Nan:
      return "a NaN from " + what;
    case FindingKind::Infinity:
      return "an infinity from " + what;
    case FindingKind::Conversion:
      return textOfOperand(0) + " becomes " +
             (isSigned(operation_.target) ? "a signed" : "an unsigned") + " integer of " +
             std::to_string(8 * bytesOf(operation_.target)) + " bits, which cannot hold it";
    case FindingKind::Division:
      return "the undefined integer " + what;
    default:
      break;
  }
  if (operation_.rule == NumberRule::BitField)
    return "a field of " + textOfOperand(2) + " bits from bit " + textOfOperand(1) +
           " on leads past the " + width + " bits of an integer";
  return "an integer of " + width + " bits is shifted by " + textOfOperand(1) + ": " + what;
}

}  // namespace rt
