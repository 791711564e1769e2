// SPDX-License-Identifier: Apache-2.0

// What each instruction makes of the levels of its operands.
#include <algorithm>

#include "jit/analysis/uniformity.h"
#include "jit/spirv/group_instruction.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;
using spirv::SharedBy;
using spirv::Type;
using spirv::TypeKind;

namespace {

constexpr Uniformity kWorkgroup = Uniformity::Workgroup;
constexpr Uniformity kSubgroup = Uniformity::Subgroup;
constexpr Uniformity kVarying = Uniformity::Varying;

Uniformity join(Uniformity a, Uniformity b) { return std::max(a, b); }

bool isSmallVector(const Type* type) {
  return type != nullptr && type->kind == TypeKind::Vector && type->count <= 4;
}

bool isMatrix(const Type* type) {
  return type != nullptr && type->kind == TypeKind::CooperativeMatrix;
}

}  // namespace

// Vulkan Specification, "Built-In Variables". Invocations are numbered x first, and subgroups
// take them in that order, or in blocks of 2x2 in x and y, whose numbers are x first.
UniformityAnalysis::Levels UniformityAnalysis::builtinLevels(spv::BuiltIn builtin) const {
  switch (builtin) {
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::DeviceIndex:
      return {};
    case spv::BuiltIn::SubgroupId:
      if (shape_.hasWideStream()) return {kVarying, kVarying, kVarying, kVarying};
      return {kSubgroup, kSubgroup, kSubgroup, kSubgroup};
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId: {
      Levels levels{};
      uint64_t run = 1;  // invocations over which this component stays the same
      for (int c = 0; c < 3; ++c) {
        const bool in_blocks = c < 2 && module_.derivative_group == spirv::DerivativeGroup::Quads;
        const bool shared = run % shape_.stream_size == 0 && !in_blocks;
        if (shape_.size[c] > 1) levels[c] = shared ? kSubgroup : kVarying;
        run *= shape_.size[c];
      }
      return levels;
    }
    default:
      return {kVarying, kVarying, kVarying, kVarying};
  }
}

UniformityAnalysis::Levels UniformityAnalysis::loadLevels(const Instruction& load,
                                                          uint32_t node) const {
  Id pointer = load.operands[0];
  if (isMatrix(load.type)) return {kSubgroup, kSubgroup, kSubgroup, kSubgroup};
  const Type* pointer_type = types_.count(pointer) ? types_.at(pointer) : nullptr;
  auto storage = pointer_type ? pointer_type->storage : spv::StorageClass::Generic;
  if (storage == spv::StorageClass::Input) {
    if (const auto& d = module_.decorated(pointer); d.builtin) return builtinLevels(*d.builtin);
    return levels(pointer, node);  // an access chain into a built-in
  }
  Uniformity level = at(pointer, node);
  if (Id r = root(pointer)) level = join(level, variable(r));
  // Others may write to memory while streams run at different times.
  else if (storage != spv::StorageClass::PushConstant &&
           (storage != spv::StorageClass::Uniform || uniform_is_written_))
    level = join(level, kSubgroup);
  return {level, level, level, level};
}

// Whether a phi has a value of a loop that invocations left one after the other, with what they had
// at that time.
bool UniformityAnalysis::takesFromLoop(const Instruction& phi, uint32_t node,
                                       const Linearization& flow) const {
  for (size_t k = 0; k + 1 < phi.operands.size(); k += 2)
    if (leavesDynamicLoop(phi.operands[k], node, flow)) return true;
  return false;
}

bool UniformityAnalysis::visitPhi(const Instruction& phi, uint32_t n) {
  Levels result{};
  bool same = true;
  for (size_t k = 0; k + 1 < phi.operands.size(); k += 2) {
    Levels l = levels(phi.operands[k], linearization_.nodeOf(phi.operands[k + 1]));
    for (int c = 0; c < 4; ++c) result[c] = join(result[c], l[c]);
    same &= phi.operands[k] == phi.operands[0];
  }
  // Invocations that come from several blocks or at several times bring several values.
  for (const Flow& flow : flows()) {
    if (!flow.linearization.gathers(n) || (same && !takesFromLoop(phi, n, flow.linearization)))
      continue;
    for (auto& r : result) r = join(r, isMatrix(phi.type) ? kSubgroup : flow.divided);
  }
  return raise(phi, n, result);
}

UniformityAnalysis::Levels UniformityAnalysis::chainLevels(const Instruction& chain,
                                                           uint32_t node) const {
  auto all = [](Uniformity level) { return Levels{level, level, level, level}; };
  // A component of a built-in, or of a cooperative matrix, which differs by invocation.
  const Id base_id = chain.operands[0];
  const Type* base = types_.count(base_id) ? types_.at(base_id) : nullptr;
  if (base != nullptr && base->storage == spv::StorageClass::Input) {
    const auto& decorations = module_.decorated(base_id);
    if (decorations.builtin && chain.operands.size() == 2) {
      const Levels builtin = builtinLevels(*decorations.builtin);
      const auto* index = module_.constant(chain.operands[1]);
      return all(index ? builtin[std::min<uint64_t>(index->leaves[0], 3)]
                       : *std::max_element(builtin.begin(), builtin.end()));
    }
  }
  Uniformity level = kWorkgroup;
  for (Id id : chain.operands) level = join(level, at(id, node));
  const Type* t = base != nullptr ? base->element : nullptr;
  for (size_t k = 1; k < chain.operands.size() && t != nullptr; ++k) {
    if (isMatrix(t)) level = kVarying;
    if (t->kind == TypeKind::Struct) {
      const auto* index = module_.constant(chain.operands[k]);
      t = index && index->leaves[0] < t->members.size() ? t->members[index->leaves[0]].type
                                                        : nullptr;
    } else {
      t = t->element;
    }
  }
  return all(level);
}

bool UniformityAnalysis::visit(const Instruction& instruction, uint32_t node) {
  if (instruction.result == 0) return false;
  if (const auto group = spirv::groupInstruction(instruction))
    return raise(instruction, node, groupLevels(instruction, *group, node));
  if (spirv::isAccessChain(instruction.op))
    return raise(instruction, node, chainLevels(instruction, node));
  Levels result{};
  auto all = [&](Uniformity level) { result = {level, level, level, level}; };
  switch (instruction.op) {
    case spv::Op::OpPhi:
      return visitPhi(instruction, node);
    case spv::Op::OpLoad:
      return raise(instruction, node, loadLevels(instruction, node));
    case spv::Op::OpCompositeExtract: {
      Id composite = instruction.operands[0];
      const Type* type = types_.count(composite) ? types_.at(composite) : nullptr;
      if (isMatrix(type))
        all(kVarying);
      else if (isSmallVector(type) && instruction.operands.size() == 2)
        all(levels(composite, node)[std::min<uint32_t>(instruction.operands[1], 3)]);
      else
        all(at(composite, node));
      // A matrix out of an array of matrices is still one value of the stream.
      if (isMatrix(instruction.type)) all(kSubgroup);
      return raise(instruction, node, result);
    }
    case spv::Op::OpCompositeConstruct:
      if (isSmallVector(instruction.type)) {
        uint32_t c = 0;
        for (Id id : instruction.operands) {
          Levels l = levels(id, node);
          const Type* type = types_.count(id)       ? types_.at(id)
                             : module_.constant(id) ? module_.constant(id)->type
                                                    : nullptr;
          uint32_t n = type && type->kind == TypeKind::Vector ? type->count : 1;
          for (uint32_t k = 0; k < n && c < 4; ++k) result[c++] = l[std::min(k, 3u)];
        }
        return raise(instruction, node, result);
      }
      break;
    case spv::Op::OpVectorShuffle:
      if (isSmallVector(instruction.type)) {
        Levels sources[2] = {levels(instruction.operands[0], node),
                             levels(instruction.operands[1], node)};
        const Type* first = types_.count(instruction.operands[0])
                                ? types_.at(instruction.operands[0])
                            : module_.constant(instruction.operands[0])
                                ? module_.constant(instruction.operands[0])->type
                                : nullptr;
        uint32_t n = first != nullptr ? first->count : 4;
        for (size_t k = 2; k < instruction.operands.size() && k < 6; ++k) {
          uint32_t c = instruction.operands[k];
          result[k - 2] = c == ~0u ? kWorkgroup
                          : c < n  ? sources[0][std::min(c, 3u)]
                                   : sources[1][std::min(c - n, 3u)];
        }
        return raise(instruction, node, result);
      }
      break;
    case spv::Op::OpCompositeInsert:
      if (isSmallVector(instruction.type) && instruction.operands.size() == 3) {
        result = levels(instruction.operands[1], node);
        result[std::min<uint32_t>(instruction.operands[2], 3)] = at(instruction.operands[0], node);
        return raise(instruction, node, result);
      }
      break;
    default:
      break;
  }
  const SharedBy shared_by = spirv::traitsOf(instruction.op).shared_by;
  switch (shared_by) {
    case SharedBy::Stream:
      all(kSubgroup);
      return raise(instruction, node, result);
    case SharedBy::Address:
      all(join(at(instruction.operands[0], node), kSubgroup));
      return raise(instruction, node, result);
    case SharedBy::Nobody:
      all(kVarying);
      return raise(instruction, node, result);
    default:
      break;
  }
  if (isMatrix(instruction.type)) {
    all(kSubgroup);
    return raise(instruction, node, result);
  }
  // What subgroups of a wide stream find in matrices of their own.
  if (shape_.hasWideStream() &&
      (instruction.type->isScalar() || instruction.type->kind == TypeKind::Vector)) {
    const auto ids = valueOperands(instruction);
    const bool of_matrix = std::any_of(ids.begin(), ids.end(), [&](Id id) {
      const auto type = types_.find(id);
      return type != types_.end() && isMatrix(type->second) &&
             type->second->scope == spv::Scope::Subgroup;
    });
    if (of_matrix) {
      all(kVarying);
      return raise(instruction, node, result);
    }
  }
  bool by_component = isSmallVector(instruction.type) && shared_by != SharedBy::Joined;
  for (Id id : valueOperands(instruction)) {
    Levels l = levels(id, node);
    const Type* type = types_.count(id) ? types_.at(id) : nullptr;
    if (by_component && (type == nullptr || isSmallVector(type))) {
      for (int c = 0; c < 4; ++c) result[c] = join(result[c], l[c]);
    } else {
      Uniformity level = *std::max_element(l.begin(), l.end());
      for (auto& r : result) r = join(r, level);
    }
  }
  return raise(instruction, node, result);
}

}  // namespace jit::simt
