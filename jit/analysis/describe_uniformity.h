// SPDX-License-Identifier: Apache-2.0

// What linearization and the uniformity analysis decided, as text for TESSERA_DUMP.
#pragma once

#include <string>

#include "jit/analysis/uniformity.h"

namespace jit::simt {

// Blocks in the order of emission, each with how it gets control and with which invocations, and
// below it the level of every value that is defined there; then the levels of variables.
std::string describeUniformity(const spirv::Module& module, const Linearization& linearization,
                               const UniformityAnalysis& uniformity);

}  // namespace jit::simt
