// SPDX-License-Identifier: Apache-2.0

// A program as SPIR-V text.
//
// Binding 0 is an array of u32 with the numbers that the shader reads, binding k + 1 the region k.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/matrix/program.h"
#include "tests/support/vulkan_host.h"

namespace matrices {

struct ProgramText {
  std::string text;
  std::vector<host::SpecializationEntry> specializations;
  std::vector<uint32_t> numbers;
  // Two words of `numbers`, the first at `first`, that are the address of a region's buffer.
  struct Address {
    size_t first;
    uint32_t region;
  };
  std::vector<Address> addresses;
};

ProgramText writeProgram(const Program& program);

}  // namespace matrices
