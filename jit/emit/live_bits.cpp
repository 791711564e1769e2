// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/live_bits.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

using simt::Uniformity;

// Of one component in a register. Narrower ones are widened for most operations.
uint64_t bitsOf(const Type* scalar) {
  if (scalar->kind == TypeKind::Bool) return 0;
  return std::max(scalar->width, 16u);
}

class Liveness {
 public:
  Liveness(const Module& module, const simt::Linearization& linearization,
           const simt::UniformityAnalysis& uniformity)
      : module_(module),
        linearization_(linearization),
        uniformity_(uniformity),
        blocks_(module.entry.blocks) {}

  std::optional<LiveBits> run() {
    number();
    if (bits_.size() + blocks_.size() > kMostLiveValues) return std::nullopt;
    solve();
    uint64_t variables = 0;
    for (const auto* list : {&module_.variables, &module_.entry.variables})
      for (const Variable& v : *list) variables += bitsOfVariable(v);
    const llvm::SmallVector<bool> hot = hotBlocks();
    for (const simt::Node& node : linearization_.nodes())
      result_.is_masked |=
          hot[node.block] && node.arrival == simt::Arrival::Accumulate && !isCounted(node);
    for (size_t b = 0; b < blocks_.size(); ++b)
      if (hot[b]) result_.most = std::max(result_.most, variables + mostIn(b));
    return result_;
  }

 private:
  uint64_t bitsOfVariable(const Variable& v) const {
    if (v.storage != spv::StorageClass::Function && v.storage != spv::StorageClass::Private)
      return 0;
    if (uniformity_.variable(v.id) != Uniformity::Varying) return 0;
    const Type* type = v.type->element;
    const Type* scalar = type;
    while (scalar->element != nullptr && !scalar->isScalar()) scalar = scalar->element;
    return type->leaves() * (scalar->isScalar() ? bitsOf(scalar) : 32);
  }

  // What a value takes of each invocation's registers.
  uint64_t bitsOfValue(const Instruction& i) const {
    if (i.type == nullptr || i.type->kind == TypeKind::Pointer) return 0;
    const Type* scalar = i.type->scalar();
    if (scalar == nullptr || !scalar->isScalar()) {  // a structure or an array
      return uniformity_.whole(i.result) == Uniformity::Varying ? i.type->leaves() * 32 : 0;
    }
    const uint64_t leaves = i.type->leaves();
    uint64_t bits = 0;
    for (uint32_t c = 0; c < leaves; ++c)
      if (uniformity_.of(i.result, std::min(c, 3u)) == Uniformity::Varying &&
          !uniformity_.shape(i.result, std::min(c, 3u)).isLinear())
        bits += bitsOf(scalar);
    return bits;
  }

  void number() {
    for (size_t b = 0; b < blocks_.size(); ++b) {
      block_of_label_[blocks_[b].label] = b;
      for (const Instruction& i : blocks_[b].instructions) {
        if (i.result == 0) continue;
        const uint64_t bits = bitsOfValue(i);
        if (bits == 0) continue;
        numbers_[i.result] = unsigned(bits_.size());
        bits_.push_back(bits);
        if (i.op != spv::Op::OpPhi) ++result_.operations;
      }
    }
  }

  std::optional<unsigned> numberOf(Id id) const {
    const auto found = numbers_.find(id);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }

  // What is live behind a block: what its successors begin with, and what their phis take from it.
  llvm::BitVector liveBehind(size_t b) const {
    llvm::BitVector live(unsigned(bits_.size()));
    for (Id label : blocks_[b].successors()) {
      const auto found = block_of_label_.find(label);
      if (found == block_of_label_.end()) continue;
      live |= live_before_[found->second];
      for (const Instruction& phi : blocks_[found->second].instructions) {
        if (phi.op != spv::Op::OpPhi) break;
        for (size_t o = 0; o + 1 < phi.operands.size(); o += 2)
          if (phi.operands[o + 1] == blocks_[b].label)
            if (const auto n = numberOf(phi.operands[o])) live.set(*n);
      }
    }
    return live;
  }

  // Goes through a block backwards; `visit` sees what is live before each instruction but phis.
  template <typename Visit>
  void walk(size_t b, llvm::BitVector& live, Visit visit) const {
    auto use = [&](const Instruction& i) {
      for (Id id : valueOperands(i))
        if (const auto n = numberOf(id)) {
          if (!live.test(*n)) visit.add(bits_[*n]);
          live.set(*n);
        }
    };
    use(blocks_[b].terminator);
    for (const Instruction& i : llvm::reverse(blocks_[b].instructions)) {
      if (const auto n = numberOf(i.result); i.result != 0 && n) {
        if (live.test(*n)) visit.drop(bits_[*n]);
        live.reset(*n);
      }
      if (i.op != spv::Op::OpPhi) use(i);
    }
  }

  void solve() {
    live_before_.assign(blocks_.size(), llvm::BitVector(unsigned(bits_.size())));
    struct Nothing {
      void add(uint64_t) {}
      void drop(uint64_t) {}
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = blocks_.size(); b-- > 0;) {
        llvm::BitVector live = liveBehind(b);
        walk(b, live, Nothing());
        if (live == live_before_[b]) continue;
        live_before_[b] = std::move(live);
        changed = true;
      }
    }
  }

  uint64_t mostIn(size_t b) const {
    llvm::BitVector live = liveBehind(b);
    uint64_t now = 0;
    for (unsigned n : live.set_bits()) now += bits_[n];
    uint64_t most = now;
    struct Sum {
      uint64_t *now, *most;
      void add(uint64_t bits) { *most = std::max(*most, *now += bits); }
      void drop(uint64_t bits) { *now -= bits; }
    };
    walk(b, live, Sum{&now, &most});
    return most;
  }

  // Whether the node is what invocations come to for as long as their counters are on one side of
  // a number that is the same for all, where counters are ahead of each other by less than an
  // iteration: nearly all iterations run without masks (passes/masks/full_loops.h).
  bool isCounted(const simt::Node& node) const {
    const auto& nodes = linearization_.nodes();
    if (node.loop == simt::kNoNode || node.predecessors.size() != 1) return false;
    const simt::Node& before = nodes[node.predecessors[0]];
    const Block& block = blocks_[before.block];
    if (before.loop != node.loop || block.terminator.op != spv::Op::OpBranchConditional ||
        llvm::all_of(before.successors,
                     [&](uint32_t next) { return linearization_.inLoop(next, node.loop); }))
      return false;
    const Instruction* condition = defining(block.terminator.operands[0]);
    if (!condition || condition->operands.size() != 2) return false;
    for (unsigned side : {0u, 1u}) {
      const Instruction* counter = defining(condition->operands[side]);
      if (uniformity_.whole(condition->operands[1 - side]) != Uniformity::Varying && counter &&
          counter->op == spv::Op::OpPhi && uniformity_.definition(counter->result) == node.loop &&
          stepsFar(*counter))
        return true;
    }
    return false;
  }

  // The instruction that a value is a copy of, if anything.
  const Instruction* defining(Id id) const {
    for (;;) {
      const uint32_t node = uniformity_.definition(id);
      if (node == simt::kNoNode) return nullptr;
      const Block& block = blocks_[linearization_.nodes()[node].block];
      const auto found =
          llvm::find_if(block.instructions, [&](const Instruction& i) { return i.result == id; });
      if (found == block.instructions.end()) return nullptr;
      if (found->op != spv::Op::OpCopyObject) return &*found;
      id = found->operands[0];
    }
  }

  // Whether a counter goes on by at least as much in each iteration as invocations are apart, or by
  // a number of run time.
  bool stepsFar(const Instruction& phi) const {
    const simt::LaneShape shape = uniformity_.shape(phi.result);
    if (!shape.isLinear() || shape.runtime != 0) return false;
    uint64_t span = 0;
    for (uint64_t weight : shape.weights) span += std::min(weight, 0 - weight);
    for (size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
      const Instruction* next = defining(phi.operands[k]);
      if (!next || next->op != spv::Op::OpIAdd) continue;
      for (unsigned side : {0u, 1u}) {
        if (defining(next->operands[1 - side]) != &phi) continue;
        const Constant* step = module_.constant(next->operands[side]);
        return !step || step->leaves[0] >= span;
      }
    }
    return false;
  }

  llvm::SmallVector<bool> hotBlocks() {
    const auto& nodes = linearization_.nodes();
    llvm::SmallVector<bool> has_inner(nodes.size(), false);
    for (const simt::Node& node : nodes) {
      if (node.header_latch == simt::kNoNode) continue;
      result_.has_loops = true;
      if (node.outer_loop != simt::kNoNode) has_inner[node.outer_loop] = true;
    }
    llvm::SmallVector<bool> hot(blocks_.size(), !result_.has_loops);
    for (const simt::Node& node : nodes)
      if (node.loop != simt::kNoNode && !has_inner[node.loop]) hot[node.block] = true;
    return hot;
  }

  const Module& module_;
  const simt::Linearization& linearization_;
  const simt::UniformityAnalysis& uniformity_;
  const std::vector<Block>& blocks_;
  llvm::DenseMap<Id, size_t> block_of_label_;
  llvm::DenseMap<Id, unsigned> numbers_;      // of the values that count
  std::vector<uint64_t> bits_;                // by number
  std::vector<llvm::BitVector> live_before_;  // by block
  LiveBits result_;
};

}  // namespace

std::optional<LiveBits> liveBits(const Module& module, const simt::Linearization& linearization,
                                 const simt::UniformityAnalysis& uniformity) {
  return Liveness(module, linearization, uniformity).run();
}

}  // namespace jit::spirv
