// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/part_choice.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "jit/passes/machine/large_blocks.h"
#include "jit/passes/machine/machine_cost.h"

namespace jit {

using llvm::BasicBlock;

namespace {

// No block is longer than a part.
void cutBlocks(llvm::Function& kernel, uint32_t vector_bytes, uint64_t part) {
  llvm::SmallVector<BasicBlock*> blocks;
  for (BasicBlock& block : llvm::drop_begin(kernel)) blocks.push_back(&block);
  for (BasicBlock* block : blocks) cutBlock(*block, vector_bytes, part);
}

}  // namespace

// A run ends where the fewest loops are left and entered again at each iteration.
std::vector<std::vector<BasicBlock*>> chooseParts(llvm::Function& kernel, uint32_t vector_bytes,
                                                  PartSizes sizes) {
  cutBlocks(kernel, vector_bytes, sizes.part);
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  std::vector<BasicBlock*> blocks;
  std::vector<uint64_t> costs;
  for (BasicBlock& block : kernel) {
    if (&block == &kernel.getEntryBlock()) continue;
    blocks.push_back(&block);
    uint64_t cost = 0;
    for (llvm::Instruction& instruction : block)
      cost += machineCost(instruction, kernel.getDataLayout(), vector_bytes);
    costs.push_back(cost);
  }
  // How many loops are around both blocks at a boundary.
  auto depthBefore = [&](size_t at) -> unsigned {
    const llvm::Loop* loop = loops.getLoopFor(blocks[at]);
    while (loop && !loop->contains(blocks[at - 1])) loop = loop->getParentLoop();
    return loop ? loop->getLoopDepth() : 0;
  };
  std::vector<std::vector<BasicBlock*>> parts;
  for (size_t begin = 0; begin < blocks.size();) {
    uint64_t cost = costs[begin];
    size_t end = begin + 1;
    size_t best = 0;
    unsigned best_depth = 0;
    for (; end < blocks.size() && cost + costs[end] <= sizes.part; ++end) {
      cost += costs[end];
      if (cost < sizes.part / 2 || end + 1 == blocks.size()) continue;
      const unsigned depth = depthBefore(end + 1);
      if (best != 0 && depth > best_depth) continue;
      best = end + 1;
      best_depth = depth;
    }
    if (end < blocks.size() && best != 0) end = best;
    parts.emplace_back(blocks.begin() + ptrdiff_t(begin), blocks.begin() + ptrdiff_t(end));
    begin = end;
  }
  return parts;
}

}  // namespace jit
