// SPDX-License-Identifier: Apache-2.0

// Whether what a load reads may be what a store writes.
#pragma once

#include "jit/ir/matrix_ops.h"

namespace jit::coopmat {

// Whether some of the lines that are loaded may lie where lines that are stored go, by the memory
// that they are in (jit/ir/memories.h) and their places in the frame: false only if no execution
// has it.
bool mayOverlap(const LoadCall& load, const StoreCall& store);

}  // namespace jit::coopmat
