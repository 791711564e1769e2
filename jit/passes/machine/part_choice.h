// SPDX-License-Identifier: Apache-2.0

// Where a large kernel is cut into parts (function_parts.h).
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "jit/passes/machine/function_parts.h"

namespace jit {

// Runs of the kernel's blocks but its entry, in the order of the text, in which loops are together;
// each is a part of about `sizes.part` at most. Blocks that are longer are cut. `vector_bytes`: of
// a vector register.
std::vector<std::vector<llvm::BasicBlock*>> chooseParts(llvm::Function& kernel,
                                                        uint32_t vector_bytes, PartSizes sizes);

}  // namespace jit
