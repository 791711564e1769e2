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
  // One operand for each step of each group, in order.
  using Panel = std::vector<llvm::Value*>;

  TileGrid(std::vector<Cell> cells, std::vector<Panel> a_panels, std::vector<Panel> b_panels);

  const MulAdd& op() const { return cells_.front().web->op; }
  uint32_t aTiles() const { return static_cast<uint32_t>(a_panels_.size()); }
  uint32_t bTiles() const { return static_cast<uint32_t>(b_panels_.size()); }
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
  // All of a group, step by step.
  std::vector<Operand> operands(size_t group) const;

 private:
  std::vector<Cell> cells_;
  std::vector<Panel> a_panels_, b_panels_;
  std::vector<Group> groups_;
  std::vector<size_t> first_step_;  // of each group in a panel
};

// Every web in exactly one grid, as large as they come. The grids point into `webs`.
std::vector<TileGrid> arrangeInGrids(std::span<const AccumulatorWeb> webs);

}  // namespace jit::coopmat
