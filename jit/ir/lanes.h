// SPDX-License-Identifier: Apache-2.0

// Parts of vectors.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace jit::math {

// Elements [first, first + count).
llvm::Value* slice(llvm::IRBuilderBase& builder, llvm::Value* v, uint32_t first, uint32_t count);

}  // namespace jit::math
