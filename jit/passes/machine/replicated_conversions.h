// SPDX-License-Identifier: Apache-2.0

// Conversions of numbers of which several invocations have the same one: the scale of a block of
// quantised numbers, for one.
#pragma once

#include <llvm/IR/Function.h>

namespace jit {

// A conversion to wider numbers of a shuffle that repeats numbers is done before they are repeated,
// if that converts less, in pieces of 128 bits; where such shuffles and others meet, in each of the
// blocks that come together. Repeating wider numbers is no more work, and that of 16 bits
// takes several instructions before AVX-512. Whether anything changed.
bool convertBeforeReplicating(llvm::Function& function);

}  // namespace jit
