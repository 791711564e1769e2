// SPDX-License-Identifier: Apache-2.0

// Grids of accumulators: those whose multiply-adds stand side by side and share their operands as
// rows and columns of tiles do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jit/coopmat/accumulator_web.h"

namespace jit::coopmat {

// aTiles() x bTiles() accumulators, one for each pair of a row of A tiles and a column of B tiles.
// At each step of a group, accumulator (i, j) adds tile i of A times tile j of B.
class TileGrid {
 public:
  struct Cell {
    const AccumulatorWeb* web;
    uint32_t a, b;
  };
  // Multiply-adds of all cells that stand side by side in a block.
  struct Group {
    llvm::BasicBlock* block;
    uint32_t steps;
  };

  // `cells` has one for each pair.
  TileGrid(std::vector<Cell> cells, uint32_t a_tiles, uint32_t b_tiles);

  const MulAdd& op() const { return cells_.front().web->op; }
  uint32_t aTiles() const { return a_tiles_; }
  uint32_t bTiles() const { return b_tiles_; }
  // The first is (0, 0).
  const std::vector<Cell>& cells() const { return cells_; }
  const std::vector<Group>& groups() const { return groups_; }
  uint32_t mostStepsInGroup() const;
  struct Operand {
    bool is_a;
    uint32_t tile;  // among those of A, or of B
    uint32_t step;  // of the group
    llvm::Value* value;
  };
  // All of a group, step by step, as the multiply-adds have them now.
  std::vector<Operand> operands(size_t group) const;
  // Of all cells'.
  llvm::Instruction* lastMultiplyAdd(size_t group) const;

 private:
  std::vector<Cell> cells_;
  uint32_t a_tiles_, b_tiles_;
  std::vector<Group> groups_;
};

// Every web in exactly one grid, as large as they come: where cells are missing, rows of A tiles
// that have the same ones are a grid. The grids point into `webs`.
std::vector<TileGrid> arrangeInGrids(std::span<const AccumulatorWeb> webs);

}  // namespace jit::coopmat
