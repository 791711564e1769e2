// SPDX-License-Identifier: Apache-2.0

#include "tests/support/message_pattern.h"

#include <regex.h>

#include <array>

namespace kernels {

std::string findPatternError(const std::string& pattern) {
  regex_t compiled;
  const int status = regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  if (status == 0) {
    regfree(&compiled);
    return "";
  }
  std::array<char, 128> message;
  regerror(status, &compiled, message.data(), message.size());
  return message.data();
}

bool matchesPattern(const std::string& message, const std::string& pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool matches = regexec(&compiled, message.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return matches;
}

}  // namespace kernels
