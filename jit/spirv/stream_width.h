// SPDX-License-Identifier: Apache-2.0

// How many invocations an instruction stream has.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// A subgroup's; or, where the code holds cooperative matrices of Workgroup scope, which are values
// of all invocations together, the whole workgroup's: a wide stream. A multiple of the subgroup's
// size either way.
uint32_t streamWidth(const Module& module, uint32_t subgroup_size);

}  // namespace jit::spirv
