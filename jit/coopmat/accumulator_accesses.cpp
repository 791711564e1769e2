// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/accumulator_accesses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace jit::coopmat {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using Kind = AccumulatorEvent::Kind;
using Events = llvm::SmallVector<AccumulatorEvent>;
using EventsByBlock = llvm::MapVector<BasicBlock*, Events>;

// Finds the events of each block, in order.
class Finder {
 public:
  Finder(const TileGrid& grid, llvm::LoopInfo& loops, llvm::DominatorTree& dominators)
      : grid_(grid), loops_(loops), dominators_(dominators) {}

  EventsByBlock find(llvm::ArrayRef<BasicBlock*> begins) {
    for (size_t group = 0; group < begins.size(); ++group)
      add({Kind::GroupBegins, &*begins[group]->getFirstInsertionPt(), group});
    for (size_t group = 0; group < grid_.groups().size(); ++group)
      add({Kind::GroupEnds, grid_.lastMultiplyAdd(group)->getNextNode(), group});
    for (size_t cell = 0; cell < grid_.cells().size(); ++cell) {
      const AccumulatorWeb& web = *grid_.cells()[cell].web;
      // The results of chains are there wherever they are used.
      if (web.root == nullptr) continue;
      for (llvm::Use* use : web.reads) add({Kind::Read, placeOfRead(*use), cell, use});
    }
    for (auto& [block, events] : events_) sort(events);
    // Writes next, since where they may be depends on the others.
    for (size_t cell = 0; cell < grid_.cells().size(); ++cell) {
      const AccumulatorWeb& web = *grid_.cells()[cell].web;
      for (llvm::Use* use : web.writes) add({Kind::Write, placeOfWrite(*use, cell), cell, use});
    }
    for (auto& [block, events] : events_) sort(events);
    return std::move(events_);
  }

 private:
  void add(const AccumulatorEvent& event) { events_[event.before->getParent()].push_back(event); }

  static void sort(Events& events) {
    std::ranges::stable_sort(
        events, [](const AccumulatorEvent& one, const AccumulatorEvent& other) {
          return one.before != other.before && one.before->comesBefore(other.before);
        });
  }

  // Where it is computed, if nothing needs the version before afterwards: there it is at hand.
  Instruction* placeOfWrite(const llvm::Use& use, size_t cell) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    Instruction* last = nullptr;
    if (auto* phi = llvm::dyn_cast<PHINode>(user)) {
      BasicBlock* from = phi->getIncomingBlock(use);
      if (isNeededElsewhere(*from, *phi->getParent(), *grid_.cells()[cell].web))
        from = llvm::SplitEdge(from, phi->getParent(), &dominators_, &loops_);
      last = from->getTerminator();
    } else {
      last = grid_.lastMultiplyAdd(groupIn(user->getParent()));
    }
    auto* value = llvm::dyn_cast<Instruction>(use.get());
    if (value == nullptr || llvm::isa<PHINode>(value) || matchMulAdd(value) ||
        value->getParent() != last->getParent())
      return last;
    auto events = events_.find(value->getParent());
    const bool is_needed =
        events != events_.end() && llvm::any_of(events->second, [&](const AccumulatorEvent& event) {
          const bool concerns =
              event.kind == Kind::Read ? event.index == cell : event.kind == Kind::GroupEnds;
          return concerns && value->comesBefore(event.before) &&
                 (event.before == last || event.before->comesBefore(last));
        });
    return is_needed ? last : value->getNextNode();
  }

  size_t groupIn(const BasicBlock* block) const {
    auto found = std::ranges::find(grid_.groups(), block, &TileGrid::Group::block);
    return static_cast<size_t>(found - grid_.groups().begin());
  }

  // Whether control may go from `from` elsewhere than to `to` with a version that is used there.
  bool isNeededElsewhere(BasicBlock& from, const BasicBlock& to, const AccumulatorWeb& web) const {
    const llvm::Loop* loop = loops_.getLoopFor(web.root->getParent());
    return llvm::any_of(llvm::successors(&from), [&](const BasicBlock* other) {
      return other != &to &&
             (loop->contains(other) || llvm::any_of(web.exit_phis, [&](const PHINode* phi) {
                return phi->getParent() == other;
              }));
    });
  }

  const TileGrid& grid_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  EventsByBlock events_;
};

bool isAccess(const AccumulatorEvent& event) {
  return event.kind == Kind::Read || event.kind == Kind::Write;
}

// Whether accumulators are read or written on a way from where a group begins to its end, in one
// iteration of `loop`, if there is one.
bool isAccessedBefore(const TileGrid& grid, size_t group, BasicBlock* begin, const llvm::Loop* loop,
                      const EventsByBlock& by_block) {
  auto isInIteration = [&](const BasicBlock* block) {
    return !loop || (loop->contains(block) && block != loop->getHeader());
  };
  BasicBlock* end = grid.groups()[group].block;
  llvm::SmallPtrSet<BasicBlock*, 8> seen;
  llvm::SmallVector<BasicBlock*> work{begin};
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second || (block != begin && !isInIteration(block))) continue;
    if (auto events = by_block.find(block); events != by_block.end()) {
      for (const AccumulatorEvent& event : events->second) {
        if (block == end && event.kind == Kind::GroupEnds && event.index == group) break;
        if (isAccess(event)) return true;
      }
    }
    if (block != end) work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

// What may be so at a point.
struct State {
  bool has_steps;  // something is deferred
  bool is_open;    // or memory does not have the accumulators for another reason
  bool operator==(const State&) const = default;
};

}  // namespace

Instruction* startOfRow(Instruction* product) {
  while (Instruction* previous = product->getPrevNode()) {
    if (!matchMulAdd(previous)) break;
    product = previous;
  }
  return product;
}

Instruction* placeOfRead(const llvm::Use& use) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  if (auto* phi = llvm::dyn_cast<PHINode>(user)) return phi->getIncomingBlock(use)->getTerminator();
  return matchMulAdd(user) ? startOfRow(user) : user;
}

AccumulatorAccesses::AccumulatorAccesses(const TileGrid& grid, llvm::ArrayRef<BasicBlock*> order,
                                         llvm::ArrayRef<BasicBlock*> begins, bool is_pending,
                                         llvm::LoopInfo& loops, llvm::DominatorTree& dominators) {
  const llvm::PHINode* root = grid.cells().front().web->root;
  const llvm::Loop* loop = root ? loops.getLoopFor(root->getParent()) : nullptr;
  EventsByBlock by_block = Finder(grid, loops, dominators).find(begins);
  for (auto& [block, events] : by_block) {
    for (AccumulatorEvent& event : events) {
      has_accesses_ = has_accesses_ || isAccess(event);
      if (event.kind == Kind::GroupBegins)
        event.multiplies = isAccessedBefore(grid, event.index, begins[event.index], loop, by_block);
    }
  }
  llvm::DenseMap<BasicBlock*, State> at_end;
  auto walk = [&](BasicBlock* block, State state) {
    auto events = by_block.find(block);
    if (events == by_block.end()) return state;
    for (AccumulatorEvent& event : events->second) {
      if (event.kind == Kind::GroupEnds) {
        state = {!begins.empty(), state.is_open || !begins.empty()};
      } else if (event.kind == Kind::GroupBegins) {
        gathers_steps_ = gathers_steps_ || (state.has_steps && !event.multiplies);
        if (event.multiplies) state = {false, false};
      } else {
        event.multiplies = event.multiplies || state.is_open;
        state = {false, false};
      }
    }
    return state;
  };
  // Blocks of edges that were split are not in `order`.
  llvm::SmallVector<BasicBlock*> blocks(order);
  for (auto& [block, events] : by_block)
    if (!llvm::is_contained(blocks, block)) blocks.push_back(block);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : blocks) {
      State state{false, is_pending && block == order.front()};
      for (BasicBlock* from : llvm::predecessors(block)) {
        const State before = at_end.lookup(from);
        state = {state.has_steps || before.has_steps, state.is_open || before.is_open};
      }
      const State after = walk(block, state);
      auto [at, is_new] = at_end.try_emplace(block, after);
      changed = changed || is_new || !(at->second == after);
      at->second = after;
    }
  }
  for (auto& [block, events] : by_block) llvm::append_range(events_, events);
}

}  // namespace jit::coopmat
