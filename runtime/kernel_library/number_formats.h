// SPDX-License-Identifier: Apache-2.0

// Numbers in memory as kernels leave them: what they are, and as text. Internal to
// runtime/kernel_library, but for the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rt {

enum class NumberFormat : uint8_t {
  Half,
  BFloat,
  Single,
  Double,
  E4M3,  // the 8-bit formats of SPV_EXT_float8
  E5M2,
  Signed8,
  Signed16,
  Signed32,
  Signed64,
  Unsigned8,
  Unsigned16,
  Unsigned32,
  Unsigned64,
};

constexpr bool isFloat(NumberFormat format) { return format <= NumberFormat::E5M2; }
constexpr bool isSigned(NumberFormat format) {
  return NumberFormat::Signed8 <= format && format <= NumberFormat::Signed64;
}
constexpr uint32_t bytesOf(NumberFormat format) {
  constexpr uint8_t kBytes[] = {2, 2, 4, 8, 1, 1, 1, 2, 4, 8, 1, 2, 4, 8};
  return kBytes[static_cast<size_t>(format)];
}

// A float's bits without its sign are a number that is at least this where it is no finite one.
constexpr uint64_t firstNonFinite(NumberFormat format) {
  constexpr uint64_t kFirst[] = {0x7c00, 0x7f80, 0x7f800000, 0x7ff0000000000000, 0x7f, 0x7c};
  return kFirst[static_cast<size_t>(format)];
}

enum class FloatClass : uint8_t { Finite, Infinite, NotANumber };

// The index-th number, in the low bits.
uint64_t bitsOf(NumberFormat format, const void* numbers, uint64_t index);
FloatClass classOf(NumberFormat format, uint64_t bits);
// Of a float.
double valueOf(NumberFormat format, uint64_t bits);
// Of an integer of a signed format.
int64_t signedValueOf(NumberFormat format, uint64_t bits);
// "0.1", "-inf", "nan", "7".
std::string textOf(NumberFormat format, uint64_t bits);

// Whether any of `count` floats is infinite or a NaN.
bool hasNonFinite(NumberFormat format, const void* numbers, uint64_t count);
// The same of `lines` lines of `count` floats, `stride` bytes apart.
bool hasNonFinite(NumberFormat format, const std::byte* numbers, uint32_t lines, uint32_t count,
                  int64_t stride);

}  // namespace rt
