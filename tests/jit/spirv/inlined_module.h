// SPDX-License-Identifier: Apache-2.0

// What reading makes of a module's functions.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// What holds for every function after inlining: no calls, ids below the bound and defined once,
// operands defined, phis that name exactly their predecessors, a structure.
void expectInlined(const Module& module);

}  // namespace jit::spirv
