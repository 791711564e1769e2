// Packing: from a tile in memory, or a matrix value in a staging buffer, to the panels that blocks
// read. See jit/ukernel/ukernel.h for the formats.
#pragma once

#include "jit/ukernel/source_tile.h"

namespace jit::ukernel {

// What a pack function prefetches besides: what a loop over K reads next, or nothing.
enum class Prefetch : uint8_t { NextStep, None };

// void (ptr source, i64 stride, i64 limit, ptr target): the M x K matrix A. Row r goes to
// `target` + r * `row_bytes`.
llvm::Function* packAFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, uint32_t row_bytes, Prefetch prefetch);

// void (ptr source, i64 stride, i64 limit, ptr target, ptr sums): `columns` columns of the K x N
// matrix B as whole strips, zeros past the last column. Strip s of unit u goes to `target` +
// u * `unit_row_bytes` + s * row.vector_bytes. Column sums go to `sums`, one vector a strip,
// when the packing needs them.
llvm::Function* packBFunction(const HelperScope& scope, const Row& row, const MulAdd& op,
                              Layout layout, uint32_t columns, uint32_t unit_row_bytes,
                              Prefetch prefetch);

}  // namespace jit::ukernel
