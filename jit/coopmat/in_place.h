// SPDX-License-Identifier: Apache-2.0

// Operands that multiply-adds may read where they lie.
#pragma once

#include <optional>
#include <vector>

#include "jit/coopmat/tile_grid.h"
#include "jit/ukernel/packed_gemm.h"

namespace jit::coopmat {

struct InPlaceOperands {
  ukernel::InPlaceStrides strides;
  // For each group of the grid, where to multiply: the last of its multiply-adds.
  std::vector<llvm::Instruction*> points;
};

// When that is allowed and pays for all operands of `grid`: they are loaded beside their
// multiply-adds, nothing between writes memory, and their lines are rows at constant distances
// without a limit, so close together that they do not compete for the same sets of a cache. The
// workgroup's shared memory is like that. `times`: that often the steps of a group come together.
std::optional<InPlaceOperands> operandsInPlace(const TileGrid& grid, const ukernel::Row& row,
                                               uint32_t times = 1);

// Emits the products of all groups onto the accumulators of `product` at `base`.
void multiplyInPlace(const ukernel::HelperScope& scope, const TileGrid& grid,
                     const InPlaceOperands& operands, const ukernel::PackedGemm& gemm,
                     llvm::Value* base);

}  // namespace jit::coopmat
