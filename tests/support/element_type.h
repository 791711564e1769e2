// SPDX-License-Identifier: Apache-2.0

// Scalars in the memory of buffers, and the wider values that tests compute with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kernels {

__extension__ typedef __int128 Int128;

enum class ElementKind : uint8_t { Unsigned, Signed, Float };

enum class ElementType : uint8_t {
#define ELEMENT(id, name, bits, kind, exponent, mantissa) id,
#include "tests/support/element_type.def"
#undef ELEMENT
};

struct ElementInfo {
  const char* name;
  uint32_t bits;
  ElementKind kind;
  int exponent_bits;  // floats
  int mantissa_bits;  // floats, without the implied one
  uint32_t bytes() const { return bits / 8; }
};

const ElementInfo& elementInfo(ElementType type);
std::optional<ElementType> findElementType(std::string_view name);

// A number wider than any element: an integer, or a double.
struct Value {
  bool is_float = false;
  Int128 integer = 0;
  double real = 0;

  static Value of(Int128 integer) { return {false, integer, 0}; }
  static Value of(double real) { return {true, 0, real}; }
  double asReal() const { return is_float ? real : static_cast<double>(integer); }
  // Floats are truncated; NaN gives 0, what does not fit the nearest end of 64 bits.
  Int128 asInteger() const;
  bool isTrue() const { return is_float ? real != 0 : integer != 0; }
};

// The bits that `value` has as an element: integers modulo 2^bits, floats rounded to nearest even,
// overflow to infinity (e4m3: to NaN).
uint64_t encode(ElementType type, const Value& value);
Value decode(ElementType type, uint64_t bits);

Value loadElement(ElementType type, std::span<const std::byte> memory, size_t index);
void storeElement(ElementType type, std::span<std::byte> memory, size_t index, const Value& value);

// Distance in units of the last place between two float encodings: how many values lie between
// them. NaN is at distance 0 from NaN, and infinitely far from everything else.
double ulpDistance(ElementType type, uint64_t a, uint64_t b);

// Half the distance between 1 and the next value: the relative error of one rounding.
double unitRoundoff(ElementType type);

// The number in the shortest decimal form that names it, as tests print it.
std::string format(const Value& value);

}  // namespace kernels
