// SPDX-License-Identifier: Apache-2.0

// Variables that make tests longer, or repeat one case of them.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace test {

// The variable's number, decimal or with 0x; `otherwise` where it is not set.
inline uint64_t numberFromEnvironment(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

}  // namespace test
