// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/linearization.h"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <map>

#include "jit/base/containment.h"

namespace jit::simt {

using spirv::MergeKind;

Linearization::Linearization(const spirv::Function& function, const spirv::Structure& structure)
    : function_(function) {
  // The last position of each loop, so that its latch can follow it.
  const auto& constructs = structure.constructs;
  std::vector<uint32_t> last(constructs.size(), 0);
  for (uint32_t position = 0; position < structure.order.size(); ++position)
    for (int c = structure.construct_of[position]; c >= 0; c = constructs[c].parent)
      last[c] = position;

  // Loops that end at each position, innermost (the one whose header comes last) first.
  std::vector<std::vector<int>> ending(structure.order.size());
  for (int c = static_cast<int>(constructs.size()) - 1; c >= 0; --c)
    if (constructs[c].kind == MergeKind::Loop) ending[last[c]].push_back(c);
  for (auto& loops : ending)
    std::sort(loops.begin(), loops.end(), [&](int a, int b) {
      return structure.position.at(constructs[a].header) >
             structure.position.at(constructs[b].header);
    });

  std::vector<uint32_t> node_of_position(structure.order.size());
  std::unordered_map<spirv::Id, uint32_t> latch_of;
  std::vector<uint32_t> end_of(constructs.size(), 0);
  for (uint32_t position = 0; position < structure.order.size(); ++position) {
    Node node;
    node.block = structure.order[position];
    node_of_position[position] = static_cast<uint32_t>(nodes_.size());
    node_of_label_[function.blocks[node.block].label] = node_of_position[position];
    nodes_.push_back(std::move(node));
    for (int c : ending[position]) {
      Node latch;
      latch.latch = true;
      uint32_t header = node_of_label_.at(constructs[c].header);
      latch.block = nodes_[header].block;
      nodes_[header].header_latch = static_cast<uint32_t>(nodes_.size());
      latch_of[constructs[c].header] = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(std::move(latch));
    }
  }
  for (size_t c = 0; c < constructs.size(); ++c) {
    uint32_t end = node_of_position[last[c]] + 1;
    while (end < nodes_.size() && nodes_[end].latch &&
           node_of_label_.at(function.blocks[nodes_[end].block].label) >=
               node_of_label_.at(constructs[c].header))
      ++end;
    end_of[c] = end;
  }

  // Innermost loop of each node: loops are contiguous, later headers are nested deeper. Outer
  // loops come first, so that a header still holds the loop around it when its own turn comes.
  std::vector<size_t> loops;
  for (size_t c = 0; c < constructs.size(); ++c)
    if (constructs[c].kind == MergeKind::Loop) loops.push_back(c);
  std::sort(loops.begin(), loops.end(), [&](size_t a, size_t b) {
    return structure.position.at(constructs[a].header) <
           structure.position.at(constructs[b].header);
  });
  for (size_t c : loops) {
    uint32_t header = node_of_label_.at(constructs[c].header);
    for (uint32_t n = header; n < end_of[c]; ++n) {
      if (nodes_[n].loop != kNoNode && nodes_[n].loop > header) continue;
      if (n == header) nodes_[n].outer_loop = nodes_[n].loop;
      nodes_[n].loop = header;
    }
  }

  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].latch) continue;
    for (spirv::Id label : function.blocks[nodes_[n].block].successors()) {
      uint32_t target = node_of_label_.at(label);
      if (target <= n) target = latch_of.at(label);  // a back edge
      nodes_[n].successors.push_back(target);
      auto& predecessors = nodes_[target].predecessors;
      if (std::find(predecessors.begin(), predecessors.end(), n) == predecessors.end())
        predecessors.push_back(n);
    }
  }
  computeDominators();

  merge_construct_.assign(nodes_.size(), kNoNode);
  continue_construct_.assign(nodes_.size(), kNoNode);
  for (size_t c = 0; c < constructs.size(); ++c) {
    if (constructs[c].kind == MergeKind::None) continue;
    Construct construct;
    construct.header = node_of_label_.at(constructs[c].header);
    auto merge = node_of_label_.find(constructs[c].merge);
    construct.merge = merge == node_of_label_.end() ? kNoNode : merge->second;
    construct.loop = constructs[c].kind == MergeKind::Loop;
    construct.end = end_of[c];
    if (construct.loop) {
      auto target = node_of_label_.find(constructs[c].continue_target);
      if (target != node_of_label_.end()) construct.continue_target = target->second;
    }
    construct.closed = true;
    for (uint32_t n = construct.header; n < construct.end; ++n) {
      if (nodes_[n].latch) continue;
      if (nodes_[n].successors.empty()) construct.closed = false;
      for (uint32_t s : nodes_[n].successors)
        if ((s < construct.header || s >= construct.end) && s != construct.merge)
          construct.closed = false;
    }
    auto index = static_cast<uint32_t>(constructs_.size());
    if (construct.merge != kNoNode) merge_construct_[construct.merge] = index;
    if (construct.continue_target != kNoNode)
      continue_construct_[construct.continue_target] = index;
    constructs_.push_back(construct);
  }
  forced_.assign(nodes_.size(), false);
  dynamic_.assign(nodes_.size(), false);
  entry_class_.assign(nodes_.size(), 0);
  gathers_.resize(static_cast<unsigned>(nodes_.size()));
}

// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"; the order is a reverse
// post-order of the acyclic graph (back edges end in latches), so one pass is enough.
void Linearization::computeDominators() {
  nodes_[0].dominator = 0;
  for (uint32_t n = 1; n < nodes_.size(); ++n) {
    uint32_t dominator = kNoNode;
    for (uint32_t p : nodes_[n].predecessors) {
      if (dominator == kNoNode) {
        dominator = p;
        continue;
      }
      uint32_t other = p;
      while (dominator != other) {
        if (dominator > other)
          dominator = nodes_[dominator].dominator;
        else
          other = nodes_[other].dominator;
      }
    }
    nodes_[n].dominator = dominator == kNoNode ? 0 : dominator;
  }
}

bool Linearization::dominates(uint32_t a, uint32_t b) const {
  while (b > a) b = nodes_[b].dominator;
  return a == b;
}

bool Linearization::inLoop(uint32_t node, uint32_t header) const {
  return node >= header && node <= nodes_[header].header_latch;
}

uint32_t Linearization::dynamicLoop(uint32_t node) const {
  uint32_t header = nodes_[node].loop;
  while (header != kNoNode && !nodes_[header].dynamic_header) header = nodes_[header].outer_loop;
  return header;
}

// Whether all live invocations leave the loop's body together, if at all: then the continue
// target has everybody again.
bool Linearization::uniformExits(const Construct& loop,
                                 const std::function<bool(uint32_t)>& varies) const {
  for (uint32_t n = loop.header; n < loop.end; ++n) {
    if (nodes_[n].latch) continue;
    bool leaves = nodes_[n].successors.empty();
    for (uint32_t s : nodes_[n].successors) leaves |= s < loop.header || s >= loop.end;
    if (!leaves) continue;
    if (varies(n) || nodes_[n].mask_class != nodes_[loop.header].mask_class) return false;
    // An exit that finds others waiting further on in the body could not branch past them.
    for (uint32_t b = loop.header; b < n; ++b)
      if (varies(b) && nodes_[b].loop == loop.header) {
        const auto& block = function_.blocks[nodes_[b].block];
        auto merge = node_of_label_.find(block.merge_block);
        if (block.merge_kind == MergeKind::None || merge == node_of_label_.end() ||
            merge->second > n)
          return false;
      }
  }
  return true;
}

void Linearization::classify(const std::function<bool(uint32_t)>& varies) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    node.dynamic_header = dynamic_[n];
    if (n == 0) {
      node.arrival = Arrival::Direct;
      node.mask_class = entry_class_[0] = 0;
      continue;
    }
    bool uniform = true;
    uint32_t common = kNoNode;
    for (uint32_t p : node.predecessors) {
      if (varies(p)) uniform = false;
      if (common == kNoNode)
        common = nodes_[p].mask_class;
      else if (common != nodes_[p].mask_class)
        uniform = false;
    }
    uint32_t rejoin = kNoNode;
    if (uint32_t c = merge_construct_[n]; c != kNoNode && constructs_[c].closed) {
      const Construct& construct = constructs_[c];
      rejoin =
          construct.loop ? entry_class_[construct.header] : nodes_[construct.header].mask_class;
    } else if (uint32_t l = continue_construct_[n];
               l != kNoNode && constructs_[l].header != n && uniformExits(constructs_[l], varies)) {
      rejoin = nodes_[constructs_[l].header].mask_class;
    }
    if (uniform && !forced_[n]) {
      node.arrival = Arrival::Direct;
      node.mask_class = common;
    } else if (rejoin != kNoNode) {
      node.arrival = Arrival::Rejoin;
      node.mask_class = rejoin;
    } else {
      node.arrival = Arrival::Accumulate;
      node.mask_class = n;
    }
    entry_class_[n] = node.mask_class;
    if (dynamic_[n]) node.mask_class = n;
  }
}

// Which nodes may have invocations waiting at each point; sets next, skip and check. True when a
// direct branch would jump over a waiting node: its target is then forced to accumulate.
bool Linearization::findPending(const std::function<bool(uint32_t)>& varies) {
  const uint32_t count = static_cast<uint32_t>(nodes_.size());
  std::vector<llvm::BitVector> in(count, llvm::BitVector(count)),
      out(count, llvm::BitVector(count));
  auto deferred = [&](uint32_t from, uint32_t to) {
    return varies(from) || nodes_[to].arrival != Arrival::Direct;
  };
  // Everybody reaches a Rejoin merge block once the header has run.
  std::vector<std::vector<uint32_t>> promised(count);
  for (const Construct& c : constructs_)
    if (c.merge != kNoNode && nodes_[c.merge].arrival == Arrival::Rejoin)
      promised[c.header].push_back(c.merge);

  // Where invocations may have left the function for good, nobody may be left.
  std::vector<bool> ended_before(count, false);
  for (uint32_t n = 1; n < count; ++n)
    ended_before[n] =
        ended_before[n - 1] || (nodes_[n - 1].successors.empty() && !nodes_[n - 1].latch);

  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t n = 0; n < count; ++n) {
      heedTimeLimit();
      Node& node = nodes_[n];
      llvm::BitVector pending = in[n];
      pending.reset(n);
      auto merge_in = [&](uint32_t to) {
        if (!pending.test(in[to])) return;  // nothing that is not there already
        in[to] |= pending;
        changed = true;
      };
      // Nobody here: the others still wait.
      int after = pending.find_next(static_cast<int>(n));
      node.skip = after < 0 ? kNoNode : static_cast<uint32_t>(after);
      node.check = node.arrival == Arrival::Accumulate && (node.skip != kNoNode || ended_before[n]);
      if (node.skip != kNoNode && node.check) merge_in(node.skip);

      for (uint32_t m : promised[n]) pending.set(m);
      bool any_deferred = node.successors.empty() && !node.latch;
      for (uint32_t s : node.successors)
        if (deferred(n, s)) {
          pending.set(s);
          any_deferred = true;
        }
      out[n] = pending;
      int next = pending.find_next(static_cast<int>(n));
      node.next = next < 0 ? kNoNode : static_cast<uint32_t>(next);
      if (any_deferred && node.next != kNoNode) merge_in(node.next);
      for (uint32_t s : node.successors)
        if (!deferred(n, s)) merge_in(s);
      if (node.latch) merge_in(node.loop);
    }
  }
  bool forced = false;
  for (uint32_t n = 0; n < count; ++n)
    for (uint32_t s : nodes_[n].successors) {
      if (deferred(n, s)) continue;
      int between = out[n].find_next(static_cast<int>(n));
      if (between >= 0 && static_cast<uint32_t>(between) < s && !forced_[s]) {
        forced_[s] = true;
        forced = true;
      }
    }
  return forced;
}

// Where paths meet that begin at different ones of `targets`, nodes to which one branch sends
// different invocations. Each node is marked with the last one that all paths to it go through,
// up to where there is one path only: the join points of a divergent branch, as LLVM's
// SyncDependenceAnalysis finds them.
void Linearization::findMeetings(llvm::ArrayRef<uint32_t> targets,
                                 llvm::BitVector& meetings) const {
  std::map<uint32_t, uint32_t> ahead;  // nodes that are not passed yet, and their marks
  auto come = [&](uint32_t node, uint32_t mark) {
    const auto [entry, is_new] = ahead.emplace(node, mark);
    if (is_new || entry->second == mark) return;
    entry->second = node;
    meetings.set(node);
  };
  for (uint32_t target : targets) come(target, target);
  while (ahead.size() > 1) {
    heedTimeLimit();
    const auto [node, mark] = *ahead.begin();
    ahead.erase(ahead.begin());
    for (uint32_t s : nodes_[node].successors) come(s, mark);
  }
}

void Linearization::findGathering(const std::function<bool(uint32_t)>& varies) {
  const auto count = static_cast<uint32_t>(nodes_.size());
  llvm::BitVector meetings(count), left(count);
  llvm::SmallVector<uint32_t, 8> targets;
  for (uint32_t n = 0; n < count; ++n) {
    if (varies(n)) findMeetings(nodes_[n].successors, meetings);
    if (!nodes_[n].dynamic_header) continue;
    // Invocations leave the loop one after the other, and each time by any of its exits.
    targets.clear();
    for (uint32_t from = n; from <= nodes_[n].header_latch; ++from)
      for (uint32_t s : nodes_[from].successors)
        if (!inLoop(s, n)) targets.push_back(s);
    for (uint32_t s : targets) left.set(s);
    findMeetings(targets, meetings);
  }
  gathers_ = meetings;
  gathers_ |= left;
  for (uint32_t n = 0; n < count; ++n)
    if (nodes_[n].arrival == Arrival::Direct) gathers_.reset(n);
}

void Linearization::solve(const std::function<bool(uint32_t)>& varies) {
  for (;;) {
    classify(varies);
    bool changed = false;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      uint32_t latch = nodes_[n].header_latch;
      if (latch == kNoNode || dynamic_[n] || nodes_[latch].predecessors.empty()) continue;
      if (nodes_[latch].mask_class != nodes_[n].mask_class) {
        dynamic_[n] = true;
        changed = true;
      }
    }
    if (changed) continue;
    if (!findPending(varies)) break;
  }
  findGathering(varies);
}

}  // namespace jit::simt
