// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/promotable_variables.h"

#include <algorithm>

#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/promote_variables.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

// More of them are better in memory.
constexpr uint64_t kMaxChosenComponents = 4;

PromotableVariables::PromotableVariables(const Module& module, llvm::ArrayRef<size_t> order,
                                         bool by_value)
    : module_(module), by_value_(by_value) {
  for (const Variable& v : module_.variables) declare(v);
  for (const Variable& v : module_.entry.variables) declare(v);
  if (candidates_.empty()) return;
  findPaths(order);
  keepWhatIsUsedOtherwise();
  for (Candidate& candidate : candidates_)
    if (!candidate.stays) candidate.number = count_++;
  std::erase_if(paths_, [&](const auto& p) { return candidates_[p.second.variable].stays; });
}

void PromotableVariables::declare(const Variable& v) {
  if (v.storage != spv::StorageClass::Function && v.storage != spv::StorageClass::Private) return;
  const Type* type = v.type->element;
  if (v.type->untyped || type->leaves() == 0 || type->leaves() > kMaxPromotedScalars ||
      holdsMatrix(type) || holdsPointer(*type) || module_.decorated(v.id).is_volatile)
    return;
  if (v.initializer != 0 && module_.constant(v.initializer) == nullptr) return;
  paths_[v.id] = {static_cast<uint32_t>(candidates_.size()), {}, type};
  candidates_.push_back({&v});
}

void PromotableVariables::findPaths(llvm::ArrayRef<size_t> order) {
  for (size_t b : order) {
    for (const Instruction& i : module_.entry.blocks[b].instructions) {
      if (!isAccessChain(i.op)) continue;
      const auto base = paths_.find(i.operands[0]);
      if (base == paths_.end()) continue;
      AccessPath path = base->second;
      if (follow(i, path))
        paths_[i.result] = std::move(path);
      else
        candidates_[base->second.variable].stays = true;
    }
  }
}

// By constant indices, none of them past the end, or a vector's component by a value.
bool PromotableVariables::follow(const Instruction& chain, AccessPath& path) const {
  for (size_t k = 1; k < chain.operands.size(); ++k) {
    const Constant* index = module_.constant(chain.operands[k]);
    if (path.component != 0 || !path.type->isComposite()) return false;
    if (index == nullptr && by_value_ && path.indices.empty() &&
        path.type->kind == TypeKind::Vector && path.type->count <= kMaxChosenComponents) {
      path.component = chain.operands[k];
      path.type = path.type->element;
      continue;
    }
    if (index == nullptr || index->leaves.size() != 1) return false;
    const uint64_t parts =
        path.type->kind == TypeKind::Struct ? path.type->members.size() : path.type->count;
    if (index->leaves[0] >= parts) return false;
    const auto at = static_cast<uint32_t>(index->leaves[0]);
    if (path.type->kind == TypeKind::Struct && path.type->members[at].is_volatile) return false;
    path.indices.push_back(at);
    path.type = componentType(*path.type, at);
  }
  return !chain.type->untyped;
}

// The pointer that an instruction loads or stores, where that is all that it does with it.
Id PromotableVariables::accessed(const Instruction& i) const {
  switch (i.op) {
    case spv::Op::OpLoad:
      return isVolatile(i, 1) || i.type != typeAt(i.operands[0]) ? 0 : i.operands[0];
    case spv::Op::OpStore:
      return isVolatile(i, 2) ? 0 : i.operands[0];
    case spv::Op::OpLifetimeStart:
      return i.operands[0];
    default:
      return isAccessChain(i.op) && paths_.contains(i.result) ? i.operands[0] : 0;
  }
}

const Type* PromotableVariables::typeAt(Id pointer) const {
  const auto path = paths_.find(pointer);
  return path == paths_.end() ? nullptr : path->second.type;
}

void PromotableVariables::keepWhatIsUsedOtherwise() {
  auto keep = [&](Id pointer) {
    if (auto path = paths_.find(pointer); path != paths_.end())
      candidates_[path->second.variable].stays = true;
  };
  auto look = [&](const Instruction& i) {
    const Id pointer = accessed(i);
    bool skipped = false;
    for (Id id : valueOperands(i)) {
      // The first of an access is its pointer; a pointer may be what is stored, too.
      if (id == pointer && !skipped)
        skipped = true;
      else
        keep(id);
    }
  };
  for (const Block& block : module_.entry.blocks) {
    for (const Instruction& i : block.instructions) look(i);
    look(block.terminator);
  }
  for (const Variable& v : module_.variables) keep(v.initializer);
}

const PromotableVariables::AccessPath* PromotableVariables::accessedBy(const Instruction& i) const {
  const Id pointer = accessed(i);
  const auto path = paths_.find(pointer);
  return pointer == 0 || path == paths_.end() ? nullptr : &path->second;
}

}  // namespace jit::spirv
