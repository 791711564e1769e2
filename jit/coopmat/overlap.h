// SPDX-License-Identifier: Apache-2.0

// Whether what a load reads may be what a store writes.
#pragma once

#include "jit/ir/matrix_ops.h"

namespace jit::coopmat {

// Whether some of the lines that are loaded may lie where lines that are stored go: false only if
// no execution has it. Buffers of different descriptors may be one memory, and so may those that
// are reached by an address; what the subgroup's frame or the workgroup's shared memory holds, no
// descriptor or address of the shader's leads to.
bool mayOverlap(const LoadCall& load, const StoreCall& store);

}  // namespace jit::coopmat
