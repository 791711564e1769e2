// SPDX-License-Identifier: Apache-2.0

// Equal values once. LLVM does so too, but only after emission, when a load under a mask is another
// one than the same load without.
#pragma once

#include "jit/spirv/module.h"

namespace jit::spirv {

// Of a block and of those that only it leads to: a number that has been computed, or loaded with
// nothing written in between, is not again, but copied. In `if (x[i] > most) most = x[i]` the side
// has no load then, and flattenChoices makes a choice of it. What nobody needs after that goes.
// Volatile accesses stay, and so does what has decorations of its own. Returns how many values
// were equal to others.
unsigned shareValues(Module& module);

}  // namespace jit::spirv
