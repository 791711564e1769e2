// SPDX-License-Identifier: Apache-2.0

// Values that move between the invocations of a subgroup.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "jit/base/target.h"
#include "jit/simt/simt_builder.h"

namespace jit::simt {

// result[l] = v[source(l)], source(l) < width. For varying values of any element type.
llvm::Value* shuffleLanes(SimtBuilder& simt, llvm::Value* v,
                          llvm::function_ref<uint32_t(uint32_t lane)> source);

// result[l] = v[index[l] modulo the width]: `index` is a vector of i32. By the permutations of
// vector registers where the target has them, else through the stack.
llvm::Value* permuteLanes(SimtBuilder& simt, const Target& target, llvm::Value* v,
                          llvm::Value* index);

}  // namespace jit::simt
