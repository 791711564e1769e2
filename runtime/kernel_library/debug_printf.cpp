// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/debug_printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace rt {

namespace {

// A message longer than this is cut off, a field wider than that is not widened.
constexpr size_t kMaxMessage = size_t{64} * 1024;
constexpr int kMaxField = 1024;

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
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  std::string text(static_cast<size_t>(std::max(length, 0)) + 1, '\0');
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

}  // namespace

std::string formatPrintf(const char* format, std::span<const PrintfArgument> arguments,
                         const uint64_t* values, size_t stride) {
  std::string text;
  for (const char* at = format; *at != 0 && text.size() < kMaxMessage;) {
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
      for (uint32_t c = 0; c < std::min<uint32_t>(conversion.components, arguments[0].components);
           ++c) {
        if (c != 0) text += ", ";
        text += printComponent(conversion, arguments[0], values[c * stride]);
      }
    }
    if (arguments.empty()) continue;
    values += arguments[0].components * stride;
    arguments = arguments.subspan(1);
  }
  if (text.size() > kMaxMessage) text.resize(kMaxMessage);
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
