// SPDX-License-Identifier: Apache-2.0

// Words of one directive of a kernel file, with positions for messages.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/element_type.h"

namespace kernels {

// A mistake in a kernel file; what() is "file:line: message".
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class TokenKind : uint8_t { Name, Number, String, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;  // String: without the quotes; Name: letters, digits, '_', '-' inside no name
  Value number;      // Number
  size_t column = 0;
};

// Splits one logical line. Names are [A-Za-z_][A-Za-z0-9_]*; strings stand in double quotes and
// know no escapes; symbols are the operators of expressions.h and punctuation.
class Lexer {
 public:
  Lexer(std::string_view text, std::string where);

  const Token& peek(size_t ahead = 0) const;
  Token next();
  bool atEnd() const { return peek().kind == TokenKind::End; }

  // Take the token if it is that symbol or name.
  bool accept(std::string_view text);
  void expect(std::string_view text);

  std::string expectName(std::string_view what);
  std::string expectString(std::string_view what);
  uint64_t expectUnsigned(std::string_view what);
  void expectEnd();

  [[noreturn]] void fail(std::string_view message) const;
  const std::string& where() const { return where_; }

 private:
  std::string where_;  // "file:line"
  std::vector<Token> tokens_;
  size_t position_ = 0;
};

}  // namespace kernels
