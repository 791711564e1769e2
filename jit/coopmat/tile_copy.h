// Tiles between a client's memory and contiguous staging memory.
#pragma once

#include "jit/ukernel/source_tile.h"

namespace jit::coopmat {

// void (ptr source, i64 stride, i64 limit, ptr target): components beyond the limit are 0; target
// is row-major without gaps.
llvm::Function* gatherFunction(const ukernel::HelperScope& scope, const ukernel::SourceTile& tile,
                               uint32_t vector_bytes);

// void (ptr source, ptr target, i64 stride, i64 limit): from rows `source_stride` bytes apart;
// components beyond the limit are dropped.
llvm::Function* scatterFunction(const ukernel::HelperScope& scope, const ukernel::SourceTile& tile,
                                uint64_t source_stride, uint32_t vector_bytes);

// Stores a tile from rows `source_stride` bytes apart: those components that lie below the limit of
// `target`.
void emitClippedStores(const ukernel::HelperScope& scope, llvm::IRBuilder<>& builder,
                       const ukernel::SourceTile& tile, llvm::Value* source, uint64_t source_stride,
                       const ukernel::TileMemory& target);

}  // namespace jit::coopmat
