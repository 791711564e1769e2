// SPDX-License-Identifier: Apache-2.0

#include "jit/analysis/uniformity.h"

#include <algorithm>

#include "jit/base/containment.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"

namespace jit::simt {

using spirv::Id;
using spirv::Instruction;
using spirv::PointsTo;
using spirv::Type;
using spirv::TypeKind;

namespace {

constexpr Uniformity kWorkgroup = Uniformity::Workgroup;
constexpr Uniformity kSubgroup = Uniformity::Subgroup;
constexpr Uniformity kVarying = Uniformity::Varying;

Uniformity join(Uniformity a, Uniformity b) { return std::max(a, b); }

bool isPrivateStorage(spv::StorageClass storage) {
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
}

// Whether every leaf of the type is a cooperative matrix, which a stream holds once.
bool holdsOnlyMatrices(const Type* type) {
  switch (type->kind) {
    case TypeKind::CooperativeMatrix:
      return true;
    case TypeKind::Array:
      return holdsOnlyMatrices(type->element);
    case TypeKind::Struct:
      return std::all_of(type->members.begin(), type->members.end(),
                         [](const auto& m) { return holdsOnlyMatrices(m.type); });
    default:
      return false;
  }
}

}  // namespace

UniformityAnalysis::UniformityAnalysis(const spirv::Module& module, const WorkgroupShape& shape,
                                       Linearization& linearization)
    : module_(module),
      shape_(shape),
      keeps_shapes_(shape.stream_size > 1 && shape.stream_size <= (1u << kMaxLaneBits)),
      uniform_is_written_(std::any_of(module.types.begin(), module.types.end(),
                                      [](const auto& type) { return type.second->buffer_block; })),
      linearization_(linearization),
      workgroup_flow_(linearization) {
  collect();
  bool changed = true;
  while (changed) {
    heedTimeLimit();
    linearization_.solve([this](uint32_t node) { return branchVaries(node); });
    workgroup_flow_.solve([this](uint32_t node) { return branchLevel(node) != kWorkgroup; });
    changed = false;
    const auto& nodes = linearization_.nodes();
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].latch) continue;
      for (const Instruction& i : module_.entry.blocks[nodes[n].block].instructions) {
        changed |= visit(i, n);
        if (i.op == spv::Op::OpStore) changed |= visitStore(i, n);
      }
    }
    changed |= updateVariables();
  }
}

void UniformityAnalysis::collect() {
  auto declare = [&](const spirv::Variable& variable) {
    types_[variable.id] = variable.type;
    if (isPrivateStorage(variable.storage)) roots_[variable.id] = variable.id;
  };
  for (const auto& v : module_.variables) declare(v);
  for (const auto& v : module_.entry.variables) declare(v);

  const auto& nodes = linearization_.nodes();
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].latch) continue;
    const auto& block = module_.entry.blocks[nodes[n].block];
    auto record = [&](const Instruction& i) {
      if (i.result != 0) {
        definitions_[i.result] = n;
        instructions_[i.result] = &i;
        types_[i.result] = i.type;
      }
      if (i.op == spv::Op::OpPhi) {
        for (size_t k = 0; k + 1 < i.operands.size(); k += 2)
          uses_[i.operands[k]].push_back(linearization_.nodeOf(i.operands[k + 1]));
        return;
      }
      for (Id id : valueOperands(i)) uses_[id].push_back(n);
      const PointsTo points_to = spirv::traitsOf(i.op).points_to;
      if (points_to == PointsTo::Same || points_to == PointsTo::Part ||
          points_to == PointsTo::Inside) {
        if (Id r = root(spirv::baseOf(i))) roots_[i.result] = r;
        return;
      }
      switch (i.op) {
        case spv::Op::OpLoad:
          if (Id r = root(i.operands[0])) accesses_[r].push_back({0, i.operands[0], n, false});
          break;
        case spv::Op::OpStore:
          if (Id r = root(i.operands[0]))
            accesses_[r].push_back({i.operands[1], i.operands[0], n, true});
          break;
        case spv::Op::OpLifetimeStart:
          break;
        default:
          // Whatever else takes a pointer to a variable may write anything to it.
          for (Id id : valueOperands(i))
            if (Id r = root(id)) accesses_[r].push_back({0, id, n, true});
          break;
      }
    };
    for (const Instruction& i : block.instructions) record(i);
    record(block.terminator);
  }
}

Id UniformityAnalysis::root(Id pointer) const {
  auto it = roots_.find(pointer);
  return it == roots_.end() ? 0 : it->second;
}

uint32_t UniformityAnalysis::definition(Id id) const {
  auto it = definitions_.find(id);
  return it == definitions_.end() ? kNoNode : it->second;
}

Uniformity UniformityAnalysis::of(Id id, uint32_t component) const {
  auto it = levels_.find(id);
  if (it == levels_.end()) return kWorkgroup;
  return it->second[std::min<uint32_t>(component, 3)];
}

Uniformity UniformityAnalysis::whole(Id id) const {
  auto it = levels_.find(id);
  return it == levels_.end() ? kWorkgroup : *std::max_element(it->second.begin(), it->second.end());
}

UniformityAnalysis::Levels UniformityAnalysis::levels(Id id, uint32_t node) const {
  auto it = levels_.find(id);
  if (it == levels_.end()) return {};
  Levels result = it->second;
  auto type = types_.find(id);
  const bool matrix = type != types_.end() && type->second != nullptr &&
                      type->second->kind == TypeKind::CooperativeMatrix;
  for (const Flow& flow : flows()) {
    if (!leavesDynamicLoop(id, node, flow.linearization)) continue;
    for (auto& r : result) r = join(r, matrix ? kSubgroup : flow.divided);
  }
  return result;
}

// Whether invocations that use a value in `node` may have left the loop that defines it at
// different times.
bool UniformityAnalysis::leavesDynamicLoop(Id id, uint32_t node, const Linearization& flow) const {
  const uint32_t d = definition(id);
  if (d == kNoNode) return false;
  const uint32_t loop = flow.dynamicLoop(d);
  return loop != kNoNode && !flow.inLoop(node, loop);
}

Uniformity UniformityAnalysis::at(Id id, uint32_t node) const {
  Levels l = levels(id, node);
  return *std::max_element(l.begin(), l.end());
}

bool UniformityAnalysis::escapesLoop(Id id) const {
  auto it = uses_.find(id);
  return it != uses_.end() && std::any_of(it->second.begin(), it->second.end(), [&](uint32_t n) {
           return leavesDynamicLoop(id, n, linearization_);
         });
}

Uniformity UniformityAnalysis::variable(Id id) const {
  auto it = variables_.find(id);
  return it == variables_.end() ? kWorkgroup : it->second;
}

Uniformity UniformityAnalysis::branchLevel(uint32_t n) const {
  const auto& node = linearization_.nodes()[n];
  if (node.latch) return kWorkgroup;
  const Instruction& terminator = module_.entry.blocks[node.block].terminator;
  if (terminator.op != spv::Op::OpBranchConditional && terminator.op != spv::Op::OpSwitch)
    return kWorkgroup;
  if (std::adjacent_find(node.successors.begin(), node.successors.end(), std::not_equal_to<>()) ==
      node.successors.end())
    return kWorkgroup;  // all successors are one block
  return at(terminator.operands[0], n);
}

bool UniformityAnalysis::branchVaries(uint32_t n) const { return branchLevel(n) == kVarying; }

bool UniformityAnalysis::raise(const Instruction& instruction, uint32_t node, Levels raised) {
  bool changed = raiseShapes(instruction, node, raised);
  Levels& current = levels_[instruction.result];
  for (int c = 0; c < 4; ++c)
    if (raised[c] > current[c]) {
      current[c] = raised[c];
      changed = true;
    }
  return changed;
}

// Whether the value that any load finds was stored after the last time that `mask_class` came to
// its node: a store of the whole variable lies on every path from there to the load.
bool UniformityAnalysis::storedBeforeLoads(Id variable, uint32_t mask_class,
                                           const Linearization& flow) const {
  const auto& accesses = accesses_.at(variable);
  for (size_t load = 0; load < accesses.size(); ++load) {
    if (accesses[load].store) continue;
    bool stored = false;
    for (size_t k = 0; k < accesses.size() && !stored; ++k) {
      const Access& a = accesses[k];
      if (!a.store || a.pointer != variable || flow.nodes()[a.node].mask_class != mask_class)
        continue;
      stored =
          a.node == accesses[load].node ? k < load : flow.dominates(a.node, accesses[load].node);
    }
    if (!stored) return false;
  }
  return true;
}

// Whether whoever reads the variable was there at every store: all stores under one mask, all
// accesses by those invocations or some of them. Where that mask comes again with other
// invocations, nothing may be left from the time before.
bool UniformityAnalysis::sharedByItsReaders(Id variable, const Linearization& flow) const {
  const auto& accesses = accesses_.at(variable);
  const auto& nodes = flow.nodes();
  uint32_t mask_class = kNoNode;
  for (const Access& a : accesses) {
    if (!a.store) continue;
    if (mask_class == kNoNode) mask_class = nodes[a.node].mask_class;
    if (mask_class != nodes[a.node].mask_class) return false;
  }
  if (mask_class == kNoNode || mask_class == 0) return true;
  const uint32_t loop = flow.dynamicLoop(mask_class);
  for (const Access& a : accesses)
    if (!flow.dominates(mask_class, a.node) || (loop != kNoNode && !flow.inLoop(a.node, loop)))
      return false;
  const Node& start = nodes[mask_class];
  const bool comes_again = (start.dynamic_header ? start.outer_loop : start.loop) != kNoNode;
  return !comes_again || storedBeforeLoads(variable, mask_class, flow);
}

bool UniformityAnalysis::raiseVariable(Id id, Uniformity level) {
  if (level <= variable(id)) return false;
  variables_[id] = level;
  return true;
}

// What follows from one store, at once: values that go through many variables, one after the other,
// would else need an iteration for each of them.
bool UniformityAnalysis::visitStore(const Instruction& store, uint32_t node) {
  const Id id = root(store.operands[0]);
  if (id == 0 || variable(id) == kVarying || holdsOnlyMatrices(types_.at(id)->element))
    return false;
  return raiseVariable(id, join(at(store.operands[1], node), at(store.operands[0], node)));
}

// A variable stays uniform when everything stored to it is, and all its readers share it.
bool UniformityAnalysis::updateVariables() {
  bool changed = false;
  for (auto& [id, accesses] : accesses_) {
    Uniformity level = variable(id);
    if (level == kVarying) continue;
    if (holdsOnlyMatrices(types_.at(id)->element)) {
      level = kSubgroup;
    } else {
      for (const Access& a : accesses)
        if (a.store)
          level = join(level,
                       a.value == 0 ? kVarying : join(at(a.value, a.node), at(a.pointer, a.node)));
      for (const Flow& flow : flows())
        if (!sharedByItsReaders(id, flow.linearization)) level = join(level, flow.divided);
    }
    changed |= raiseVariable(id, level);
  }
  return changed;
}

}  // namespace jit::simt
