// SPDX-License-Identifier: Apache-2.0

// Blocks that control flow cannot reach: written so, or left behind a call that never returns.
#include "jit/spirv/reading.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

namespace {

std::unordered_set<Id> reachableLabels(const Function& function) {
  std::unordered_map<Id, const Block*> blocks;
  for (const Block& block : function.blocks) blocks[block.label] = &block;
  std::unordered_set<Id> reachable{function.blocks.front().label};
  std::vector<Id> pending{function.blocks.front().label};
  while (!pending.empty()) {
    const Block& block = *blocks.at(pending.back());
    pending.pop_back();
    for (Id label : block.successors())
      if (reachable.insert(label).second) pending.push_back(label);
  }
  return reachable;
}

}  // namespace

void dropUnreachableBlocks(Module& module) {
  std::vector<Block>& blocks = module.entry.blocks;
  const std::unordered_set<Id> reachable = reachableLabels(module.entry);
  if (reachable.size() == blocks.size()) return;
  std::erase_if(blocks, [&](const Block& block) { return !reachable.contains(block.label); });

  WordArena words;
  std::vector<uint32_t> kept;
  for (Block& block : blocks)
    for (Instruction& phi : block.instructions) {
      if (phi.op != spv::Op::OpPhi) break;
      kept.clear();
      for (size_t i = 0; i + 1 < phi.operands.size(); i += 2)
        if (reachable.contains(phi.operands[i + 1]))
          kept.insert(kept.end(), {phi.operands[i], phi.operands[i + 1]});
      if (kept.size() != phi.operands.size()) phi.operands = words.copy(std::span(kept));
    }
  words.moveTo(module.words);
}

}  // namespace jit::spirv
