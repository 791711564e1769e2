// SPDX-License-Identifier: Apache-2.0

// Small choices without branches. Compilers for shading languages write `a && b` and `c ? a : b` as
// branches and a phi; of an OpSelect more is known, and it costs less than to run both sides.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// Where a selection's sides are a few operations each that any invocation may carry out - of one
// number without effects, reads of built-ins and push constants -, they are done in front of it,
// and the phis of its merge block become OpSelect. Such a merge block becomes part of the
// selection's header where nothing else names it, so that nested choices follow. Sides with
// accesses to memory stay, what has DontFlatten, and for debuggers what has lines of its own.
// Returns how many selections there were.
unsigned flattenChoices(Module& module);

// What both sides of a choice may cost together, in simple operations on one number.
inline constexpr unsigned kMaxFlattenedCost = 16;

}  // namespace jit::spirv
