// SPDX-License-Identifier: Apache-2.0

// Makes random programs.
#pragma once

#include "tests/matrix/facts.h"
#include "tests/matrix/program.h"

namespace matrices {

// The same program for the same facts and seed.
Program generate(const Facts& facts, uint64_t seed);

}  // namespace matrices
