// SPDX-License-Identifier: Apache-2.0

// Computes a program about memory, byte by byte.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/matrix/overlap_program.h"

namespace matrices::overlaps {

using Bytes = std::vector<std::byte>;

struct Contents {
  Bytes memory[kMemories];  // the workgroups' parts one after the other
};

// What is there in the end. The workgroup's part of Workgroup memory starts as its part of the
// other buffer.
Contents compute(const Program& program, Contents contents);

}  // namespace matrices::overlaps
