// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/json_text.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace rt {

namespace {

// Bytes of the character at the text's beginning; 0: there is none (Unicode, table 3-7).
size_t characterBytes(std::string_view text) {
  const auto byte = [&](size_t at) -> uint32_t {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  const auto follows = [&](size_t at) { return byte(at) >= 0x80 && byte(at) < 0xc0; };
  const uint32_t first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const bool is_longer_than_needed = first == 0xe0 && second < 0xa0;
    const bool is_surrogate = first == 0xed && second >= 0xa0;
    return follows(1) && follows(2) && !is_longer_than_needed && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const bool is_longer_than_needed = first == 0xf0 && second < 0x90;
    const bool is_past_the_last = first == 0xf4 && second >= 0x90;
    return follows(1) && follows(2) && follows(3) && !is_longer_than_needed && !is_past_the_last
               ? 4
               : 0;
  }
  return 0;
}

}  // namespace

void appendJson(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const size_t bytes = characterBytes(text);
    const char first = text[0];
    if (bytes == 0) {
      json += "\xef\xbf\xbd";
    } else if (first == '"' || first == '\\') {
      json += '\\';
      json += first;
    } else if (bytes == 1 && (first < ' ' || first == '\x7f')) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(first));
      json += escape;
    } else {
      json += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  json += '"';
}

}  // namespace rt
