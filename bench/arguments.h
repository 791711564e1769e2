// SPDX-License-Identifier: Apache-2.0

// Arguments of the benchmarks.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

// Throws std::invalid_argument if the text is anything but one whole number.
inline int wholeNumber(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument("'" + std::string(text) + "' is no whole number; see --help");
  return number;
}

}  // namespace bench
