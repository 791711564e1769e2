// SPDX-License-Identifier: Apache-2.0

// Shaders of any length, by what they are long of: each family is GLSL in which something stands N
// times.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace growth {

struct Family {
  const char* name;
  uint32_t size;  // of the smaller of two shaders that are compared; the other is twice as long
  std::string (*source)(uint32_t size);
};

// Compile time is in proportion to the length; the test holds these.
std::span<const Family> proportionalFamilies();
// Compile time grows faster, for some with the square; these are only measured.
std::span<const Family> fasterFamilies();

}  // namespace growth
