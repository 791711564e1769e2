// SPDX-License-Identifier: Apache-2.0

// A program about memory as SPIR-V text.
//
// Binding 0 has the numbers that the shader reads, 1 and 2 are one buffer, 3 is the other, and 4
// gets the workgroups' parts of Workgroup memory in the end.
#pragma once

#include <string>
#include <vector>

#include "tests/matrix/overlap_program.h"
#include "tests/support/vulkan_host.h"

namespace matrices::overlaps {

struct ProgramText {
  std::string text;
  std::vector<host::SpecializationEntry> specializations;
  std::vector<uint32_t> numbers;  // the first two are the buffer's address
};

ProgramText writeProgram(const Program& program);

}  // namespace matrices::overlaps
