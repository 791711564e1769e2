// SPDX-License-Identifier: Apache-2.0

// Tiles of any size between memory of a shader and rows without gaps: loops, where
// jit/coopmat/tile_copy.h has straight code.
#pragma once

#include "jit/ukernel/source_tile.h"

namespace jit::coopmat {

// void (ptr source, i64 stride, i64 limit, ptr target, ptr temporary): components beyond the limit
// are 0; `temporary` has room for the tile, and is used only where some are.
llvm::Function* largeGatherFunction(const ukernel::HelperScope& scope,
                                    const ukernel::SourceTile& tile, uint32_t vector_bytes);

// void (ptr source, ptr target, i64 stride, i64 limit): components beyond the limit are dropped.
llvm::Function* largeScatterFunction(const ukernel::HelperScope& scope,
                                     const ukernel::SourceTile& tile, uint32_t vector_bytes);

// void (ptr source, ptr target): from `rows` by `columns` to the transpose, both without gaps.
llvm::Function* largeTransposeFunction(const ukernel::HelperScope& scope, Component component,
                                       uint32_t rows, uint32_t columns, uint32_t vector_bytes);

// void (ptr target, T value): a vector of this type, 64-byte aligned, with all elements alike.
llvm::Function* largeFillFunction(const ukernel::HelperScope& scope, llvm::FixedVectorType* type);

}  // namespace jit::coopmat
