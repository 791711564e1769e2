// SPDX-License-Identifier: Apache-2.0

// The bytes that a kernel sets where its code runs (jit/coverage_map.h), as few as tell of all
// blocks and branches: a block that always follows another shares that one's.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// Fills in Module::coverage. Returns how many bytes there are; the first is of no meaning.
uint32_t numberCoverage(Module& module);

}  // namespace jit::spirv
