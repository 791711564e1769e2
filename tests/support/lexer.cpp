// SPDX-License-Identifier: Apache-2.0

#include "tests/support/lexer.h"

#include <cctype>
#include <cstdlib>

namespace kernels {
namespace {

constexpr std::string_view kLongSymbols[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", ".."};
constexpr std::string_view kSymbols = "+-*/%&|^~!<>=?:,.()[]{}@";

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesName(char c) { return startsName(c) || std::isdigit(static_cast<unsigned char>(c)); }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

Lexer::Lexer(std::string_view text, std::string where) : where_(std::move(where)) {
  size_t at = 0;
  auto scanNumber = [&](Token& token) {
    const size_t start = at;
    bool is_float = false;
    const bool hexadecimal = text.substr(at, 2) == "0x" || text.substr(at, 2) == "0X";
    if (hexadecimal) {
      at += 2;
      while (at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at]))) ++at;
    } else {
      while (at < text.size() && isDigit(text[at])) ++at;
      // "0..4" is a range: a point belongs to the number only when no second one follows.
      if (at < text.size() && text[at] == '.' && text.substr(at, 2) != "..") {
        is_float = true;
        for (++at; at < text.size() && isDigit(text[at]);) ++at;
      }
      if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        is_float = true;
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        while (at < text.size() && isDigit(text[at])) ++at;
      }
    }
    token.text = text.substr(start, at - start);
    if (is_float) {
      token.number = Value::of(std::strtod(token.text.c_str(), nullptr));
    } else {
      token.number = Value::of(
          static_cast<Int128>(std::strtoull(token.text.c_str(), nullptr, hexadecimal ? 16 : 10)));
    }
  };
  while (true) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    Token token;
    token.column = at;
    if (at >= text.size()) {
      tokens_.push_back(token);
      return;
    }
    const char c = text[at];
    if (startsName(c)) {
      token.kind = TokenKind::Name;
      while (at < text.size() && continuesName(text[at])) token.text += text[at++];
    } else if (isDigit(c)) {
      token.kind = TokenKind::Number;
      scanNumber(token);
      // "16x32" is two numbers with the name "x" between, never "0x" after the first digit.
    } else if (c == '"') {
      token.kind = TokenKind::String;
      const size_t close = text.find('"', at + 1);
      if (close == std::string_view::npos) throw FormatError(where_ + ": string without end");
      token.text = text.substr(at + 1, close - at - 1);
      at = close + 1;
    } else {
      token.kind = TokenKind::Symbol;
      for (std::string_view symbol : kLongSymbols) {
        if (text.substr(at, 2) == symbol) token.text = symbol;
      }
      if (token.text.empty() && kSymbols.find(c) != std::string_view::npos) token.text = c;
      if (token.text.empty()) {
        throw FormatError(where_ + ": unexpected character '" + std::string(1, c) + "'");
      }
      at += token.text.size();
    }
    tokens_.push_back(std::move(token));
  }
}

const Token& Lexer::peek(size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

Token Lexer::next() {
  const Token token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool Lexer::accept(std::string_view text) {
  const Token& token = peek();
  if ((token.kind != TokenKind::Symbol && token.kind != TokenKind::Name) || token.text != text) {
    return false;
  }
  next();
  return true;
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) fail("expected '" + std::string(text) + "'");
}

std::string Lexer::expectName(std::string_view what) {
  if (peek().kind != TokenKind::Name) fail("expected " + std::string(what));
  return next().text;
}

std::string Lexer::expectString(std::string_view what) {
  if (peek().kind != TokenKind::String) fail("expected " + std::string(what) + " in double quotes");
  return next().text;
}

uint64_t Lexer::expectUnsigned(std::string_view what) {
  if (peek().kind != TokenKind::Number || peek().number.is_float) {
    fail("expected " + std::string(what) + ", a whole number");
  }
  return static_cast<uint64_t>(next().number.integer);
}

void Lexer::expectEnd() {
  if (!atEnd()) fail("unexpected text");
}

void Lexer::fail(std::string_view message) const {
  const Token& token = peek();
  std::string found = token.kind == TokenKind::End ? "the end of the line" : "'" + token.text + "'";
  throw FormatError(where_ + ": " + std::string(message) + ", found " + found);
}

}  // namespace kernels
