// SPDX-License-Identifier: Apache-2.0

#include "tests/support/element_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace kernels {
namespace {

constexpr ElementInfo kElements[] = {
#define ELEMENT(id, name, bits, kind, exponent, mantissa) \
  {name, bits, ElementKind::kind, exponent, mantissa},
#include "tests/support/element_type.def"
#undef ELEMENT
};

// e4m3 gives its highest exponent to finite numbers; only all ones in the mantissa is NaN.
bool hasInfinity(const ElementInfo& info) { return info.exponent_bits != 4; }

uint64_t encodeFloat(const ElementInfo& info, double value) {
  const int bias = (1 << (info.exponent_bits - 1)) - 1;
  const uint64_t sign = std::signbit(value) ? uint64_t{1} << (info.bits - 1) : 0;
  const uint64_t all_exponents = (uint64_t{1} << info.exponent_bits) - 1;
  const uint64_t mantissa_mask = (uint64_t{1} << info.mantissa_bits) - 1;
  const uint64_t infinity = all_exponents << info.mantissa_bits;
  const uint64_t nan = hasInfinity(info) ? infinity | (uint64_t{1} << (info.mantissa_bits - 1))
                                         : infinity | mantissa_mask;
  const uint64_t overflow = hasInfinity(info) ? infinity : nan;
  if (std::isnan(value)) return sign | nan;
  if (std::isinf(value)) return sign | overflow;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  int exponent;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, 1 - bias);
  // In units of the last place at this exponent; rounded to even by the processor's default mode.
  const double scaled = std::nearbyint(std::ldexp(magnitude, info.mantissa_bits - exponent));
  uint64_t significand = static_cast<uint64_t>(scaled);
  if (significand > (mantissa_mask << 1 | 1)) {
    significand >>= 1;
    ++exponent;
  }
  if (significand <= mantissa_mask) return sign | significand;  // subnormal
  const uint64_t encoded = (static_cast<uint64_t>(exponent + bias) << info.mantissa_bits) |
                           (significand & mantissa_mask);
  return sign | (encoded >= overflow ? overflow : encoded);
}

double decodeFloat(const ElementInfo& info, uint64_t bits) {
  const int bias = (1 << (info.exponent_bits - 1)) - 1;
  const uint64_t all_exponents = (uint64_t{1} << info.exponent_bits) - 1;
  const uint64_t mantissa_mask = (uint64_t{1} << info.mantissa_bits) - 1;
  const uint64_t exponent = bits >> info.mantissa_bits & all_exponents;
  const uint64_t mantissa = bits & mantissa_mask;
  const double sign = bits >> (info.bits - 1) & 1 ? -1 : 1;
  if (exponent == all_exponents && (hasInfinity(info) || mantissa == mantissa_mask)) {
    if (hasInfinity(info) && mantissa == 0) return sign * std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
  }
  // A power of two that a double has, of whatever type is narrower.
  auto powerOfTwo = [](int power) {
    return std::bit_cast<double>(static_cast<uint64_t>(power + 1023) << 52);
  };
  if (exponent == 0) {
    return sign * static_cast<double>(mantissa) * powerOfTwo(1 - bias - info.mantissa_bits);
  }
  return sign * static_cast<double>(mantissa | (mantissa_mask + 1)) *
         powerOfTwo(static_cast<int>(exponent) - bias - info.mantissa_bits);
}

std::string formatInteger(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  // Digits of the negative number, whose range is the larger one.
  Int128 rest = negative ? value : -value;
  std::string digits;
  for (; rest != 0; rest /= 10) digits.insert(digits.begin(), static_cast<char>('0' - rest % 10));
  return negative ? "-" + digits : digits;
}

}  // namespace

const ElementInfo& elementInfo(ElementType type) { return kElements[static_cast<size_t>(type)]; }

std::optional<ElementType> findElementType(std::string_view name) {
  for (size_t i = 0; i < std::size(kElements); ++i) {
    if (name == kElements[i].name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

Int128 Value::asInteger() const {
  if (!is_float) return integer;
  if (std::isnan(real)) return 0;
  if (real >= 0x1p64) return static_cast<Int128>(std::numeric_limits<uint64_t>::max());
  if (real <= -0x1p63) return static_cast<Int128>(std::numeric_limits<int64_t>::min());
  return static_cast<Int128>(real);
}

uint64_t encode(ElementType type, const Value& value) {
  const ElementInfo& info = elementInfo(type);
  if (info.kind == ElementKind::Float) {
    if (type == ElementType::F32)
      return std::bit_cast<uint32_t>(static_cast<float>(value.asReal()));
    if (type == ElementType::F64) return std::bit_cast<uint64_t>(value.asReal());
    return encodeFloat(info, value.asReal());
  }
  const uint64_t bits = static_cast<uint64_t>(value.asInteger());
  return info.bits == 64 ? bits : bits & ((uint64_t{1} << info.bits) - 1);
}

Value decode(ElementType type, uint64_t bits) {
  const ElementInfo& info = elementInfo(type);
  switch (info.kind) {
    case ElementKind::Unsigned:
      return Value::of(static_cast<Int128>(bits));
    case ElementKind::Signed: {
      const int unused = 64 - static_cast<int>(info.bits);
      return Value::of(static_cast<Int128>(static_cast<int64_t>(bits << unused) >> unused));
    }
    case ElementKind::Float:
      break;
  }
  if (type == ElementType::F32) {
    return Value::of(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  }
  if (type == ElementType::F64) return Value::of(std::bit_cast<double>(bits));
  return Value::of(decodeFloat(info, bits));
}

Value loadElement(ElementType type, std::span<const std::byte> memory, size_t index) {
  const uint32_t bytes = elementInfo(type).bytes();
  const std::byte* at = memory.subspan(index * bytes, bytes).data();
  // Copies of sizes that the compiler knows.
  auto load = [&]<typename Bits>(Bits bits) {
    std::memcpy(&bits, at, sizeof bits);
    return decode(type, bits);
  };
  switch (bytes) {
    case 1:
      return load(uint8_t{});
    case 2:
      return load(uint16_t{});
    case 4:
      return load(uint32_t{});
    default:
      return load(uint64_t{});
  }
}

void storeElement(ElementType type, std::span<std::byte> memory, size_t index, const Value& value) {
  const uint64_t bits = encode(type, value);
  const uint32_t bytes = elementInfo(type).bytes();
  std::memcpy(memory.subspan(index * bytes, bytes).data(), &bits, bytes);
}

double ulpDistance(ElementType type, uint64_t a, uint64_t b) {
  const ElementInfo& info = elementInfo(type);
  const bool a_nan = std::isnan(decode(type, a).real);
  const bool b_nan = std::isnan(decode(type, b).real);
  if (a_nan || b_nan) return a_nan && b_nan ? 0 : std::numeric_limits<double>::infinity();
  const uint64_t sign_bit = uint64_t{1} << (info.bits - 1);
  auto ordinal = [&](uint64_t bits) {
    const Int128 magnitude = static_cast<Int128>(bits & (sign_bit - 1));
    return bits & sign_bit ? -magnitude : magnitude;
  };
  const Int128 distance = ordinal(a) - ordinal(b);
  return static_cast<double>(distance < 0 ? -distance : distance);
}

double unitRoundoff(ElementType type) {
  return std::ldexp(1.0, -elementInfo(type).mantissa_bits - 1);
}

std::string format(const Value& value) {
  if (!value.is_float) return formatInteger(value.integer);
  // Numbers that an f32 holds are told apart by f32's digits.
  const bool narrow = static_cast<double>(static_cast<float>(value.real)) == value.real;
  std::array<char, 40> text;
  for (int digits : {6, 9, 17}) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, value.real);
    const double read = std::strtod(text.data(), nullptr);
    if (read == value.real ||
        (narrow && static_cast<float>(read) == static_cast<float>(value.real)))
      break;
  }
  return text.data();
}

}  // namespace kernels
