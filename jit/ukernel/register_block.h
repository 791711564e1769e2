// SPDX-License-Identifier: Apache-2.0

// What a row multiplies a register tile with: the code between loading its accumulators and storing
// them, which is the row's own. There are two kinds, one file each.
#pragma once

#include <optional>

#include "jit/ukernel/ukernel.h"

namespace jit::ukernel {

// Rows by micro-panels, both at least 1, whose accumulators are in registers together.
struct RegisterTile {
  uint32_t rows, micro_panels;
};

// What a register tile announces to the second-level cache while it multiplies: this many bytes of
// the next panel of A and of that of B, evenly over `groups` K groups.
struct RegisterTileAhead {
  uint64_t a_bytes, b_bytes, groups;
};

// Bytes from a plane of packed A, and of packed B, to the next one, where Packing::planes is more
// than 1.
struct PlaneStrides {
  uint64_t a = 0, b = 0;
};

// What the code of a register tile depends on, besides its row and operation.
struct RegisterTileCode {
  RegisterTile shape;
  uint32_t a_stride;  // bytes between rows of packed A, so that rows are displacements
  PlaneStrides planes;
  std::optional<RegisterTileAhead> ahead;
  bool may_start;  // with accumulators that are zero
  // Where accumulators go is announced to the second-level cache (RegisterBlock::announces_stores).
  bool announces_stores = false;
};

struct RegisterBlock {
  // A register tile has whole multiples of these rows, and runs through whole multiples of these K
  // groups, powers of two: panels and accumulators have room for them. What lies in rows beyond the
  // operation's is never looked at; K groups beyond its steps are zeros in A and in B.
  uint32_t rows, groups;
  // Rows of A are read wherever they lie, the bytes between them an argument; rows that need no
  // packing, and K groups in whole multiples, are read in place.
  bool reads_rows;
  // The function announces stores itself, a few lines at each iteration.
  bool announces_stores;
  // While it multiplies, the next panels are announced, and what is packed next. Not where loads
  // limit its speed: whatever is announced takes as long as a load.
  bool announces_panels;
  // Of a row of A in a K block whose panels are shared.
  uint32_t least_shared_k_block_bytes;
  // The largest register tile of a product of `rows` rows, a multiple, and `micro_panels`.
  RegisterTile (*largest)(const Row& row, uint32_t rows, uint32_t micro_panels);
  // Fills `function`, which is a registerTileFunction (register_tile.h), up to its return.
  void (*emit)(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row,
               const MulAdd& op, const RegisterTileCode& code);
  // Between register tiles, what keeps the unit that multiplies them from falling asleep, or null.
  // `scratch`: 1 KiB that nobody reads.
  void (*stayAwake)(llvm::IRBuilder<>& builder, const Row& row, const MulAdd& op,
                    llvm::Value* scratch);
};

// vector_block.cpp: accumulators in vector registers, K groups of A broadcast.
extern const RegisterBlock kVectorBlock;
// tile_block.cpp: accumulators in tiles of AMX.
extern const RegisterBlock kTileBlock;

// Fills an inPlaceRegisterTileFunction of a row whose block is kVectorBlock; `b_stride` bytes
// between rows of B.
void emitVectorBlockInPlace(llvm::IRBuilder<>& builder, llvm::Function& function, const Row& row,
                            const MulAdd& op, const RegisterTileCode& code, uint32_t b_stride);

}  // namespace jit::ukernel
