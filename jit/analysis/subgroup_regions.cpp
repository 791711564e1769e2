// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/subgroup_regions.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <compare>
#include <optional>

#include "jit/spirv/group_instruction.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/types.h"

namespace jit::simt {

using spirv::Block;
using spirv::Id;
using spirv::Instruction;
using spirv::InternalOp;
using spirv::Type;
using spirv::TypeKind;

namespace {

// Between two instructions of a block, or at its start or end.
struct Position {
  uint32_t node;
  size_t index;
  auto operator<=>(const Position&) const = default;
};

// What an instruction is to the regions around it.
enum class Kind : uint8_t {
  Boundary,  // no part of any
  Shared,    // all of the workgroup do the same
  Own,       // invocations do something of their own
};

class Planner {
 public:
  Planner(const spirv::Module& module, const StreamFacts& wide, const StreamFacts& narrow)
      : module_(module), wide_(wide), narrow_(narrow), nodes_(wide.linearization.nodes()) {
    collect();
  }

  std::vector<SubgroupRegion> plan() {
    for (uint32_t n = 0; n < nodes_.size();) n = visit(n);
    close();
    for (SubgroupRegion& region : regions_) complete(region);
    return std::move(regions_);
  }

 private:
  // Where an id, or what a variable's pointers lead to, occurs: the first and the last position.
  struct Extent {
    Position first, last;
    void take(Position position) {
      first = std::min(first, position);
      last = std::max(last, position);
    }
  };

  const Block& blockOf(uint32_t n) const { return module_.entry.blocks[nodes_[n].block]; }
  static size_t firstBehindPhis(const Block& block) {
    return static_cast<size_t>(
        llvm::find_if(block.instructions,
                      [](const Instruction& i) { return i.op != spv::Op::OpPhi; }) -
        block.instructions.begin());
  }

  void collect() {
    for (const auto* variables : {&module_.variables, &module_.entry.variables})
      for (const spirv::Variable& v : *variables) {
        types_[v.id] = v.type;
        if (wide_.uniformity.root(v.id) == v.id) variables_[v.id] = &v;  // Function, Private
      }
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].latch) continue;
      const Block& block = blockOf(n);
      nodes_of_labels_[block.label] = n;
      for (size_t k = 0; k < block.instructions.size(); ++k) {
        const Instruction& i = block.instructions[k];
        if (i.result != 0) types_[i.result] = i.type;
        if (i.op == spv::Op::OpPhi) {
          // Read at the end of the blocks that values come from.
          for (size_t o = 0; o + 1 < i.operands.size(); o += 2)
            use(i.operands[o], {wide_.linearization.nodeOf(i.operands[o + 1]), ~size_t{0}});
          continue;
        }
        for (Id id : valueOperands(i)) use(id, {n, k});
        if (i.op == spv::Op::OpLifetimeStart) lifetimes_.insert(i.operands[0]);
      }
      for (Id id : valueOperands(block.terminator)) use(id, {n, block.instructions.size()});
    }
  }

  void use(Id id, Position position) {
    uses_.try_emplace(id, Extent{position, position}).first->second.take(position);
    if (Id variable = wide_.uniformity.root(id))
      accesses_.try_emplace(variable, Extent{position, position}).first->second.take(position);
  }

  const Type* typeOf(Id id) const {
    if (auto type = types_.find(id); type != types_.end()) return type->second;
    const spirv::Constant* constant = module_.constant(id);
    return constant == nullptr ? nullptr : constant->type;
  }
  bool varies(Id id, uint32_t node) const {
    return wide_.uniformity.at(id, node) == Uniformity::Varying;
  }

  // --- kinds

  // What is one value of all invocations, or of each subgroup's in a form of its own.
  static bool holdsMatrices(const Type* type) {
    if (type == nullptr) return false;
    if (type->kind == TypeKind::Pointer)
      return type->element != nullptr && holdsMatrix(type->element, spv::Scope::Subgroup);
    return spirv::holdsMatrix(type);
  }

  // The variable that all invocations have alike and that an instruction may change: its new value
  // may follow from the old one. 0: none.
  Id sharedVariableWritten(const Instruction& i) const {
    const spirv::OpcodeTraits& traits = spirv::traitsOf(i.op);
    constexpr uint8_t kNone = spirv::OpcodeTraits::kNone;
    const bool reads = traits.loads != kNone || traits.undefines != kNone;
    if (traits.points_to != spirv::PointsTo::None || (reads && traits.stores == kNone)) return 0;
    for (Id id : valueOperands(i)) {
      const Id variable = wide_.uniformity.root(id);
      if (variable == 0 || wide_.uniformity.variable(variable) == Uniformity::Varying) continue;
      // An element that is the invocation's own.
      if (wide_.uniformity.whole(id) == Uniformity::Varying) continue;
      if (i.op == spv::Op::OpCopyMemory && id != i.operands[0]) continue;
      return variable;
    }
    return 0;
  }

  // Whether it reads what other invocations may write meanwhile, for all of the workgroup at once.
  bool readsAtOnce(const Instruction& i) const {
    return (i.op == spv::Op::OpAtomicLoad ||
            (i.op == spv::Op::OpLoad && spirv::isVolatile(i, 1))) &&
           wide_.uniformity.whole(i.result) != Uniformity::Varying;
  }

  bool isAlwaysBoundary(const Instruction& i) const {
    if (i.op == spv::Op::OpControlBarrier || i.op == spv::Op::OpMemoryBarrier ||
        i.op == opcode(InternalOp::SharedCodeBegin) || i.op == opcode(InternalOp::SharedCodeEnd))
      return true;
    if (i.op == spv::Op::OpLifetimeStart) return false;
    if (i.result != 0 && holdsMatrices(i.type)) return true;
    return llvm::any_of(valueOperands(i), [&](Id id) {
      if (holdsMatrices(typeOf(id))) return true;
      // Matrices and what invocations have of their own, in one variable.
      const Id variable = wide_.uniformity.root(id);
      return variable != 0 && wide_.uniformity.variable(variable) == Uniformity::Varying &&
             spirv::holdsMatrix(typeOf(variable)->element);
    });
  }

  bool isOwn(const Instruction& i, uint32_t node) const {
    if (spirv::groupInstruction(i)) return true;
    if (i.result != 0 && i.type != nullptr && i.type->kind != TypeKind::Void)
      return wide_.uniformity.whole(i.result) == Uniformity::Varying;
    if (i.op == spv::Op::OpLifetimeStart)
      return wide_.uniformity.variable(i.operands[0]) == Uniformity::Varying;
    return llvm::any_of(valueOperands(i), [&](Id id) { return varies(id, node); });
  }

  Kind kindOf(const Instruction& i, uint32_t node) const {
    if (isAlwaysBoundary(i) || readsAtOnce(i) || sharedVariableWritten(i) != 0)
      return Kind::Boundary;
    return isOwn(i, node) ? Kind::Own : Kind::Shared;
  }

  // --- runs

  struct Span {
    bool fits = false;
    bool is_own = false;  // something in it is
    bool has_loops = false;
  };

  // Whole nodes [first, end), which control leaves to `end` only.
  Span spanOf(uint32_t first, uint32_t end) const {
    Span span;
    auto isInside = [&](const Extent& extent) {
      return Position{first, 0} <= extent.first && extent.last < Position{end, 0};
    };
    for (uint32_t n = first; n < end; ++n) {
      if (nodes_[n].latch) continue;
      const Block& block = blockOf(n);
      span.has_loops |= block.merge_kind == spirv::MergeKind::Loop;
      for (const Instruction& i : block.instructions) {
        if (isAlwaysBoundary(i)) return span;
        if (readsAtOnce(i)) {
          auto uses = uses_.find(i.result);
          if (uses != uses_.end() && !isInside(uses->second)) return span;
        }
        // Each subgroup may have the variable for itself if nobody else looks at it.
        if (const Id variable = sharedVariableWritten(i))
          if (!isInside(accesses_.at(variable)) || variables_.at(variable)->initializer != 0)
            return span;
        span.is_own |= isOwn(i, n);
      }
      switch (block.terminator.op) {
        case spv::Op::OpBranch:
        case spv::Op::OpBranchConditional:
        case spv::Op::OpSwitch:
        case spv::Op::OpUnreachable:
          break;
        default:
          return span;
      }
      span.is_own |= wide_.uniformity.branchVaries(n);
      for (uint32_t next : nodes_[n].successors)
        if (next < first || next > end) return span;
    }
    span.fits = true;
    return span;
  }

  // Whether control that came to `from` comes to `to` with the same invocations.
  bool areTogether(uint32_t from, uint32_t to) const {
    auto alike = [&](const std::vector<Node>& nodes) {
      return nodes[from].mask_class == nodes[to].mask_class;
    };
    return alike(nodes_) && alike(narrow_.linearization.nodes());
  }

  void take(Position from, Position to) {
    if (!open_) open_ = from;
    last_ = to;
  }
  void close() {
    if (open_) {
      SubgroupRegion region;
      region.first = open_->node;
      region.begin = open_->index;
      region.last = last_.node;
      region.end = last_.index;
      regions_.push_back(std::move(region));
    }
    open_.reset();
  }

  // A construct of which `header`'s block, a selection's or what leads to a loop, is the last one
  // before; taken as a whole if it can be.
  bool takeConstruct(uint32_t header, Id merge_block) {
    const auto found = nodes_of_labels_.find(merge_block);
    if (found == nodes_of_labels_.end()) return false;  // cannot be reached
    const uint32_t merge = found->second;
    if (!areTogether(header, merge)) return false;
    const bool divides = wide_.uniformity.branchVaries(header);
    const Span span = spanOf(header + 1, merge);
    if (!span.fits) return false;
    if (!span.is_own && !divides && (!open_ || span.has_loops)) return false;
    take({header, blockOf(header).instructions.size()}, {merge, firstBehindPhis(blockOf(merge))});
    return true;
  }

  // The node to go on with.
  uint32_t visit(uint32_t n) {
    if (nodes_[n].latch) return n + 1;
    const Block& block = blockOf(n);
    for (size_t k = firstBehindPhis(block); k < block.instructions.size(); ++k) {
      const Kind kind = kindOf(block.instructions[k], n);
      if (kind == Kind::Boundary) close();
      if (kind == Kind::Own) take({n, k}, {n, k + 1});
    }
    if (block.merge_kind == spirv::MergeKind::Selection) {
      if (takeConstruct(n, block.merge_block)) return last_.node;
    } else if (block.merge_kind == spirv::MergeKind::None &&
               block.terminator.op == spv::Op::OpBranch && nodes_[n].successors[0] == n + 1 &&
               !nodes_[n + 1].latch) {
      const Block& next = blockOf(n + 1);
      if (next.merge_kind == spirv::MergeKind::Loop) {
        if (takeConstruct(n, next.merge_block)) return last_.node;
      } else if (nodes_[n + 1].predecessors.size() == 1 && areTogether(n, n + 1) &&
                 firstBehindPhis(next) == 0) {
        return n + 1;
      }
    }
    close();
    return n + 1;
  }

  // --- what comes in and goes out

  void complete(SubgroupRegion& region) {
    const Position begin{region.first, region.begin}, end{region.last, region.end};
    auto isInside = [&](const Extent& extent) {
      return begin <= extent.first && extent.last < end;
    };
    std::unordered_set<Id> seen;
    forEachInstruction(region, module_, wide_.linearization, [&](const Instruction& i) {
      if (auto uses = uses_.find(i.result);
          i.result != 0 && uses != uses_.end() && !isInside(uses->second))
        region.results.push_back(i.result);
      for (Id id : valueOperands(i)) {
        const Id variable = wide_.uniformity.root(id);
        if (variable == 0 || !seen.insert(variable).second) continue;
        if (!isInside(accesses_.at(variable)) || variables_.at(variable)->initializer != 0 ||
            spirv::holdsMatrix(typeOf(variable)->element))
          continue;
        const bool is_fresh =
            nodes_[region.first].loop == kNoNode || lifetimes_.count(variable) != 0;
        if (is_fresh) region.fresh.insert(variable);
        if (is_fresh || wide_.uniformity.variable(variable) != Uniformity::Varying)
          region.variables.push_back(variable);
      }
    });
  }

  const spirv::Module& module_;
  const StreamFacts& wide_;
  const StreamFacts& narrow_;
  const std::vector<Node>& nodes_;
  std::unordered_map<Id, uint32_t> nodes_of_labels_;
  std::unordered_map<Id, const Type*> types_;
  std::unordered_map<Id, const spirv::Variable*> variables_;  // Function and Private
  std::unordered_map<Id, Extent> uses_, accesses_;
  std::unordered_set<Id> lifetimes_;  // variables that start anew somewhere

  std::vector<SubgroupRegion> regions_;
  std::optional<Position> open_;
  Position last_{};
};

}  // namespace

void forEachInstruction(const SubgroupRegion& region, const spirv::Module& module,
                        const Linearization& linearization,
                        llvm::function_ref<void(const Instruction&)> body) {
  const auto& nodes = linearization.nodes();
  for (uint32_t n = region.first; n <= region.last; ++n) {
    if (nodes[n].latch) continue;
    const auto& instructions = module.entry.blocks[nodes[n].block].instructions;
    const size_t end = n == region.last ? region.end : instructions.size();
    for (size_t k = n == region.first ? region.begin : 0; k < end; ++k) body(instructions[k]);
  }
}

std::vector<SubgroupRegion> planRegions(const spirv::Module& module, const StreamFacts& wide,
                                        const StreamFacts& narrow) {
  return Planner(module, wide, narrow).plan();
}

}  // namespace jit::simt
