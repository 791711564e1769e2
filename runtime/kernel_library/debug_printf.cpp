// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/debug_printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace rt {

namespace {

constexpr int kMaxField = 1024;  // a wider field is not widened
constexpr std::string_view kCutOff = "... (cut off: a message has no more than 16 MiB)";
static_assert(kMaxPrintfMessage == size_t{16} << 20);

bool isOneOf(char c, const char* set) { return c != 0 && std::strchr(set, c) != nullptr; }

// "%-8.3v4f" and the like.
struct Conversion {
  std::string prefix;  // "%", flags, width and precision
  uint32_t components = 1;
  char letter = 0;
};

// Reads digits; the number in the text that is returned is kMaxField at most.
std::string number(const char*& at) {
  int value = 0;
  const char* begin = at;
  for (; isOneOf(*at, "0123456789"); ++at) value = std::min(value * 10 + (*at - '0'), kMaxField);
  return at == begin ? std::string() : std::to_string(value);
}

// Reads the conversion behind a '%'; its letter is 0 when it is none, and `at` behind it.
Conversion readConversion(const char*& at) {
  Conversion conversion{.prefix = "%"};
  for (; isOneOf(*at, "-+ #0"); ++at) {
    if (conversion.prefix.size() < 6) conversion.prefix += *at;
  }
  conversion.prefix += number(at);
  if (*at == '.') {
    ++at;
    conversion.prefix += '.' + number(at);
  }
  if (*at == 'v' && at[1] >= '2' && at[1] <= '4') {
    conversion.components = static_cast<uint32_t>(at[1] - '0');
    at += 2;
  }
  // The width of an argument is known, so length modifiers say nothing new.
  while (isOneOf(*at, "hl")) ++at;
  if (isOneOf(*at, "diouxXaAeEfFgGcps")) conversion.letter = *at++;
  if (conversion.letter == 'u' && *at == 'l') ++at;  // %ul is an unsigned long
  return conversion;
}

// snprintf with a format that was checked.
template <typename Value>
std::string print(const std::string& format, Value value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  char buffer[64];
  const int length = std::snprintf(buffer, sizeof buffer, format.c_str(), value);
  if (length < 0) return {};
  const auto size = static_cast<size_t>(length);
  if (size < sizeof buffer) return {buffer, size};
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  text.pop_back();
  return text;
}

uint64_t lowBits(uint64_t value, uint32_t bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

double asDouble(const PrintfArgument& argument, uint64_t value) {
  return argument.bits == 64 ? std::bit_cast<double>(value)
                             : std::bit_cast<float>(static_cast<uint32_t>(value));
}

// A component under another conversion than its type's is taken by its bits.
std::string printComponent(const Conversion& conversion, const PrintfArgument& argument,
                           uint64_t value) {
  const std::string& prefix = conversion.prefix;
  const char letter = conversion.letter;
  if (isOneOf(letter, "aAeEfFgG")) return print(prefix + letter, asDouble(argument, value));
  const uint64_t bits = lowBits(value, argument.bits);
  if (isOneOf(letter, "di")) {
    const uint32_t shift = 64 - argument.bits;
    return print(prefix + "lld", static_cast<long long>(bits << shift) >> shift);
  }
  if (letter == 'c') return print(prefix + 'c', static_cast<int>(bits & 0x7f));
  if (letter == 'p') return print(prefix + 's', print("0x%llx", bits).c_str());
  return print(prefix + "ll" + letter, static_cast<unsigned long long>(bits));
}

// An element of a matrix: its number for a float's conversion, as many bits as it has for others.
std::string printElement(const Conversion& conversion, NumberFormat format, uint64_t bits) {
  if (isFloat(format) && isOneOf(conversion.letter, "aAeEfFgG"))
    return print(conversion.prefix + conversion.letter, valueOf(format, bits));
  const PrintfArgument number{isSigned(format) ? PrintfKind::Signed : PrintfKind::Unsigned,
                              static_cast<uint8_t>(8 * bytesOf(format)), 1};
  return printComponent(conversion, number, bits);
}

// Adds the rows of a matrix, `element` giving the text of one. It is asked twice for each, so that
// no more than the message is ever held.
template <typename Element>
void addTable(std::string& text, const Conversion& conversion, const PrintfArgument& matrix,
              Element element) {
  const bool is_left = conversion.prefix.find('-') != std::string::npos;
  size_t width = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint32_t column = 0; column < matrix.columns; ++column)
      width = std::max(width, element(row, column).size());
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (uint32_t row = 0; row < matrix.rows && text.size() <= kMaxPrintfMessage; ++row) {
    if (row != 0) text += '\n';
    for (uint32_t column = 0; column < matrix.columns; ++column) {
      const std::string number = element(row, column);
      const size_t padding = width - number.size();
      if (!is_left) text.append(padding, ' ');
      text += number;
      if (column + 1u == matrix.columns) break;
      text += ", ";
      if (is_left) text.append(padding, ' ');
    }
  }
}

// Adds a number, or several.
void addNumbers(std::string& text, const Conversion& conversion, const PrintfArgument& argument,
                const uint64_t* values, size_t stride) {
  if (argument.kind == PrintfKind::CooperativeMatrix) {
    const auto* elements = reinterpret_cast<const std::byte*>(*values);
    addTable(text, conversion, argument, [&](uint32_t row, uint32_t column) {
      const uint64_t index = uint64_t{row} * argument.columns + column;
      return printElement(conversion, argument.format, bitsOf(argument.format, elements, index));
    });
  } else if (argument.rows != 0) {
    addTable(text, conversion, argument, [&](uint32_t row, uint32_t column) {
      return printComponent(conversion, argument,
                            values[(size_t{column} * argument.rows + row) * stride]);
    });
  } else {
    for (uint32_t c = 0; c < std::min<uint32_t>(conversion.components, argument.components); ++c) {
      if (c != 0) text += ", ";
      text += printComponent(conversion, argument, values[c * stride]);
    }
  }
}

}  // namespace

std::string formatPrintf(const char* format, std::span<const PrintfArgument> arguments,
                         const uint64_t* values, size_t stride) {
  std::string text;
  bool ends_table = false;  // what follows stands on the next line
  for (const char* at = format; *at != 0 && text.size() <= kMaxPrintfMessage;) {
    if (std::exchange(ends_table, false) && *at != '\n') text += '\n';
    if (*at != '%' || at[1] == '%') {
      text += *at;
      at += *at == '%' ? 2 : 1;
      continue;
    }
    const char* begin = at++;
    const Conversion conversion = readConversion(at);
    const bool is_string = !arguments.empty() && arguments[0].kind == PrintfKind::String;
    if (conversion.letter == 0 || arguments.empty() || is_string != (conversion.letter == 's')) {
      text.append(begin, at);
      if (conversion.letter == 0) continue;
    } else if (is_string) {
      text += print(conversion.prefix + 's', reinterpret_cast<const char*>(*values));
    } else {
      addNumbers(text, conversion, arguments[0], values, stride);
      ends_table = arguments[0].rows != 0;
    }
    if (arguments.empty()) continue;
    values += arguments[0].components * stride;
    arguments = arguments.subspan(1);
  }
  if (text.size() > kMaxPrintfMessage) {
    text.resize(kMaxPrintfMessage - kCutOff.size());
    text += kCutOff;
  }
  return text;
}

void debugPrintf(const DebugPrintf* output, const char* format, const PrintfArgument* arguments,
                 uint32_t count, const uint64_t* values, uint32_t width, uint64_t live) {
  if (output == nullptr) return;
  for (; live != 0; live &= live - 1) {
    const auto invocation = static_cast<uint32_t>(std::countr_zero(live));
    output->write(formatPrintf(format, {arguments, count}, values + invocation, width));
  }
}

}  // namespace rt
