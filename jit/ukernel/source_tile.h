// SPDX-License-Identifier: Apache-2.0

// A rectangle of components in memory of a shader, read line by line.
#pragma once

#include "jit/ir/helper_function.h"
#include "jit/ukernel/ukernel.h"

namespace jit::ukernel {

using coopmat::Layout;

// What generated code calls for tiles that are not in bounds: functions of
// runtime/kernel_library/clipped_copy.h.
inline constexpr char kGatherClipped[] = "tessera.gather_clipped";
inline constexpr char kScatterClipped[] = "tessera.scatter_clipped";

struct SourceTile {
  Component component;
  uint32_t rows, columns;
  Layout layout;

  // Lines are what is contiguous: rows or columns.
  uint32_t lines() const { return layout == Layout::Row ? rows : columns; }
  uint32_t lineLength() const { return layout == Layout::Row ? columns : rows; }
  uint32_t lineBytes() const { return lineLength() * coopmat::bytesOf(component); }
};

// Of a function of the tile, of which names say "float16_t.16x32.row".
FunctionKey keyOf(FunctionKind kind, const SourceTile& tile);
void addTo(FunctionKey& key, const SourceTile& tile);

// Where a tile is read from or written to: as of coopmat::createLoad.
struct TileMemory {
  llvm::Value *base, *stride_bytes, *limit_bytes;
};

// With so large a stride the extent of a tile might wrap around.
inline constexpr uint64_t kInsaneStride = uint64_t{1} << 48;

// i1: every component of the tile lies below the limit.
llvm::Value* isInBounds(llvm::IRBuilderBase& builder, const SourceTile& tile,
                        const TileMemory& memory);

// Where the lines of a tile can be read without a limit: where they are if it is in bounds, or else
// at `copy`, as large as the tile, zeros for what lies beyond the limit.
TileMemory emitClipping(const HelperScope& scope, llvm::IRBuilder<>& builder,
                        const SourceTile& tile, const TileMemory& memory, llvm::Value* copy);

// Reads the lines of a tile in a helper function whose first arguments are the tile's memory:
// (ptr base, i64 stride, i64 limit, ...).
class TileReader {
 public:
  // Emits the test of the tile's bounds, once for the whole tile. One that is not wholly below its
  // limit is copied to the stack.
  TileReader(const HelperScope& scope, llvm::IRBuilder<>& builder, llvm::Function& function,
             const SourceTile& tile);

  // `count` lines, the first of which is at `base`, as vectors of lineLength() components.
  llvm::SmallVector<llvm::Value*> readLines(llvm::Value* base, uint32_t count);
  // Where line `index` is that comes after the one at `base`.
  llvm::Value* address(llvm::Value* base, uint32_t index);
  llvm::Value* base() const { return memory_.base; }
  // Prefetches from `bytes` after line `index`, which may lie past the tile.
  void prefetch(uint32_t index, uint64_t bytes);

 private:
  llvm::Value* read(llvm::Value* address);

  llvm::IRBuilder<>& builder_;
  const SourceTile tile_;
  TileMemory memory_;
};

}  // namespace jit::ukernel
