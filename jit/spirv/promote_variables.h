// SPDX-License-Identifier: Apache-2.0

// Variables of an invocation become values: what is known of a value is known of each assignment by
// itself, of a variable only of all of them together.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// Replaces the Function and Private variables of the entry point that are only loaded and stored,
// as a whole or by constant indices, of up to kMaxPromotedScalars scalars and without matrices, by
// values, and phis where assignments meet. Loads become OpCopyObject or OpCompositeExtract, and so
// keep their ids. A phi has the name of its variable. Wants markUnassigned (unassigned.h): what it
// has not marked is assigned before it is read. Returns how many variables there were.
//
// `by_value`: also variables that are vectors of which a value chooses the component; then there is
// no access any more that could be found outside of the vector.
unsigned promoteVariables(Module& module, bool by_value = true);

inline constexpr uint64_t kMaxPromotedScalars = 16;

}  // namespace jit::spirv
