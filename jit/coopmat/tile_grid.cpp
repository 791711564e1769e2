// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/tile_grid.h"

#include <llvm/ADT/EquivalenceClasses.h>

#include <algorithm>
#include <map>

namespace jit::coopmat {
namespace {

using Panel = TileGrid::Panel;

Panel operandsOf(const AccumulatorWeb& web, llvm::Value* MulAddCall::* operand) {
  Panel panel;
  for (const MulAddGroup& group : web.groups) {
    for (const MulAddCall& step : group.steps) panel.push_back(step.*operand);
  }
  return panel;
}

// Whether the multiply-adds of both are the same operation and run in lockstep.
bool inLockstep(const AccumulatorWeb& left, const AccumulatorWeb& right) {
  return left.op == right.op &&
         std::ranges::equal(left.groups, right.groups, [](auto& one, auto& other) {
           return one.block == other.block && one.steps.size() == other.steps.size();
         });
}

uint32_t indexOf(std::vector<Panel>& panels, const Panel& panel) {
  auto found = std::ranges::find(panels, panel);
  if (found == panels.end()) found = panels.insert(panels.end(), panel);
  return static_cast<uint32_t>(found - panels.begin());
}

// `webs` as one grid, or as one grid each when they do not fill one.
// Tiles are in the order in which the program multiplies them, in which they most often lie, too.
void arrange(std::vector<const AccumulatorWeb*> webs, std::vector<TileGrid>& grids) {
  std::ranges::sort(webs, [](const AccumulatorWeb* one, const AccumulatorWeb* other) {
    return one->groups.front().steps.front().call->comesBefore(
        other->groups.front().steps.front().call);
  });
  std::vector<TileGrid::Cell> cells;
  std::vector<Panel> a_panels, b_panels;
  std::map<std::pair<uint32_t, uint32_t>, unsigned> taken;
  for (const AccumulatorWeb* web : webs) {
    TileGrid::Cell cell{web, indexOf(a_panels, operandsOf(*web, &MulAddCall::a)),
                        indexOf(b_panels, operandsOf(*web, &MulAddCall::b))};
    ++taken[{cell.a, cell.b}];
    cells.push_back(cell);
  }
  bool full = taken.size() == cells.size() && cells.size() == a_panels.size() * b_panels.size();
  if (full || webs.size() == 1) {
    grids.emplace_back(std::move(cells), std::move(a_panels), std::move(b_panels));
    return;
  }
  for (const AccumulatorWeb* web : webs) arrange({web}, grids);
}

}  // namespace

TileGrid::TileGrid(std::vector<Cell> cells, std::vector<Panel> a_panels,
                   std::vector<Panel> b_panels)
    : cells_(std::move(cells)), a_panels_(std::move(a_panels)), b_panels_(std::move(b_panels)) {
  size_t step = 0;
  for (const MulAddGroup& group : cells_.front().web->groups) {
    groups_.push_back({group.block, static_cast<uint32_t>(group.steps.size())});
    first_step_.push_back(step);
    step += group.steps.size();
  }
}

uint32_t TileGrid::mostStepsInGroup() const {
  return std::ranges::max(groups_, {}, &Group::steps).steps;
}

std::vector<TileGrid::Operand> TileGrid::operands(size_t group) const {
  std::vector<Operand> operands;
  for (uint32_t step = 0; step < groups_[group].steps; ++step) {
    const size_t index = first_step_[group] + step;
    for (uint32_t tile = 0; tile < aTiles(); ++tile)
      operands.push_back({true, tile, step, a_panels_[tile][index]});
    for (uint32_t tile = 0; tile < bTiles(); ++tile)
      operands.push_back({false, tile, step, b_panels_[tile][index]});
  }
  return operands;
}

std::vector<TileGrid> arrangeInGrids(std::span<const AccumulatorWeb> webs) {
  llvm::EquivalenceClasses<const AccumulatorWeb*> classes;
  for (const AccumulatorWeb& web : webs) {
    classes.insert(&web);
    for (const AccumulatorWeb& other : webs.first(&web - webs.data())) {
      if (!inLockstep(web, other)) continue;
      if (operandsOf(web, &MulAddCall::a) == operandsOf(other, &MulAddCall::a) ||
          operandsOf(web, &MulAddCall::b) == operandsOf(other, &MulAddCall::b)) {
        classes.unionSets(&web, &other);
      }
    }
  }
  std::map<const AccumulatorWeb*, std::vector<const AccumulatorWeb*>> by_leader;
  for (const AccumulatorWeb& web : webs) by_leader[classes.getLeaderValue(&web)].push_back(&web);
  std::vector<TileGrid> grids;
  for (auto& [leader, members] : by_leader) arrange(members, grids);
  return grids;
}

}  // namespace jit::coopmat
