// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/packing_points.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace jit::coopmat {

using llvm::BasicBlock;
using ukernel::PackedGemm;

PackingPoints::PackingPoints(const TileGrid& grid, const llvm::Loop* loop, OperandFreedom freedom,
                             const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators)
    : grid_(grid),
      loop_(loop),
      loops_(loops),
      dominators_(dominators),
      recorded_(record(freedom)) {}

bool PackingPoints::isLoaded(const TileGrid::Operand& operand) const {
  std::optional<LoadCall> load = matchLoad(operand.value);
  if (!load) return false;
  return loop_ ? loop_->contains(load->call)
               : load->call->getParent() == grid_.groups().front().block;
}

std::optional<PackedGemm::Recorded> PackingPoints::record(OperandFreedom freedom) const {
  std::optional<Layout> a, b;
  bool is_shared = freedom.is_shared, may_be_packed = false, has_values = false;
  auto agrees = [&](const TileGrid::Operand& operand, const TileGrid::Group& group,
                    std::optional<Layout>& layout) {
    if (!isLoaded(operand)) {
      has_values = may_be_packed = true;
      return true;
    }
    std::optional<LoadCall> load = matchLoad(operand.value);
    if (!layout) layout = load->layout;
    std::optional<CopyingBlocks> copying = copyingBlocks(*load);
    is_shared = is_shared && copying && canPackIn(*copying, *load->call, group);
    may_be_packed = may_be_packed || (copying && !copying->empty());
    return *layout == load->layout;
  };
  for (size_t index = 0; index < grid_.groups().size(); ++index) {
    const TileGrid::Group& group = grid_.groups()[index];
    for (const TileGrid::Operand& operand : grid_.operands(index))
      if (!agrees(operand, group, operand.is_a ? a : b)) return std::nullopt;
  }
  if (is_shared && (a || b))
    return PackedGemm::Recorded{a.value_or(Layout::Row), b.value_or(Layout::Row), true,
                                may_be_packed};
  if (has_values || !freedom.is_pure || grid_.cells().size() == 1) return std::nullopt;
  return PackedGemm::Recorded{*a, *b, false};
}

// In the group's own block steps are counted at the end. A load elsewhere in the same innermost
// loop that dominates the only group runs again before the group does.
bool PackingPoints::canPackAt(const llvm::CallInst& load, const TileGrid::Group& group) const {
  if (load.getParent() == group.block) return true;
  return grid_.groups().size() == 1 &&
         loops_.getLoopFor(load.getParent()) == loops_.getLoopFor(group.block) &&
         dominators_.dominates(load.getParent(), group.block);
}

// Whether no step is counted either between the end of such a block and the load.
bool PackingPoints::canPackIn(const CopyingBlocks& blocks, const llvm::CallInst& load,
                              const TileGrid::Group& group) const {
  if (blocks.empty()) return true;
  const BasicBlock* block = load.getParent();
  const llvm::Loop* loop = loops_.getLoopFor(block);  // of chains, maybe none
  return canPackAt(load, group) && (loop == nullptr || loop->getHeader() != block) &&
         llvm::none_of(grid_.groups(),
                       [&](auto& other) { return llvm::is_contained(blocks, other.block); });
}

BasicBlock* PackingPoints::blockBefore(size_t group_index) const {
  const TileGrid::Group& group = grid_.groups()[group_index];
  BasicBlock* block = group.block;
  auto include = [&](BasicBlock* other) {
    block = dominators_.findNearestCommonDominator(block, other);
  };
  for (const TileGrid::Operand& operand : grid_.operands(group_index)) {
    std::optional<LoadCall> load = matchLoad(operand.value);
    if (mayBePacked()) {
      if (!isLoaded(operand)) continue;
      const CopyingBlocks copying = *copyingBlocks(*load);
      llvm::for_each(copying, include);
    } else if (!recorded_ && load && canPackAt(*load->call, group)) {
      include(load->call->getParent());
    }
  }
  return block;
}

}  // namespace jit::coopmat
