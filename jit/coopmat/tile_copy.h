// SPDX-License-Identifier: Apache-2.0

// Tiles between memory of a shader and contiguous staging memory.
#pragma once

#include "jit/ukernel/source_tile.h"

namespace jit::coopmat {

// void (ptr source, i64 stride, i64 limit, ptr target): components beyond the limit are 0; target
// is row-major without gaps.
llvm::Function* gatherFunction(const ukernel::HelperScope& scope, const ukernel::SourceTile& tile,
                               uint32_t vector_bytes);

// void (ptr source, ptr target, i64 stride, i64 limit): from rows `source_stride` bytes apart;
// components beyond the limit are dropped. Where rows and target `may_overlap`, what is written is
// still what all rows had before: where they do, they are copied first. `source_stride` is sane.
llvm::Function* scatterFunction(const ukernel::HelperScope& scope, const ukernel::SourceTile& tile,
                                uint64_t source_stride, bool may_overlap, uint32_t vector_bytes);

// Stores a tile from rows `source_stride` bytes apart, which lie elsewhere: those components that
// lie below the limit of `target`.
void emitClippedStores(const ukernel::HelperScope& scope, llvm::IRBuilder<>& builder,
                       const ukernel::SourceTile& tile, llvm::Value* source,
                       llvm::Value* source_stride, const ukernel::TileMemory& target);

}  // namespace jit::coopmat
