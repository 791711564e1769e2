// SPDX-License-Identifier: Apache-2.0

// Reads JSON (RFC 8259), with LLVM's parser. No LLVM type appears here, so its users need no LLVM
// headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jit {

struct JsonMember;

struct Json {
  struct Null {};
  struct Number {
    double real;
    std::optional<uint64_t> natural;  // where it is a whole number from 0
  };
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;  // sorted by name

  // What it is, or null.
  const bool* boolean() const { return std::get_if<bool>(&value); }
  const Number* number() const { return std::get_if<Number>(&value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }
  const Array* elements() const { return std::get_if<Array>(&value); }
  const Object* members() const { return std::get_if<Object>(&value); }
  bool isNull() const { return std::holds_alternative<Null>(value); }

  // Of an object the member of this name; else null.
  const Json* find(std::string_view name) const;

  std::variant<Null, bool, Number, std::string, Array, Object> value;
};

struct JsonMember {
  std::string name;
  Json value;
};

// Arrays and objects within each other, at most: the parser recurses.
inline constexpr int kMaxJsonDepth = 64;

// The value, or in a line what is wrong with the text, and where.
std::variant<Json, std::string> parseJson(std::string_view text);

}  // namespace jit
