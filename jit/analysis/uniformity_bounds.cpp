// SPDX-License-Identifier: Apache-2.0

// Bounds of numbers, of those that count in loops above all: from the comparisons before a back
// edge.
#include <algorithm>

#include "jit/analysis/shape_rules.h"
#include "jit/analysis/uniformity.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;
using spirv::TypeKind;

unsigned shapeWidth(const spirv::Type* type) {
  if (type == nullptr) return 0;
  if (type->kind == TypeKind::Bool) return 1;
  if (type->kind == TypeKind::Int) return type->width;
  return 0;
}

std::optional<Comparison> comparison(spv::Op op) {
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
      return Comparison{Relation::Equal};
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
      return Comparison{Relation::Less};
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
      return Comparison{Relation::Less, true};
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
      return Comparison{Relation::LessOrEqual};
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
      return Comparison{Relation::LessOrEqual, true};
    default:
      return std::nullopt;
  }
}

namespace {

bool isSignedComparison(spv::Op op) {
  return op == spv::Op::OpSLessThan || op == spv::Op::OpSLessThanEqual ||
         op == spv::Op::OpSGreaterThan || op == spv::Op::OpSGreaterThanEqual;
}

uint64_t largest(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

}  // namespace

// What copies and changes of sign only hand on.
Id UniformityAnalysis::origin(Id id) const {
  for (auto it = instructions_.find(id); it != instructions_.end(); it = instructions_.find(id)) {
    const Instruction& i = *it->second;
    const bool same_bits = i.op == spv::Op::OpBitcast && shapeWidth(i.type) != 0 &&
                           shapeWidth(i.type) == shapeWidth(typeOf(i.operands[0]));
    if (i.op != spv::Op::OpCopyObject && !same_bits) break;
    id = i.operands[0];
  }
  return id;
}

// What `id` is as factor * value + what is between 0 and `most`.
std::optional<UniformityAnalysis::Multiple> UniformityAnalysis::multipleOf(Id id, Id value,
                                                                           uint32_t node,
                                                                           unsigned depth) const {
  constexpr unsigned kMaxDepth = 4;
  constexpr uint64_t kMaxFactor = 1 << 16;
  id = origin(id);
  if (id == value) return Multiple{1, 0};
  auto it = instructions_.find(id);
  if (it == instructions_.end() || depth > kMaxDepth) return std::nullopt;
  const Instruction& i = *it->second;
  if (i.op != spv::Op::OpIAdd && i.op != spv::Op::OpIMul && i.op != spv::Op::OpShiftLeftLogical)
    return std::nullopt;
  for (size_t k = 0; k < (i.op == spv::Op::OpShiftLeftLogical ? 1u : 2u); ++k) {
    std::optional<Multiple> part = multipleOf(i.operands[k], value, node, depth + 1);
    if (!part) continue;
    const LaneShape other = shapeAt(i.operands[1 - k], 0, node);
    if (i.op == spv::Op::OpIAdd) {
      if (!other.isNonNegative() || part->most > largest(62) || other.most > largest(62))
        return std::nullopt;
      part->most += other.most;
      return part;
    }
    const std::optional<uint64_t> constant = other.constant();
    const uint64_t factor = !constant                 ? 0
                            : i.op == spv::Op::OpIMul ? *constant
                            : *constant < other.width ? uint64_t{1} << *constant
                                                      : 0;
    if (factor == 0 || factor > kMaxFactor || part->factor > kMaxFactor || part->most > largest(40))
      return std::nullopt;
    return Multiple{part->factor * factor, part->most * factor};
  }
  return std::nullopt;
}

// The most that a number can have, which may be negative if it is compared as a signed one.
std::optional<uint64_t> UniformityAnalysis::mostOfLimit(Id id, bool is_signed,
                                                        uint32_t node) const {
  const LaneShape limit = shapeAt(id, 0, node);
  if (limit.isNonNegative()) return limit.most;
  auto it = instructions_.find(origin(id));
  if (!is_signed || it == instructions_.end()) return std::nullopt;
  const Instruction& i = *it->second;
  const bool shifts = i.op == spv::Op::OpShiftRightArithmetic;
  if (i.op != spv::Op::OpSDiv && !shifts) return std::nullopt;
  const std::optional<uint64_t> by = shapeAt(i.operands[1], 0, node).constant();
  const uint64_t all = largest(shapeWidth(i.type) - 1u);
  if (!by || *by == 0 || *by > all || (shifts && *by >= shapeWidth(i.type))) return std::nullopt;
  return shifts ? all >> *by : all / *by;
}

// The least bound of `value`, a counter or what it is next, that follows from `condition` being
// `holds`.
std::optional<uint64_t> UniformityAnalysis::boundFrom(Id condition, bool holds, Id value,
                                                      const Counter& counter, uint32_t node,
                                                      unsigned depth) const {
  constexpr unsigned kMaxDepth = 4;
  auto it = instructions_.find(origin(condition));
  if (it == instructions_.end() || depth > kMaxDepth) return std::nullopt;
  const Instruction& i = *it->second;
  if (i.op == spv::Op::OpLogicalNot)
    return boundFrom(i.operands[0], !holds, value, counter, node, depth + 1);
  if (i.op == (holds ? spv::Op::OpLogicalAnd : spv::Op::OpLogicalOr)) {
    const auto a = boundFrom(i.operands[0], holds, value, counter, node, depth + 1);
    const auto b = boundFrom(i.operands[1], holds, value, counter, node, depth + 1);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  const std::optional<Comparison> compared = comparison(i.op);
  if (!compared || compared->relation == Relation::Equal) return std::nullopt;
  // a < b, or a <= b.
  Id a = i.operands[compared->swapped ? 1 : 0], b = i.operands[compared->swapped ? 0 : 1];
  bool strict = compared->relation == Relation::Less;
  if (!holds) {
    std::swap(a, b);
    strict = !strict;
  }
  const std::optional<Multiple> multiple = multipleOf(a, value, node, 0);
  const std::optional<uint64_t> limit = mostOfLimit(b, isSignedComparison(i.op), node);
  const unsigned width = shapeWidth(typeOf(b));
  if (!multiple || !limit || width == 0) return std::nullopt;
  const uint64_t most = strict && *limit != 0 ? *limit - 1 : *limit;
  const uint64_t bound = most / multiple->factor;
  // The comparison says so only if nothing has wrapped around: with all that the counter can have.
  const uint64_t fits = largest(width - 1);
  if (multiple->most > fits || counter.first > fits || bound > fits) return std::nullopt;
  if (std::max(counter.first, bound) + counter.step > (fits - multiple->most) / multiple->factor)
    return std::nullopt;
  return bound;
}

// The most that a counter can have which starts without a sign, goes up by a constant, and,
// before the back edge, is compared with something that is bounded.
std::optional<uint64_t> UniformityAnalysis::inductionBound(const Instruction& phi,
                                                           uint32_t component, uint32_t n) const {
  const auto& nodes = linearization_.nodes();
  if (component != 0 || nodes[n].header_latch == kNoNode || phi.operands.size() != 4 ||
      phi.type->kind != TypeKind::Int)
    return std::nullopt;
  const unsigned width = phi.type->width;
  for (size_t back = 0; back < 4; back += 2) {
    const uint32_t from = linearization_.nodeOf(phi.operands[back + 1]);
    const uint32_t outside = linearization_.nodeOf(phi.operands[3 - back]);
    if (!linearization_.inLoop(from, n) || linearization_.inLoop(outside, n)) continue;
    const LaneShape first = shapeAt(phi.operands[2 - back], component, outside);
    const Id next = origin(phi.operands[back]);
    auto sum = instructions_.find(next);
    if (!first.isNonNegative() || sum == instructions_.end() || sum->second->op != spv::Op::OpIAdd)
      return std::nullopt;
    const auto& terms = sum->second->operands;
    const size_t which = origin(terms[0]) == phi.result ? 0 : 1;
    const std::optional<uint64_t> step = shape(terms[1 - which], 0).constant();
    if (origin(terms[which]) != phi.result || !step || *step > largest(width - 2))
      return std::nullopt;
    std::optional<uint64_t> bound;
    const Counter counter{first.most, *step};
    auto consider = [&](Id condition, bool holds, uint32_t at) {
      if (const auto b = boundFrom(condition, holds, next, counter, at, 0))
        bound = std::min(bound.value_or(*b), *b);
      if (const auto b = boundFrom(condition, holds, phi.result, counter, at, 0))
        bound = std::min(bound.value_or(*b + *step), *b + *step);
    };
    // Every branch that leads to the back edge.
    for (uint32_t d = from; d != kNoNode; d = nodes[d].dominator) {
      const Instruction& t = module_.entry.blocks[nodes[d].block].terminator;
      if (!nodes[d].latch && t.op == spv::Op::OpBranchConditional) {
        auto leads = [&](uint32_t to) {
          if (to == nodes[n].header_latch) return d == from;
          return nodes[to].predecessors.size() == 1 && linearization_.dominates(to, from);
        };
        const bool on_true = leads(nodes[d].successors[0]);
        const bool on_false = leads(nodes[d].successors[1]);
        if (on_true != on_false) consider(t.operands[0], on_true, d);
      }
      if (d == n) break;
    }
    if (!bound) return std::nullopt;
    const uint64_t most = std::max(first.most, *bound);
    if (most > largest(width - 1) - *step) return std::nullopt;
    return most;
  }
  return std::nullopt;
}

}  // namespace jit::simt
