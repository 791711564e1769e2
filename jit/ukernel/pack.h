// SPDX-License-Identifier: Apache-2.0

// Packing: from a tile in memory, or a matrix value in a staging buffer, to the panels that
// register tiles read. See jit/ukernel/ukernel.h for the formats.
#pragma once

#include "jit/ukernel/source_tile.h"

namespace jit::ukernel {

// What a pack function prefetches besides: what a loop over K reads next, or nothing.
enum class Prefetch : uint8_t { NextStep, None };

// The part of an operation's operands that is packed by straight code: of A, m x k of it; of B, k
// rows. Larger ones are packed part by part, in loops.
MulAdd packedPart(const Row& row, const MulAdd& op);

// Parts along K of a multiply-add.
uint32_t partsAlongK(const Row& row, const MulAdd& op);

// void (ptr source, i64 stride, i64 limit, ptr target): the M x K matrix A. Row r goes to
// `target` + r * `row_bytes`.
llvm::Function* packAFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, uint32_t row_bytes, Prefetch prefetch);

// void (ptr source, i64 stride, i64 limit, ptr target, ptr sums): `columns` columns of the K x N
// matrix B as whole micro-panels, zeros past the last column. Micro-panel s of K group u goes to
// `target` + u * `group_row_bytes` + s * row.vector_bytes. When the packing needs them, column sums
// of each part along K go to `sums` + part * `sums_row_bytes`, one vector a micro-panel.
llvm::Function* packBFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, uint32_t columns, uint32_t group_row_bytes,
                              uint32_t sums_row_bytes, Prefetch prefetch);

}  // namespace jit::ukernel
