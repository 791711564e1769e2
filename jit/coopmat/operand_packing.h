// SPDX-License-Identifier: Apache-2.0

// Emits what puts the operands of deferred multiply-adds into a K block: packing, or descriptors of
// where they are.
#pragma once

#include "jit/coopmat/packing_points.h"
#include "jit/coopmat/tile_grid.h"
#include "jit/ukernel/packed_gemm.h"

namespace llvm {
class AllocaInst;
}  // namespace llvm

namespace jit::coopmat {

// Where a K block is filled.
struct KBlockMemory {
  llvm::Value* base;     // of the PackedGemm
  llvm::Value* staging;  // room for one operand as a plain matrix, aligned to 64 bytes
  // Variables (i64): steps that the K block has, and PackedGemm::KBlock's `packed`, or null where
  // no tile may have been packed.
  llvm::AllocaInst *steps, *packed;
};

class OperandPacking {
 public:
  OperandPacking(const ukernel::HelperScope& scope, const TileGrid& grid,
                 const PackingPoints& points, const ukernel::PackedGemm& gemm,
                 const KBlockMemory& memory)
      : scope_(scope), grid_(grid), points_(points), gemm_(gemm), memory_(memory) {}

  // Of one group of the grid, and counts its steps behind its multiply-adds. Returns the
  // instruction in front of which that is.
  llvm::Instruction* emit(size_t group);

 private:
  void pack(const TileGrid::Operand& operand, const TileGrid::Group& group);
  void record(const TileGrid::Operand& operand, const TileGrid::Group& group);
  llvm::Value* packCopies(const TileGrid::Operand& operand, const LoadCall& load);
  void packFrom(llvm::IRBuilder<>& builder, const TileGrid::Operand& operand,
                const ukernel::TileMemory& source, Layout layout);
  llvm::Value* stepInBlock(llvm::IRBuilder<>& builder, const TileGrid::Operand& operand);

  const ukernel::HelperScope& scope_;
  const TileGrid& grid_;
  const PackingPoints& points_;
  const ukernel::PackedGemm& gemm_;
  KBlockMemory memory_;
  llvm::Instruction* end_ = nullptr;  // behind the group's multiply-adds
};

}  // namespace jit::coopmat
