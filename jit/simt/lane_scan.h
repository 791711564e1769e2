// SPDX-License-Identifier: Apache-2.0

// Reductions and scans over the invocations of a subgroup, in a number of steps that is the
// logarithm of its size.
//
// The order of the operations is fixed by the subgroup's size alone, so floats have the same bits
// on every instruction set: a reduction of n values combines value i with value i + n/2, then
// the n/2 results likewise; a scan adds what lies 1, then 2, 4, ... lanes below.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "jit/simt/simt_builder.h"

namespace jit::simt {

// One operation on two values of equal type, scalars or vectors of any length. `a` comes from
// lower lanes than `b`.
using Combine = llvm::function_ref<llvm::Value*(llvm::Value* a, llvm::Value* b)>;

// All elements combined: a scalar.
llvm::Value* reduceLanes(SimtBuilder& simt, llvm::Value* v, Combine combine);

// Within each cluster of `cluster` lanes, a power of two: all elements combined, for each lane.
llvm::Value* reduceClusters(SimtBuilder& simt, llvm::Value* v, uint32_t cluster, Combine combine);

// result[l]: elements 0 to l combined. `neutral` is a scalar that changes no value.
llvm::Value* scanLanes(SimtBuilder& simt, llvm::Value* v, llvm::Constant* neutral, Combine combine);

// For each lane what the lanes below it come to, and what all come to. `identity` is a scalar that
// changes no value.
struct Scan {
  llvm::Value* before;  // of lane 0: the identity
  llvm::Value* total;   // a scalar
};
Scan scanBelow(SimtBuilder& simt, llvm::Value* v, llvm::Constant* identity, Combine combine);

// result[l] = v[l - distance]; `fill`, a scalar, comes in at lane 0.
llvm::Value* shiftLanesUp(SimtBuilder& simt, llvm::Value* v, uint32_t distance,
                          llvm::Constant* fill);

}  // namespace jit::simt
