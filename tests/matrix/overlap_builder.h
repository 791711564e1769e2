// SPDX-License-Identifier: Apache-2.0

// Makes random programs about memory.
#pragma once

#include "tests/matrix/facts.h"
#include "tests/matrix/overlap_program.h"

namespace matrices::overlaps {

// The same program for the same facts and seed.
Program generate(const Facts& facts, uint64_t seed);

}  // namespace matrices::overlaps
