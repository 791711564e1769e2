// SPDX-License-Identifier: Apache-2.0

#include "tests/support/expression_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace kernels {
namespace {

// SplitMix64: the bits of position `index` of the stream `seed`, without a state, so that an
// element's value does not depend on how many others are drawn.
uint64_t mix(uint64_t seed, uint64_t index) {
  uint64_t z = seed * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// random(low, high, seed): whole numbers of low..high, both included, when both are whole numbers;
// else reals of [low, high).
Value random(const Value* v, Int128 index) {
  const uint64_t bits = mix(static_cast<uint64_t>(v[2].asInteger()), static_cast<uint64_t>(index));
  if (v[0].is_float || v[1].is_float) {
    const double unit = static_cast<double>(bits >> 11) * 0x1p-53;
    return Value::of(v[0].asReal() + (v[1].asReal() - v[0].asReal()) * unit);
  }
  const Int128 span = v[1].integer - v[0].integer + 1;
  if (span <= 0) throw std::runtime_error("random() needs low <= high");
  return Value::of(v[0].integer + static_cast<Int128>(bits) % span);
}

bool anyReal(const Value* v, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    if (v[k].is_float) return true;
  }
  return false;
}

// As SPIR-V's NMin and NMax: a NaN loses against a number.
Value least(const Value& a, const Value& b) {
  if (a.is_float || b.is_float) return Value::of(std::fmin(a.asReal(), b.asReal()));
  return a.integer < b.integer ? a : b;
}
Value greatest(const Value& a, const Value& b) {
  if (a.is_float || b.is_float) return Value::of(std::fmax(a.asReal(), b.asReal()));
  return a.integer > b.integer ? a : b;
}

Value absolute(const Value* v, Int128) {
  if (v[0].is_float) return Value::of(std::fabs(v[0].real));
  return Value::of(v[0].integer < 0 ? -v[0].integer : v[0].integer);
}

Value sign(const Value* v, Int128) {
  const double x = v[0].asReal();
  const int result = (x > 0) - (x < 0);
  return v[0].is_float ? Value::of(static_cast<double>(result)) : Value::of(Int128{result});
}

Value clamp(const Value* v, Int128) { return least(greatest(v[0], v[1]), v[2]); }

Value fusedMultiplyAdd(const Value* v, Int128) {
  if (!anyReal(v, 3)) return Value::of(v[0].integer * v[1].integer + v[2].integer);
  return Value::of(std::fma(v[0].asReal(), v[1].asReal(), v[2].asReal()));
}

// The value as the element type has it: rounded, or modulo 2^bits.
template <ElementType kType>
Value cast(const Value* v, Int128) {
  return decode(kType, encode(kType, v[0]));
}

// bits_f32(1.0) is 0x3f800000; from_bits_f32 goes back.
template <ElementType kType>
Value bitsOf(const Value* v, Int128) {
  return Value::of(static_cast<Int128>(encode(kType, v[0])));
}
template <ElementType kType>
Value fromBits(const Value* v, Int128) {
  const uint32_t bits = elementInfo(kType).bits;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  return decode(kType, static_cast<uint64_t>(v[0].asInteger()) & mask);
}

Value reverse32(const Value* v, Int128) {
  uint32_t bits = static_cast<uint32_t>(v[0].asInteger()), result = 0;
  for (int k = 0; k < 32; ++k) result |= (bits >> k & 1) << (31 - k);
  return Value::of(Int128{result});
}

#define UNARY_MATH(name, function) \
  {name, 1, [](const Value* v, Int128) { return Value::of(std::function(v[0].asReal())); }},

constexpr Function kFunctions[] = {
    {"random", 3, random, /*uses_index=*/true},
    {"abs", 1, absolute},
    {"sign", 1, sign},
    {"clamp", 3, clamp},
    {"fma", 3, fusedMultiplyAdd},
    {"min", 2, [](const Value* v, Int128) { return least(v[0], v[1]); }},
    {"max", 2, [](const Value* v, Int128) { return greatest(v[0], v[1]); }},
    {"pow", 2,
     [](const Value* v, Int128) { return Value::of(std::pow(v[0].asReal(), v[1].asReal())); }},
    {"atan2", 2,
     [](const Value* v, Int128) { return Value::of(std::atan2(v[0].asReal(), v[1].asReal())); }},
    {"ldexp", 2,
     [](const Value* v, Int128) {
       const Int128 most = std::numeric_limits<int>::max();
       const Int128 exponent = std::clamp(v[1].asInteger(), -most, most);
       return Value::of(std::ldexp(v[0].asReal(), static_cast<int>(exponent)));
     }},
    // mod() of GLSL: the result has the sign of the second operand.
    {"mod", 2,
     [](const Value* v, Int128) {
       const double x = v[0].asReal(), y = v[1].asReal();
       return Value::of(x - y * std::floor(x / y));
     }},
    {"inversesqrt", 1,
     [](const Value* v, Int128) { return Value::of(1 / std::sqrt(v[0].asReal())); }},
    {"fract", 1,
     [](const Value* v, Int128) { return Value::of(v[0].asReal() - std::floor(v[0].asReal())); }},
    {"popcount", 1,
     [](const Value* v, Int128) {
       return Value::of(Int128{std::popcount(static_cast<uint64_t>(v[0].asInteger()))});
     }},
    {"reverse32", 1, reverse32},
    // Index of the lowest and of the highest one, -1 for 0.
    {"lowbit", 1,
     [](const Value* v, Int128) {
       const uint64_t bits = static_cast<uint64_t>(v[0].asInteger());
       return Value::of(Int128{bits == 0 ? -1 : std::countr_zero(bits)});
     }},
    {"highbit", 1,
     [](const Value* v, Int128) {
       const uint64_t bits = static_cast<uint64_t>(v[0].asInteger());
       return Value::of(Int128{63 - std::countl_zero(bits)});
     }},
    {"isnan", 1,
     [](const Value* v, Int128) { return Value::of(Int128{std::isnan(v[0].asReal())}); }},
    {"isinf", 1,
     [](const Value* v, Int128) { return Value::of(Int128{std::isinf(v[0].asReal())}); }},
    UNARY_MATH("sqrt", sqrt) UNARY_MATH("floor", floor) UNARY_MATH("ceil", ceil)
        UNARY_MATH("trunc", trunc) UNARY_MATH("round", nearbyint) UNARY_MATH("exp", exp) UNARY_MATH(
            "exp2", exp2) UNARY_MATH("log", log) UNARY_MATH("log2", log2) UNARY_MATH("sin", sin)
            UNARY_MATH("cos", cos) UNARY_MATH("tan", tan) UNARY_MATH("asin", asin)
                UNARY_MATH("acos", acos) UNARY_MATH("atan", atan) UNARY_MATH("sinh", sinh)
                    UNARY_MATH("cosh", cosh) UNARY_MATH("tanh", tanh) UNARY_MATH("asinh", asinh)
                        UNARY_MATH("acosh", acosh) UNARY_MATH("atanh", atanh)
#define ELEMENT(id, name, bits, kind, exponent, mantissa)                       \
  {name, 1, cast<ElementType::id>}, {"bits_" name, 1, bitsOf<ElementType::id>}, \
      {"from_bits_" name, 1, fromBits<ElementType::id>},
#include "tests/support/element_type.def"
#undef ELEMENT
};

#undef UNARY_MATH

Value add(const Value& a, const Value& b) {
  if (a.is_float || b.is_float) return Value::of(a.asReal() + b.asReal());
  return Value::of(a.integer + b.integer);
}
Value multiply(const Value& a, const Value& b) {
  if (a.is_float || b.is_float) return Value::of(a.asReal() * b.asReal());
  // Modulo 2^64, as every integer element is.
  const uint64_t product = static_cast<uint64_t>(a.integer) * static_cast<uint64_t>(b.integer);
  return Value::of(Int128{product});
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Folding kFoldings[] = {
    {"sum", Value::of(Int128{0}), add},
    {"product", Value::of(Int128{1}), multiply},
    {"count", Value::of(Int128{0}),
     [](const Value& a, const Value& b) { return Value::of(a.integer + b.isTrue()); }},
    {"least", Value::of(kInfinity),
     [](const Value& a, const Value& b) {
       return a.is_float && a.real == kInfinity ? b : least(a, b);
     }},
    {"greatest", Value::of(-kInfinity),
     [](const Value& a, const Value& b) {
       return a.is_float && a.real == -kInfinity ? b : greatest(a, b);
     }},
    {"all_bits", Value::of(~Int128{0}),
     [](const Value& a, const Value& b) { return Value::of(a.integer & b.asInteger()); }},
    {"any_bits", Value::of(Int128{0}),
     [](const Value& a, const Value& b) { return Value::of(a.integer | b.asInteger()); }},
    {"xor_bits", Value::of(Int128{0}),
     [](const Value& a, const Value& b) { return Value::of(a.integer ^ b.asInteger()); }},
};

}  // namespace

const Function* findFunction(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

const Folding* findFolding(std::string_view name) {
  for (const Folding& folding : kFoldings) {
    if (folding.name == name) return &folding;
  }
  return nullptr;
}

}  // namespace kernels
