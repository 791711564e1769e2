// SPDX-License-Identifier: Apache-2.0

// Shuffles between structures as they lie in memory and vectors of one element of each of them: the
// components of an array of vectors that neighbouring invocations access, for one.
#pragma once

#include <llvm/IR/Function.h>

namespace jit {

// Shuffles that take every Nth element of one vector, and those that put N vectors together element
// by element, become networks in which each shuffle makes one register of `vector_bytes` of two: of
// log2(N) levels or, where that is less, of as many as count the elements in 128 bits. LLVM
// collects each register by itself, from up to N others. N is 4 or 8. Whether anything changed.
bool splitStructureShuffles(llvm::Function& function, unsigned vector_bytes);

}  // namespace jit
