// SPDX-License-Identifier: Apache-2.0

// Notes of where tiles are, for operands that nobody writes until they are packed.
#pragma once

#include "jit/ukernel/source_tile.h"

namespace jit::ukernel {

// An array in the frame: for each tile, first those of A, then those of B, a descriptor for each
// step of a K block. `base` is its start.
class TileDescriptors {
 public:
  TileDescriptors(uint32_t a_tiles, uint32_t b_tiles, uint32_t capacity)
      : a_tiles_(a_tiles), b_tiles_(b_tiles), capacity_(capacity) {}

  // A descriptor is an rt::TileDescriptor; the first word is the address of the tile.
  static constexpr uint64_t kDescriptorBytes = 24;
  static constexpr uint64_t kStrideOffset = 8, kLimitOffset = 16;

  uint32_t count() const { return (a_tiles_ + b_tiles_) * capacity_; }
  uint64_t bytes() const;
  // Where those of tile `first` are from `base`.
  uint64_t offset(uint32_t first) const;

  // The address of no tile.
  static llvm::Value* noTile(llvm::IRBuilder<>& builder);

  // Tile `tile` (B's follow A's) of step `step` (i64).
  void emitStore(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t tile, llvm::Value* step,
                 const TileMemory& source) const;
  TileMemory emitLoad(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t tile,
                      llvm::Value* step) const;

  // The address of the descriptor of tile `tile` (i64), step 0; those of later steps follow it.
  llvm::Value* emitAddress(llvm::IRBuilder<>& builder, llvm::Value* base, llvm::Value* tile) const;

  // Makes the descriptors of `tile` from step `step` on those of no tile.
  void emitFill(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t tile,
                llvm::Value* step) const;

 private:
  llvm::Value* address(llvm::IRBuilder<>& builder, llvm::Value* base, llvm::Value* index) const;
  llvm::Value* address(llvm::IRBuilder<>& builder, llvm::Value* base, uint32_t tile,
                       llvm::Value* step) const;

  uint32_t a_tiles_, b_tiles_, capacity_;
};

}  // namespace jit::ukernel
