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

// Of both functions below: plane p of what is packed goes `plane_bytes` * p further. Where there
// are several planes, the i32 at `not_finite` becomes other than 0 if a component is an infinity or
// a NaN, and is left alone if none is.

// Bytes from a row of A to the next one, and from a plane to the next one.
struct PackedRows {
  uint32_t row_bytes;
  uint64_t plane_bytes;
};

// void (ptr source, i64 stride, i64 limit, ptr target, ptr not_finite): the M x K matrix A. Row r
// goes to `target` + r * `row_bytes`.
llvm::Function* packAFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, const PackedRows& packed, Prefetch prefetch);

// How many columns of B, and bytes from a K group to the next one, from the sums of a part along K
// to the next one's, and from a plane to the next one.
struct PackedColumns {
  uint32_t columns, group_row_bytes, sums_row_bytes;
  uint64_t plane_bytes;
};

// void (ptr source, i64 stride, i64 limit, ptr target, ptr sums, ptr not_finite): `columns` columns
// of the K x N matrix B as whole micro-panels, zeros past the last column. Micro-panel s of K group
// u goes to `target` + u * `group_row_bytes` + s * row.vector_bytes. When the packing needs them,
// column sums of each part along K go to `sums` + part * `sums_row_bytes`, one vector a
// micro-panel.
llvm::Function* packBFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, const PackedColumns& packed, Prefetch prefetch);

}  // namespace jit::ukernel
