// SPDX-License-Identifier: Apache-2.0

// Expressions in kernel files: initial data and expected results as functions of the index and of
// other buffers. tests/kernels/README.md describes the language.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/element_type.h"
#include "tests/support/lexer.h"

namespace kernels {

// What a buffer's name means inside an expression.
struct BufferName {
  size_t index;
  ElementType type;
};

// Names that expressions may use besides their own variables.
struct ExpressionNames {
  std::map<std::string, BufferName, std::less<>> buffers;
};

// What an evaluation sees.
struct Scope {
  // One slot for each variable in force: i (element index), n (how many elements came before it in
  // the range), then those of sum() and its like.
  std::vector<Int128> variables;
  std::span<const std::vector<std::byte>> before;  // contents of the buffers before the run
  std::span<const std::vector<std::byte>> after;   // and after it; empty until then
  std::span<const uint64_t> addresses;             // device addresses; empty until known
  Int128 subgroup_size = 0;
  // Of parts of expressions that are the same for all elements, once `after` is there: then nothing
  // above but variables changes any more.
  std::map<std::shared_ptr<const char>, Value> constants;
};

// Throws std::runtime_error for an index outside a buffer and the like.
using Expression = std::function<Value(Scope&)>;

// The longest expression at the lexer's position. Throws FormatError.
Expression parseExpression(Lexer& lexer, const ExpressionNames& names);

}  // namespace kernels
