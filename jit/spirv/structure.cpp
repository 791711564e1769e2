// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/structure.h"

#include <algorithm>

#include "jit/base/error.h"

namespace jit::spirv {

namespace {

constexpr uint32_t kNone = ~0u;

// Blocks by index, edges resolved.
struct Graph {
  std::vector<std::vector<uint32_t>> successors;
  std::vector<uint32_t> merge, continue_target;  // kNone: no such, or it cannot be reached
  std::vector<bool> reachable;
};

llvm::Expected<Graph> buildGraph(const Function& function) {
  const size_t count = function.blocks.size();
  if (count == 0) return malformed("the function has no blocks");
  std::unordered_map<Id, uint32_t> index;
  for (uint32_t i = 0; i < count; ++i) index[function.blocks[i].label] = i;

  Graph graph;
  graph.successors.resize(count);
  for (uint32_t i = 0; i < count; ++i)
    for (Id label : function.blocks[i].successors()) {
      auto target = index.find(label);
      if (target == index.end())
        return malformed("%" + std::to_string(function.blocks[i].label) + " branches to %" +
                         std::to_string(label) + ", which is no block of the function");
      graph.successors[i].push_back(target->second);
    }

  graph.reachable.assign(count, false);
  graph.reachable[0] = true;
  std::vector<uint32_t> pending{0};
  while (!pending.empty()) {
    const uint32_t block = pending.back();
    pending.pop_back();
    for (uint32_t target : graph.successors[block]) {
      if (graph.reachable[target]) continue;
      graph.reachable[target] = true;
      pending.push_back(target);
    }
  }

  auto declared = [&](Id label) {
    auto found = index.find(label);
    return found == index.end() || !graph.reachable[found->second] ? kNone : found->second;
  };
  graph.merge.assign(count, kNone);
  graph.continue_target.assign(count, kNone);
  for (uint32_t i = 0; i < count; ++i) {
    const Block& block = function.blocks[i];
    if (block.merge_kind != MergeKind::None) graph.merge[i] = declared(block.merge_block);
    if (block.merge_kind == MergeKind::Loop)
      graph.continue_target[i] = declared(block.continue_block);
  }
  return graph;
}

// A depth-first search in which a header visits its merge block first, then its continue target,
// then its successors, last one first. What a header finds after its merge block is its construct;
// in post-order that is a run of blocks ending in the header, and so it is in the reverse.
class Order {
 public:
  explicit Order(const Graph& graph)
      : graph_(graph), seen_(graph.successors.size()), first_(graph.successors.size()) {
    visit(0);
    while (!stack_.empty()) advance();
  }

  // Blocks in reverse post-order.
  std::vector<uint32_t> blocks() const { return {post_order_.rbegin(), post_order_.rend()}; }
  // How many blocks come before the construct of `header` in post-order.
  uint32_t firstOf(uint32_t header) const { return first_[header]; }

 private:
  struct Step {
    uint32_t block;
    uint32_t next;  // 0: merge, 1: continue target, 2 + i: successor i from the end
  };

  void visit(uint32_t block) {
    if (block == kNone || seen_[block]) return;
    seen_[block] = true;
    stack_.push_back({block, 0});
  }

  void advance() {
    Step& step = stack_.back();
    const uint32_t block = step.block;
    const auto& successors = graph_.successors[block];
    const uint32_t next = step.next++;
    if (next == 0) {
      visit(graph_.merge[block]);
    } else if (next == 1) {
      first_[block] = static_cast<uint32_t>(post_order_.size());
      visit(graph_.continue_target[block]);
    } else if (next < 2 + successors.size()) {
      visit(successors[successors.size() - 1 - (next - 2)]);
    } else {
      post_order_.push_back(block);
      stack_.pop_back();
    }
  }

  const Graph& graph_;
  std::vector<bool> seen_;
  std::vector<uint32_t> first_;
  std::vector<uint32_t> post_order_;
  std::vector<Step> stack_;
};

// Builds the tree over the order and checks that control flow keeps to it.
class TreeBuilder {
 public:
  TreeBuilder(const Function& function, const Graph& graph) : function_(function), graph_(graph) {}

  llvm::Expected<Structure> build() {
    const Order order(graph_);
    structure_.order = order.blocks();
    const auto count = static_cast<uint32_t>(structure_.order.size());
    position_.assign(function_.blocks.size(), kNone);
    for (uint32_t position = 0; position < count; ++position) {
      position_[structure_.order[position]] = position;
      structure_.position[function_.blocks[structure_.order[position]].label] = position;
    }
    addConstructs(order);
    if (llvm::Error error = checkMerges()) return error;
    for (uint32_t position = 0; position < count; ++position)
      for (uint32_t target : graph_.successors[structure_.order[position]])
        if (llvm::Error error = checkEdge(position, position_[target])) return error;
    return std::move(structure_);
  }

 private:
  void addConstructs(const Order& order) {
    const auto count = static_cast<uint32_t>(structure_.order.size());
    structure_.construct_of.resize(count);
    Construct root;
    root.header = function_.blocks[0].label;
    structure_.constructs.push_back(root);
    end_.push_back(count);
    int innermost = 0;
    for (uint32_t position = 0; position < count; ++position) {
      while (position >= end_[innermost]) innermost = structure_.constructs[innermost].parent;
      const uint32_t index = structure_.order[position];
      const Block& block = function_.blocks[index];
      if (block.merge_kind != MergeKind::None) {
        Construct construct;
        construct.kind = block.merge_kind;
        construct.header = block.label;
        construct.merge = block.merge_block;
        construct.continue_target = block.continue_block;
        construct.parent = innermost;
        const int self = static_cast<int>(structure_.constructs.size());
        structure_.constructs[innermost].children.push_back(self);
        structure_.constructs.push_back(std::move(construct));
        end_.push_back(count - order.firstOf(index));
        innermost = self;
      }
      structure_.construct_of[position] = innermost;
    }
  }

  llvm::Error checkMerges() const {
    std::unordered_map<Id, Id> header_of;
    for (size_t i = 1; i < structure_.constructs.size(); ++i) {
      const Construct& construct = structure_.constructs[i];
      auto [other, fresh] = header_of.emplace(construct.merge, construct.header);
      if (!fresh)
        return malformed("%" + std::to_string(construct.merge) + " is the merge block of both %" +
                         std::to_string(other->second) + " and %" +
                         std::to_string(construct.header));
      const auto merge = structure_.position.find(construct.merge);
      if (merge != structure_.position.end() && merge->second < end_[i])
        return malformed("the merge block %" + std::to_string(construct.merge) + " of %" +
                         std::to_string(construct.header) + " does not come after its construct");
      const auto target = structure_.position.find(construct.continue_target);
      if (target != structure_.position.end() && !contains(static_cast<int>(i), target->second))
        return malformed("the continue target %" + std::to_string(construct.continue_target) +
                         " of %" + std::to_string(construct.header) + " is outside of its loop");
    }
    return llvm::Error::success();
  }

  uint32_t begin(int construct) const {
    return structure_.position.at(structure_.constructs[construct].header);
  }
  bool contains(int construct, uint32_t position) const {
    return position >= begin(construct) && position < end_[construct];
  }
  Id labelAt(uint32_t position) const { return function_.blocks[structure_.order[position]].label; }

  llvm::Error badEdge(uint32_t from, uint32_t to, const std::string& reason) const {
    return malformed("control flow is not structured: %" + std::to_string(labelAt(from)) +
                     " branches to %" + std::to_string(labelAt(to)) + ", " + reason);
  }

  // Constructs are entered at their headers, and left to the merge block of the outermost one
  // that is left or to the continue target of a loop around; only loop headers are branched back
  // to.
  llvm::Error checkEdge(uint32_t from, uint32_t to) const {
    const auto& constructs = structure_.constructs;
    const Id target = labelAt(to);
    for (int c = structure_.construct_of[to]; !contains(c, from); c = constructs[c].parent)
      if (constructs[c].header != target)
        return badEdge(from, to,
                       "inside of the construct of %" + std::to_string(constructs[c].header));
    if (to <= from) {
      const int loop = structure_.construct_of[to];
      if (constructs[loop].kind != MergeKind::Loop || constructs[loop].header != target ||
          !contains(loop, from))
        return badEdge(from, to, "back to a block that is not the header of a loop around it");
      return llvm::Error::success();
    }
    int outermost = -1;  // that is left
    int inner = structure_.construct_of[from];
    for (; !contains(inner, to); inner = constructs[inner].parent) outermost = inner;
    if (outermost < 0 || constructs[outermost].merge == target) return llvm::Error::success();
    for (; inner >= 0; inner = constructs[inner].parent)
      if (constructs[inner].kind == MergeKind::Loop && constructs[inner].continue_target == target)
        return llvm::Error::success();
    return badEdge(from, to,
                   "out of the construct of %" + std::to_string(constructs[outermost].header) +
                       ", which merges at %" + std::to_string(constructs[outermost].merge));
  }

  const Function& function_;
  const Graph& graph_;
  Structure structure_;
  std::vector<uint32_t> position_;  // by block
  std::vector<uint32_t> end_;       // by construct: the position after its last
};

}  // namespace

llvm::Expected<Structure> buildStructure(const Function& function) {
  llvm::Expected<Graph> graph = buildGraph(function);
  if (!graph) return graph.takeError();
  return TreeBuilder(function, *graph).build();
}

std::string describeStructure(const Module& module, const Structure& structure) {
  std::string text;
  std::vector<uint32_t> depth(structure.constructs.size(), 0);
  for (size_t c = 1; c < structure.constructs.size(); ++c)
    depth[c] = depth[structure.constructs[c].parent] + 1;
  for (uint32_t position = 0; position < structure.order.size(); ++position) {
    const Block& block = module.entry.blocks[structure.order[position]];
    const int c = structure.construct_of[position];
    const bool header = c != 0 && structure.constructs[c].header == block.label;
    text.append(2 * (depth[c] - header), ' ');
    text += module.describe(block.label);
    if (header) {
      const Construct& construct = structure.constructs[c];
      text += construct.kind == MergeKind::Loop ? ": loop" : ": selection";
      text += ", merge " + module.describe(construct.merge);
      if (construct.kind == MergeKind::Loop)
        text += ", continue " + module.describe(construct.continue_target);
    }
    text += ", " + std::to_string(block.instructions.size()) + " instructions\n";
  }
  return text;
}

}  // namespace jit::spirv
