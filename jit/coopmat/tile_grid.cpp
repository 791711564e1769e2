// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/tile_grid.h"

#include <llvm/ADT/EquivalenceClasses.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace jit::coopmat {
namespace {

// One operand for each step of each group, in order.
using Panel = std::vector<llvm::Value*>;

Panel operandsOf(const AccumulatorWeb& web, llvm::Value* MulAddCall::* operand) {
  Panel panel;
  for (const MulAddGroup& group : web.groups) {
    for (const MulAddCall& step : group.steps) panel.push_back(step.*operand);
  }
  return panel;
}

// Where the multiply-adds of a web are: equal if they run in lockstep.
using Pace = std::vector<std::pair<const llvm::BasicBlock*, size_t>>;

Pace paceOf(const AccumulatorWeb& web) {
  Pace pace;
  for (const MulAddGroup& group : web.groups) pace.emplace_back(group.block, group.steps.size());
  return pace;
}

class Panels {
 public:
  uint32_t indexOf(Panel panel) {
    return indices_.emplace(std::move(panel), static_cast<uint32_t>(indices_.size())).first->second;
  }
  uint32_t count() const { return static_cast<uint32_t>(indices_.size()); }

 private:
  std::map<Panel, uint32_t> indices_;
};

using Cells = std::map<std::pair<uint32_t, uint32_t>, const AccumulatorWeb*>;

// The most cells that are all pairs of some rows and some columns: columns that one row has, and
// the rows that have all of them.
std::vector<const AccumulatorWeb*> largestRectangle(const Cells& cells) {
  std::map<uint32_t, std::set<uint32_t>> columns_of_row;
  for (const auto& [place, web] : cells) columns_of_row[place.first].insert(place.second);
  std::vector<const AccumulatorWeb*> largest;
  for (const auto& [row, columns] : columns_of_row) {
    std::vector<const AccumulatorWeb*> rectangle;
    for (const auto& [other, others_columns] : columns_of_row) {
      if (!std::ranges::includes(others_columns, columns)) continue;
      for (uint32_t column : columns) rectangle.push_back(cells.at({other, column}));
    }
    if (rectangle.size() > largest.size()) largest = std::move(rectangle);
  }
  return largest;
}

// `webs` as one grid, or, when they do not fill one, as several.
// Tiles are in the order in which the program multiplies them, in which they most often lie, too.
void arrange(std::vector<const AccumulatorWeb*> webs, std::vector<TileGrid>& grids) {
  std::ranges::sort(webs, [](const AccumulatorWeb* one, const AccumulatorWeb* other) {
    return one->groups.front().steps.front().call->comesBefore(
        other->groups.front().steps.front().call);
  });
  std::vector<TileGrid::Cell> cells;
  Panels a_panels, b_panels;
  Cells by_place;
  std::vector<const AccumulatorWeb*> twins;  // of those whose operands are the same
  for (const AccumulatorWeb* web : webs) {
    TileGrid::Cell cell{web, a_panels.indexOf(operandsOf(*web, &MulAddCall::a)),
                        b_panels.indexOf(operandsOf(*web, &MulAddCall::b))};
    if (!by_place.emplace(std::pair(cell.a, cell.b), web).second) twins.push_back(web);
    cells.push_back(cell);
  }
  if (twins.empty() && cells.size() == size_t{a_panels.count()} * b_panels.count()) {
    grids.emplace_back(std::move(cells), a_panels.count(), b_panels.count());
    return;
  }
  while (!by_place.empty()) {
    std::vector<const AccumulatorWeb*> rectangle = largestRectangle(by_place);
    std::erase_if(by_place,
                  [&](const auto& cell) { return llvm::is_contained(rectangle, cell.second); });
    arrange(std::move(rectangle), grids);
  }
  if (!twins.empty()) arrange(std::move(twins), grids);
}

}  // namespace

TileGrid::TileGrid(std::vector<Cell> cells, uint32_t a_tiles, uint32_t b_tiles)
    : cells_(std::move(cells)), a_tiles_(a_tiles), b_tiles_(b_tiles) {
  for (const MulAddGroup& group : cells_.front().web->groups)
    groups_.push_back({group.block, static_cast<uint32_t>(group.steps.size())});
}

uint32_t TileGrid::mostStepsInGroup() const {
  return std::ranges::max(groups_, {}, &Group::steps).steps;
}

std::vector<TileGrid::Operand> TileGrid::operands(size_t group) const {
  std::vector<const AccumulatorWeb*> of_row(a_tiles_), of_column(b_tiles_);
  for (const Cell& cell : cells_) of_row[cell.a] = of_column[cell.b] = cell.web;
  auto multiplyAdd = [&](const AccumulatorWeb* web, uint32_t step) {
    return *matchMulAdd(web->groups[group].steps[step].call);
  };
  std::vector<Operand> operands;
  for (uint32_t step = 0; step < groups_[group].steps; ++step) {
    for (uint32_t tile = 0; tile < aTiles(); ++tile)
      operands.push_back({true, tile, step, multiplyAdd(of_row[tile], step).a});
    for (uint32_t tile = 0; tile < bTiles(); ++tile)
      operands.push_back({false, tile, step, multiplyAdd(of_column[tile], step).b});
  }
  return operands;
}

llvm::Instruction* TileGrid::lastMultiplyAdd(size_t group) const {
  llvm::Instruction* last = nullptr;
  for (const Cell& cell : cells_) {
    llvm::Instruction* call = cell.web->groups[group].steps.back().call;
    if (!last || last->comesBefore(call)) last = call;
  }
  return last;
}

std::vector<TileGrid> arrangeInGrids(std::span<const AccumulatorWeb> webs) {
  llvm::EquivalenceClasses<const AccumulatorWeb*> classes;
  // The first with a panel, of each operation that runs so.
  std::vector<std::pair<MulAdd, std::map<std::tuple<Pace, bool, Panel>, const AccumulatorWeb*>>>
      firsts;
  for (const AccumulatorWeb& web : webs) {
    classes.insert(&web);
    auto of_operation = std::ranges::find(firsts, web.op, [](auto& entry) { return entry.first; });
    if (of_operation == firsts.end()) of_operation = firsts.insert(firsts.end(), {web.op, {}});
    for (auto operand : {&MulAddCall::a, &MulAddCall::b}) {
      auto [first, is_new] = of_operation->second.try_emplace(
          {paceOf(web), operand == &MulAddCall::a, operandsOf(web, operand)}, &web);
      classes.unionSets(first->second, &web);
    }
  }
  // In the program's order.
  std::map<size_t, std::vector<const AccumulatorWeb*>> by_leader;
  for (const AccumulatorWeb& web : webs)
    by_leader[static_cast<size_t>(classes.getLeaderValue(&web) - webs.data())].push_back(&web);
  std::vector<TileGrid> grids;
  for (auto& [leader, members] : by_leader) arrange(members, grids);
  return grids;
}

}  // namespace jit::coopmat
