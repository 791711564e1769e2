// SPDX-License-Identifier: Apache-2.0

// How integers move from lane to lane: what each instruction makes of the shapes of its operands.
// Solved together with the levels, in the same rounds; see lane_shape.h.
#include <algorithm>
#include <bit>

#include "jit/analysis/shape_rules.h"
#include "jit/analysis/uniformity.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "runtime/kernel_abi.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;
using spirv::Type;
using spirv::TypeKind;

namespace {

const Type* componentOf(const Type* type) {
  if (type == nullptr) return nullptr;
  return type->kind == TypeKind::Vector ? type->element : type;
}

unsigned componentsOf(const Type* type) {
  return type != nullptr && type->kind == TypeKind::Vector ? type->count : 1;
}

// How often the bound of a value may grow before it is given up.
constexpr unsigned kMaxRaises = 2;

}  // namespace

unsigned UniformityAnalysis::laneBits() const {
  return static_cast<unsigned>(std::bit_width(shape_.stream_size - 1));
}

uint16_t UniformityAnalysis::allBits() const {
  return static_cast<uint16_t>((1u << laneBits()) - 1);
}

LaneShape UniformityAnalysis::shape(Id id, uint32_t component) const {
  if (!keeps_shapes_) return {};
  if (const spirv::Constant* constant = module_.constant(id)) {
    const unsigned width = shapeWidth(componentOf(constant->type));
    if (width == 0 || component >= componentsOf(constant->type)) return {};
    return constantShape(width,
                         component < constant->leaves.size() ? constant->leaves[component] : 0);
  }
  auto it = shapes_.find(id);
  if (it != shapes_.end() && component < it->second.size()) return it->second[component];
  return {};
}

LaneShape UniformityAnalysis::shapeAt(Id id, uint32_t component, uint32_t node) const {
  LaneShape s = shape(id, component);
  if (s.width != 0 && leavesDynamicLoop(id, node, linearization_))
    return unknown(s.width, allBits());
  return s;
}

// Bits of the lane's number that a component changes with.
uint16_t UniformityAnalysis::dependence(Id id, uint32_t component, uint32_t node) const {
  const LaneShape s = shapeAt(id, component, node);
  if (s.width != 0) return s.varying();
  return levels(id, node)[std::min(component, 3u)] == Uniformity::Varying ? allBits() : 0;
}

uint16_t UniformityAnalysis::dependence(Id id, uint32_t node) const {
  const unsigned components = std::min(componentsOf(typeOf(id)), 4u);
  uint16_t bits = 0;
  for (unsigned c = 0; c < components; ++c) bits |= dependence(id, c, node);
  return bits;
}

const Type* UniformityAnalysis::typeOf(Id id) const {
  if (auto it = types_.find(id); it != types_.end()) return it->second;
  const spirv::Constant* constant = module_.constant(id);
  return constant == nullptr ? nullptr : constant->type;
}

// Vulkan Specification, "Built-In Variables"; the order is that of builtinLevels.
// Of invocations' numbers in the workgroup: first + lane, where `first` is the stream's.
LaneShape UniformityAnalysis::invocationShape() const {
  constexpr unsigned kWidth = 32;
  const uint32_t lanes = shape_.stream_size;
  const uint32_t invocations = shape_.size[0] * shape_.size[1] * shape_.size[2];
  const unsigned known_zeros =
      invocations <= lanes ? kWidth : static_cast<unsigned>(std::countr_zero(lanes));
  return countingShape(kWidth, static_cast<unsigned>(std::bit_width(lanes - 1)), known_zeros,
                       invocations - 1);
}

LaneShape UniformityAnalysis::builtinShape(spv::BuiltIn builtin, uint32_t component) const {
  constexpr unsigned kWidth = 32;
  const auto& size = shape_.size;
  const uint32_t lanes = shape_.stream_size;
  const bool quads = module_.derivative_group == spirv::DerivativeGroup::Quads;
  auto constant = [](uint64_t value) { return constantShape(kWidth, value); };
  switch (builtin) {
    case spv::BuiltIn::WorkgroupSize:
      return component < 3 ? constant(size[component]) : LaneShape{};
    case spv::BuiltIn::SubgroupSize:
      return constant(shape_.subgroup_size);
    case spv::BuiltIn::LocalInvocationIndex:
      return quads ? unknown(kWidth, allBits()) : invocationShape();
    case spv::BuiltIn::SubgroupLocalInvocationId: {
      const uint32_t subgroup = std::min(shape_.subgroup_size, lanes);
      return countingShape(kWidth, static_cast<unsigned>(std::bit_width(subgroup - 1)), kWidth,
                           subgroup - 1);
    }
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId: {
      if (component > 2) return {};
      LaneShape local = quads ? unknown(kWidth, allBits()) : invocationShape();
      for (uint32_t c = 0; c < component && !quads; ++c)
        local = divide(local, constant(size[c]), false);
      const bool last = component == 2 || (component == 1 && size[2] == 1) ||
                        (component == 0 && size[1] == 1 && size[2] == 1);
      if (!last && !quads) local = remainder(local, constant(size[component]), false);
      if (size[component] == 1) local = constant(0);
      local.most = size[component] - 1;
      if (builtin == spv::BuiltIn::LocalInvocationId) return local;
      LaneShape first =
          uniformShape(kWidth, static_cast<unsigned>(std::countr_zero(size[component])));
      first.most = (rt::kMaxWorkgroupCount[component] - 1) * size[component];
      return add(local, first);
    }
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups: {
      if (component > 2) return {};
      LaneShape number = uniformShape(kWidth);
      number.most = rt::kMaxWorkgroupCount[component];
      return number;
    }
    default:
      return unknown(kWidth, allBits());  // what is uniform, levels say
  }
}

LaneShape UniformityAnalysis::loadShape(const Instruction& load, uint32_t component,
                                        uint32_t node) const {
  const Id pointer = load.operands[0];
  const unsigned width = shapeWidth(componentOf(load.type));
  const Type* type = typeOf(pointer);
  if (type != nullptr && type->storage == spv::StorageClass::Input) {
    const LaneShape all = unknown(width, allBits());
    if (const auto& d = module_.decorated(pointer); d.builtin) {
      const LaneShape s = builtinShape(*d.builtin, component);
      return s.width == width ? s : all;
    }
    const LaneShape s = shapeAt(pointer, 0, node);
    return s.width == width && componentsOf(load.type) == 1 ? s : all;
  }
  return unknown(width, root(pointer) != 0 ? allBits() : dependence(pointer, node));
}

LaneShape UniformityAnalysis::binaryShape(const Instruction& i, uint32_t component, uint32_t node,
                                          unsigned width) const {
  if (i.operands.empty()) return {};
  LaneShape a = shapeAt(i.operands[0], component, node);
  LaneShape b = i.operands.size() > 1 ? shapeAt(i.operands[1], component, node) : LaneShape{};
  auto amount = [&] {
    if (b.width == 0 || b.width == width) return b;
    // The low bits of an amount are all that counts, as in ops_bit.cpp.
    return b.width > width ? truncate(b, width) : extend(b, width, false);
  };
  switch (i.op) {
    case spv::Op::OpIAdd:
      return add(a, b);
    case spv::Op::OpISub:
      return subtract(a, b);
    case spv::Op::OpIMul:
      return multiply(a, b);
    case spv::Op::OpSNegate:
      return subtract(constantShape(width, 0), a);
    case spv::Op::OpNot:
      return complement(a);
    case spv::Op::OpShiftLeftLogical:
      return shiftLeft(a, amount());
    case spv::Op::OpShiftRightLogical:
      return shiftRight(a, amount(), false);
    case spv::Op::OpShiftRightArithmetic:
      return shiftRight(a, amount(), true);
    case spv::Op::OpBitwiseAnd:
      return bitAnd(a, b);
    case spv::Op::OpBitwiseOr:
      return bitOr(a, b, false);
    case spv::Op::OpBitwiseXor:
      return bitOr(a, b, true);
    case spv::Op::OpUDiv:
      return divide(a, b, false);
    case spv::Op::OpSDiv:
      return divide(a, b, true);
    case spv::Op::OpUMod:
      return remainder(a, b, false);
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
      return remainder(a, b, true);
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
      if (a.width == 0) return {};
      return a.width >= width ? truncate(a, width) : extend(a, width, i.op == spv::Op::OpSConvert);
    default:
      return {};
  }
}

bool UniformityAnalysis::comparisonAgrees(const Instruction& i, uint32_t component,
                                          uint32_t node) const {
  const std::optional<Comparison> compared = comparison(i.op);
  if (!compared) return false;
  const LaneShape a = shapeAt(i.operands[compared->swapped ? 1 : 0], component, node);
  const LaneShape b = shapeAt(i.operands[compared->swapped ? 0 : 1], component, node);
  return agrees(compared->relation, a, b);
}

LaneShape UniformityAnalysis::phiShape(const Instruction& phi, uint32_t component,
                                       uint32_t n) const {
  const unsigned width = shapeWidth(componentOf(phi.type));
  std::optional<LaneShape> joined;
  bool same = true;
  for (size_t k = 0; k + 1 < phi.operands.size(); k += 2)
    same &= phi.operands[k] == phi.operands[0];
  for (size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    const Id id = phi.operands[k];
    const uint32_t from = linearization_.nodeOf(phi.operands[k + 1]);
    if (definition(id) != kNoNode && levels_.count(id) == 0) continue;  // not reached yet
    LaneShape s = shapeAt(id, component, from);
    if (s.width == 0) return unknown(width, allBits());
    joined = joined ? join(*joined, s) : s;
  }
  if (!joined) return {};
  if (linearization_.gathers(n) && (!same || takesFromLoop(phi, n, linearization_)))
    return unknown(width, allBits());
  if (!joined->exact()) return unknown(width, joined->varying());
  if (const std::optional<uint64_t> most = inductionBound(phi, component, n)) joined->most = *most;
  return *joined;
}

// Of MatrixInvocation and MatrixElementNumber.
LaneShape UniformityAnalysis::matrixNumberShape(const Instruction& i, uint32_t node) const {
  constexpr unsigned kWidth = 32;
  const bool is_workgroups = module_.types.at(i.operands[0])->scope == spv::Scope::Workgroup;
  // Of subgroups' matrices a wide stream has many.
  if (!is_workgroups && shape_.hasWideStream()) return unknown(kWidth, allBits());
  const LaneShape number =
      is_workgroups ? invocationShape() : builtinShape(spv::BuiltIn::SubgroupLocalInvocationId, 0);
  if (i.op == opcode(spirv::InternalOp::MatrixInvocation)) return number;
  const LaneShape index = shapeAt(i.operands[1], 0, node);
  if (!shape_.counts_components || index.width != kWidth) return unknown(kWidth, allBits());
  const uint32_t invocations =
      is_workgroups ? shape_.size[0] * shape_.size[1] * shape_.size[2] : shape_.subgroup_size;
  return add(multiply(index, constantShape(kWidth, invocations)), number);
}

LaneShape UniformityAnalysis::shapeOf(const Instruction& i, uint32_t component,
                                      uint32_t node) const {
  const unsigned width = shapeWidth(componentOf(i.type));
  if (i.op == opcode(spirv::InternalOp::MatrixInvocation) ||
      i.op == opcode(spirv::InternalOp::MatrixElementNumber))
    return matrixNumberShape(i, node);
  switch (i.op) {
    case spv::Op::OpPhi:
      return phiShape(i, component, node);
    case spv::Op::OpLoad:
      return loadShape(i, component, node);
    case spv::Op::OpCopyObject:
      return shapeAt(i.operands[0], component, node);
    case spv::Op::OpBitcast:
      if (shapeAt(i.operands[0], component, node).width == width)
        return shapeAt(i.operands[0], component, node);
      break;
    case spv::Op::OpCompositeExtract:
      if (i.operands.size() == 2 && typeOf(i.operands[0]) != nullptr &&
          typeOf(i.operands[0])->kind == TypeKind::Vector)
        return shapeAt(i.operands[0], i.operands[1], node);
      break;
    case spv::Op::OpCompositeInsert:
      if (i.operands.size() == 3)
        return component == i.operands[2] ? shapeAt(i.operands[0], 0, node)
                                          : shapeAt(i.operands[1], component, node);
      break;
    case spv::Op::OpCompositeConstruct: {
      uint32_t at = component;
      for (Id id : i.operands) {
        const unsigned components = componentsOf(typeOf(id));
        if (at < components) return shapeAt(id, at, node);
        at -= components;
      }
      break;
    }
    case spv::Op::OpVectorShuffle: {
      const uint32_t chosen = i.operands[2 + component];
      if (chosen == ~0u) return constantShape(width, 0);
      const unsigned first = componentsOf(typeOf(i.operands[0]));
      return chosen < first ? shapeAt(i.operands[0], chosen, node)
                            : shapeAt(i.operands[1], chosen - first, node);
    }
    case spv::Op::OpSelect: {
      const uint32_t c = componentsOf(typeOf(i.operands[0])) > 1 ? component : 0;
      const LaneShape a = shapeAt(i.operands[1], component, node);
      const LaneShape b = shapeAt(i.operands[2], component, node);
      if (dependence(i.operands[0], c, node) == 0 && a.exact() && b.exact()) return join(a, b);
      break;
    }
    default:
      break;
  }
  const LaneShape s = binaryShape(i, component, node, width);
  if (s.width == width && s.width != 0) return s;
  if (comparisonAgrees(i, component, node)) return uniformShape(1);
  if (!spirv::traitsOf(i.op).by_lane) return unknown(width, allBits());
  uint16_t bits = 0;
  for (Id id : spirv::valueOperands(i)) bits |= dependence(id, node);
  return unknown(width, bits);
}

bool UniformityAnalysis::hasShapes(const Instruction& i) const {
  return keeps_shapes_ && shapeWidth(componentOf(i.type)) != 0 && componentsOf(i.type) <= 4;
}

bool UniformityAnalysis::raiseShapes(const Instruction& i, uint32_t node, Levels& raised) {
  if (!keeps_shapes_ || i.type == nullptr) return false;
  const bool is_pointer = i.type->kind == TypeKind::Pointer;
  if (is_pointer) {
    // Of an access chain: what it depends on, or the shape of a built-in's component.
    if (!spirv::isAccessChain(i.op)) return false;
    LaneShape s;
    const auto& decorations = module_.decorated(i.operands[0]);
    if (i.type->storage == spv::StorageClass::Input) {
      const spirv::Constant* index =
          i.operands.size() == 2 ? module_.constant(i.operands[1]) : nullptr;
      if (!decorations.builtin || index == nullptr) return false;
      s = builtinShape(*decorations.builtin,
                       static_cast<uint32_t>(std::min<uint64_t>(index->leaves[0], 3)));
    } else {
      uint16_t bits = 0;
      for (Id id : i.operands) bits |= dependence(id, node);
      s = unknown(64, bits);
    }
    if (s.width == 0) return false;
    if (*std::max_element(raised.begin(), raised.end()) != Uniformity::Varying)
      s = uniformShape(s.width);
    else if (s.isUniform())  // of something that every invocation has a part of
      s = unknown(s.width, allBits());
    return raiseShape(i.result, 0, 1, s);
  }
  if (!hasShapes(i)) return false;
  const unsigned components = componentsOf(i.type), width = shapeWidth(componentOf(i.type));
  bool changed = false;
  for (uint32_t c = 0; c < components; ++c) {
    LaneShape s = shapeOf(i, c, node);
    if (s.width == 0 && i.op == spv::Op::OpPhi) continue;  // nothing has reached it yet
    if (s.width != width) s = unknown(width, allBits());
    // Neighbours that are apart by what is known at run time are of no use to anybody: there is no
    // run of lanes. To carry on what each bit adds costs as much as the value of each lane.
    if ((s.runtime & 1) != 0) s = unknown(width, s.varying());
    if (raised[c] < Uniformity::Varying) {
      if (!s.isUniform() || !s.exact()) s = uniformShape(width);
    } else if (s.isUniform() && s.exact()) {
      raised[c] = Uniformity::Subgroup;
    }
    changed |= raiseShape(i.result, c, components, s);
    // What was not uniform before stays so.
    if (!shapes_.at(i.result)[c].isUniform() || !shapes_.at(i.result)[c].exact())
      raised[c] = Uniformity::Varying;
  }
  for (uint32_t c = components; c < raised.size(); ++c)
    raised[c] = std::min(raised[c], *std::max_element(raised.begin(), raised.begin() + components));
  return changed;
}

bool UniformityAnalysis::raiseShape(Id id, uint32_t component, unsigned components,
                                    const LaneShape& shape) {
  auto& all = shapes_[id];
  all.resize(std::max<size_t>(all.size(), components));
  LaneShape& current = all[component];
  if (current.width == 0) {
    current = shape;
    return shape.width != 0;
  }
  LaneShape next = current == shape ? current : join(current, shape);
  if (next.most > current.most) {
    next.raises = static_cast<uint8_t>(current.raises + 1);
    if (next.raises > kMaxRaises) next.most = uniformShape(next.width).most;
  } else {
    next.raises = current.raises;
  }
  if (next == current) return false;
  current = next;
  return true;
}

}  // namespace jit::simt
