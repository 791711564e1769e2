// SPDX-License-Identifier: Apache-2.0

// Code that runs once for each live invocation, one after the other: for what has no vector
// form, as atomic operations at addresses of their own have none.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "jit/simt/simt_builder.h"

namespace jit::simt {

// A loop over the set elements of `lanes` (<width x i1>, none of them may be set) in ascending
// order. `body` emits what is done for one; its argument is the element's index, an i64. The
// builder stands behind the loop afterwards. The code's size does not depend on the width.
void forEachLane(SimtBuilder& simt, llvm::Value* lanes,
                 llvm::function_ref<void(llvm::Value* lane)> body);

// A loop that runs `body` for 0 to count - 1, an i64; `count` is not 0.
void forEachIndex(SimtBuilder& simt, uint64_t count,
                  llvm::function_ref<void(llvm::Value* index)> body);

// The loop of which this is the way back is not unrolled: where its count is a constant, copies of
// the body gain nothing.
void keepRolled(llvm::BranchInst& again);

// Emits `body` so that it runs only if `condition` (i1) holds.
void ifHolds(SimtBuilder& simt, llvm::Value* condition, llvm::function_ref<void()> body);

}  // namespace jit::simt
