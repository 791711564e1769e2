// SPDX-License-Identifier: Apache-2.0

// Numbers of 8 and 16 bits that a shuffle picks out of loads, and a conversion makes wide.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace jit {

// A conversion of a shuffle to more than one register of `vector_bytes` becomes one of a shuffle
// for each register: a register of narrow numbers would be put together from parts that the
// conversion takes apart again. Whether anything changed.
bool splitWidenedShuffles(llvm::Function& function, unsigned vector_bytes);

}  // namespace jit
