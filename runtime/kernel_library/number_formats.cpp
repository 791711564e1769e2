// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/number_formats.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace rt {

namespace {

// An IEEE format, or one that is like it.
struct Layout {
  int mantissa_bits, bias;
};

constexpr Layout layoutOf(NumberFormat format) {
  switch (format) {
    case NumberFormat::Half:
      return {10, 15};
    case NumberFormat::BFloat:
      return {7, 127};
    case NumberFormat::E4M3:
      return {3, 7};
    default:
      return {2, 15};  // E5M2
  }
}

uint64_t withoutSign(NumberFormat format, uint64_t bits) {
  return bits & ((uint64_t{1} << (8 * bytesOf(format) - 1)) - 1);
}

template <typename Number>
std::string shortest(Number number) {
  char text[64];
  const auto end = std::to_chars(std::begin(text), std::end(text), number);
  return std::string(std::begin(text), end.ptr);
}

// Lines of numbers as signed integers, as vector units compare them. `kMagnitude` are the bits
// of a float without its sign.
template <typename Bits>
struct IntegerLines {
  using Vector [[gnu::vector_size(32)]] = Bits;
  static constexpr uint32_t kLanes = sizeof(Vector) / sizeof(Bits);
  static constexpr Bits kMagnitude = std::numeric_limits<Bits>::max();

  const std::byte* first_line;
  uint32_t lines, count;
  int64_t stride;

  [[gnu::always_inline]] inline bool haveAtLeast(Bits first) const {
    Vector any = {};
    Bits any_left = 0;
    for (uint32_t line = 0; line < lines; ++line) {
      const std::byte* numbers = first_line + stride * static_cast<int64_t>(line);
      uint32_t k = 0;
      for (; k + kLanes <= count; k += kLanes) {
        Vector bits;
        std::memcpy(&bits, numbers + k * sizeof(Bits), sizeof bits);
        any |= (bits & kMagnitude) >= first;
      }
      for (; k < count; ++k) {
        Bits bits;
        std::memcpy(&bits, numbers + k * sizeof(Bits), sizeof bits);
        any_left = static_cast<Bits>(any_left | ((bits & kMagnitude) >= first ? -1 : 0));
      }
    }
    uint64_t words[sizeof any / sizeof(uint64_t)];
    std::memcpy(words, &any, sizeof any);
    return (words[0] | words[1] | words[2] | words[3]) != 0 || any_left != 0;
  }
};

[[gnu::always_inline]] inline bool scan(NumberFormat format, const std::byte* numbers,
                                        uint32_t lines, uint32_t count, int64_t stride) {
  const uint64_t first = firstNonFinite(format);
  switch (bytesOf(format)) {
    case 1:
      return IntegerLines<int8_t>{numbers, lines, count, stride}.haveAtLeast(
          static_cast<int8_t>(first));
    case 2:
      return IntegerLines<int16_t>{numbers, lines, count, stride}.haveAtLeast(
          static_cast<int16_t>(first));
    case 4:
      return IntegerLines<int32_t>{numbers, lines, count, stride}.haveAtLeast(
          static_cast<int32_t>(first));
    default:
      return IntegerLines<int64_t>{numbers, lines, count, stride}.haveAtLeast(
          static_cast<int64_t>(first));
  }
}

}  // namespace

uint64_t bitsOf(NumberFormat format, const void* numbers, uint64_t index) {
  const uint32_t bytes = bytesOf(format);
  uint64_t bits = 0;  // little-endian, as the machine is
  std::memcpy(&bits, static_cast<const std::byte*>(numbers) + index * bytes, bytes);
  return bits;
}

FloatClass classOf(NumberFormat format, uint64_t bits) {
  const uint64_t magnitude = withoutSign(format, bits), first = firstNonFinite(format);
  if (magnitude < first) return FloatClass::Finite;
  const bool has_infinity = format != NumberFormat::E4M3;
  return magnitude == first && has_infinity ? FloatClass::Infinite : FloatClass::NotANumber;
}

double valueOf(NumberFormat format, uint64_t bits) {
  if (format == NumberFormat::Single) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (format == NumberFormat::Double) return std::bit_cast<double>(bits);
  const Layout layout = layoutOf(format);
  const uint64_t magnitude = withoutSign(format, bits);
  const double sign = magnitude == bits ? 1 : -1;
  switch (classOf(format, bits)) {
    case FloatClass::Infinite:
      return sign * std::numeric_limits<double>::infinity();
    case FloatClass::NotANumber:
      return std::numeric_limits<double>::quiet_NaN();
    case FloatClass::Finite:
      break;
  }
  const auto exponent = static_cast<int>(magnitude >> layout.mantissa_bits);
  const uint64_t one = uint64_t{1} << layout.mantissa_bits;
  const uint64_t mantissa = (magnitude & (one - 1)) | (exponent != 0 ? one : 0);
  const int shift = (exponent != 0 ? exponent : 1) - layout.bias - layout.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(mantissa), shift);
}

int64_t signedValueOf(NumberFormat format, uint64_t bits) {
  const uint32_t unused = 64 - 8 * bytesOf(format);
  return static_cast<int64_t>(bits << unused) >> unused;
}

std::string textOf(NumberFormat format, uint64_t bits) {
  if (isSigned(format)) return shortest(signedValueOf(format, bits));
  if (!isFloat(format)) return shortest(bits);
  if (classOf(format, bits) == FloatClass::NotANumber) return "nan";
  const double value = valueOf(format, bits);
  // As many digits as the format has, not as many as a double needs.
  return format == NumberFormat::Double ? shortest(value) : shortest(static_cast<float>(value));
}

namespace {

__attribute__((target("avx2"))) bool scanAvx2(NumberFormat format, const std::byte* numbers,
                                              uint32_t lines, uint32_t count, int64_t stride) {
  return scan(format, numbers, lines, count, stride);
}

}  // namespace

bool hasNonFinite(NumberFormat format, const std::byte* numbers, uint32_t lines, uint32_t count,
                  int64_t stride) {
  static const bool kAvx2 = __builtin_cpu_supports("avx2") != 0;
  return kAvx2 ? scanAvx2(format, numbers, lines, count, stride)
               : scan(format, numbers, lines, count, stride);
}

bool hasNonFinite(NumberFormat format, const void* numbers, uint64_t count) {
  return hasNonFinite(format, static_cast<const std::byte*>(numbers), 1,
                      static_cast<uint32_t>(count), 0);
}

}  // namespace rt
