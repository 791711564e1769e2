// SPDX-License-Identifier: Apache-2.0

#include "runtime/printable.h"

#include <cstdio>

namespace rt {

namespace {

unsigned byteAt(std::string_view text, size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// How many bytes of the text at `at` are one control character; 0: none.
size_t controlBytes(std::string_view text, size_t at) {
  const unsigned byte = byteAt(text, at);
  if (byte == '\t') return 0;
  if (byte < ' ' || byte == 0x7f) return 1;
  const unsigned next = byteAt(text, at + 1);
  return byte == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t count = controlBytes(text, i);
    if (count == 0 || (text[i] == '\n' && lines == Lines::Kept)) {
      result += text[i++];
    } else if (text[i] == '\n') {
      result += "\\n";
      ++i;
    } else {
      for (const size_t end = i + count; i < end; ++i) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", byteAt(text, i));
        result += escape;
      }
    }
  }
  return result;
}

bool hasControlBytes(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\n' && controlBytes(text, i) != 0) return true;
  return false;
}

}  // namespace rt
