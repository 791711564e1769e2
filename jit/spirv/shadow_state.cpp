// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/shadow_state.h"

#include <spirv/unified1/GLSL.std.450.h>

#include "jit/spirv/constant_tables.h"
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/shadow_rules.h"
#include "jit/spirv/tensor_access.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

constexpr ShadowPlanes kBits = planeBit(kBitsPlane), kRows = planeBit(kRowsPlane),
                       kColumns = planeBit(kColumnsPlane);

bool writesThroughPointer(const Module& module, const Instruction& i) {
  if (i.op != spv::Op::OpExtInst || i.operands.size() < 4) return false;
  const auto set = module.extended_instruction_sets.find(i.operands[0]);
  return set != module.extended_instruction_sets.end() && set->second == "GLSL.std.450" &&
         (i.operands[1] == GLSLstd450Modf || i.operands[1] == GLSLstd450Frexp);
}

}  // namespace

bool isElementwise(const Instruction& i) {
  if (i.type == nullptr || i.type->kind != TypeKind::CooperativeMatrix) return false;
  const ShadowRule* rule = findShadowRule(i.op);
  if (rule == nullptr) return true;
  switch (*rule) {
    case ShadowRule::Any:
    case ShadowRule::Joined:
    case ShadowRule::Upwards:
    case ShadowRule::And:
    case ShadowRule::Or:
    case ShadowRule::Xor:
    case ShadowRule::Shift:
    case ShadowRule::BitField:
    case ShadowRule::Bits:
    case ShadowRule::Extended:
      return true;
    case ShadowRule::Same:
      return i.op == spv::Op::OpUConvert || i.op == spv::Op::OpSConvert ||
             i.op == spv::Op::OpBitReverse;
    default:
      return false;
  }
}

ShadowState::ShadowState(const Module& module, const KernelRequest& request, ShadowTypes& types,
                         llvm::ArrayRef<size_t> order)
    : module_(module), request_(request), types_(types) {
  for (const Variable& v : module.variables) declare(v);
  for (const Variable& v : module.entry.variables) declare(v);
  for (size_t b : order) {
    for (const Instruction& i : module.entry.blocks[b].instructions) {
      if (i.result == 0 || i.type == nullptr) continue;
      type_of_[i.result] = i.type;
      if (i.type->kind == TypeKind::Pointer)
        if (const Id base = baseOf(i); base != 0)
          if (const Id of = root(base); of != 0) roots_[i.result] = of;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b : order)
      for (const Instruction& i : module.entry.blocks[b].instructions) changed |= visit(i);
  }
}

void ShadowState::declare(const Variable& v) {
  type_of_[v.id] = v.type;
  roots_[v.id] = v.id;
  // Others without a value are never read before they have one (unassigned.h).
  if (const Constant* initial = module_.constant(v.initializer); initial != nullptr)
    if (isVariable(v.id) && initial->undef) raise(v.id, kBits);
}

ShadowPlanes ShadowState::of(Id id) const {
  if (const Constant* constant = module_.constant(id))
    return constant->undef && types_.of(constant->type, kBitsPlane) != nullptr ? kBits : kNoPlane;
  const auto planes = planes_.find(id);
  return planes == planes_.end() ? kNoPlane : planes->second;
}

const Type* ShadowState::typeOf(Id id) const {
  if (const auto type = type_of_.find(id); type != type_of_.end()) return type->second;
  const Constant* constant = module_.constant(id);
  return constant != nullptr ? constant->type : nullptr;
}

Id ShadowState::root(Id pointer) const {
  const auto root = roots_.find(pointer);
  return root == roots_.end() ? 0 : root->second;
}

spv::StorageClass ShadowState::storage(Id pointer) const {
  const Type* type = typeOf(pointer);
  return type != nullptr && type->kind == TypeKind::Pointer ? type->storage
                                                            : spv::StorageClass::Generic;
}

bool ShadowState::isShadowed(Id pointer) const {
  switch (storage(pointer)) {
    case spv::StorageClass::Workgroup:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PhysicalStorageBuffer:
      return true;
    case spv::StorageClass::Uniform: {
      // An inline block is in its descriptor set.
      const Decorations& d = module_.decorated(root(pointer));
      for (const BindingLayout& b : request_.bindings)
        if (d.set == b.set && d.binding == b.binding)
          return b.kind != DescriptorKind::InlineUniformBlock;
      return false;
    }
    default:
      return false;
  }
}

bool ShadowState::raise(Id id, ShadowPlanes planes) {
  const Type* type = typeOf(id);
  if (type == nullptr) return false;
  const Id variable = root(id);
  const Type* held = variable == id ? type->element : type;
  if (types_.of(held, kBitsPlane) == nullptr) return false;
  if (!holdsMatrix(held) && planes != kNoPlane) planes = kBits;
  ShadowPlanes& known = planes_[id];
  const bool is_more = (planes & ~known) != 0;
  known |= planes;
  return is_more;
}

ShadowPlanes ShadowState::all(const Instruction& i) const {
  ShadowPlanes planes = kNoPlane;
  for (Id id : valueOperands(i)) planes |= root(id) == id && id != 0 ? kNoPlane : of(id);
  return planes;
}

ShadowPlanes ShadowState::loaded(Id pointer, const Type* type) const {
  ShadowPlanes planes = kNoPlane;
  if (!request_.undefined_decisions.has(rt::Decision::Address) && root(pointer) != pointer)
    planes = of(pointer);
  if (isShadowed(pointer)) return kBits;
  if (isVariable(pointer)) planes |= of(root(pointer));
  return holdsMatrix(type) ? planes : planes != kNoPlane ? kBits : kNoPlane;
}

ShadowPlanes ShadowState::resultOf(const Instruction& i) const {
  const ShadowRule* rule = findShadowRule(i.op);
  if (isElementwise(i)) return all(i);
  switch (rule == nullptr ? ShadowRule::Any : *rule) {
    case ShadowRule::Nothing:
    case ShadowRule::Defined:
      return kNoPlane;
    case ShadowRule::Undefined:
      return kBits;
    case ShadowRule::Load:
      return loaded(i.operands[0], i.type);
    case ShadowRule::Broadcast:
      return loaded(i.operands[0], i.type) == kNoPlane ? kNoPlane : kBits;
    case ShadowRule::Atomic:
      if (request_.undefined_decisions.has(rt::Decision::Atomic) &&
          i.op != spv::Op::OpAtomicExchange)
        return kNoPlane;
      return kBits;
    case ShadowRule::AtomicLoad:
    case ShadowRule::MatrixLoad:
    case ShadowRule::TensorLoad:
      return isShadowed(i.operands[0]) ? kBits : kNoPlane;
    case ShadowRule::MulAdd: {
      const ShadowPlanes a = of(i.operands[0]), b = of(i.operands[1]), c = of(i.operands[2]);
      ShadowPlanes planes = c;
      if (a != kNoPlane) planes |= kRows;
      if (b != kNoPlane) planes |= kColumns;
      if ((a & kColumns) != 0 || (b & kRows) != 0) planes |= kRows | kColumns;
      return planes;
    }
    case ShadowRule::Transpose: {
      const ShadowPlanes planes = of(i.operands[0]);
      return (planes & kBits) | ((planes & kRows) != 0 ? kColumns : kNoPlane) |
             ((planes & kColumns) != 0 ? kRows : kNoPlane);
    }
    default:
      return all(i);
  }
}

bool ShadowState::visit(const Instruction& i) {
  bool changed = false;
  auto write = [&](Id pointer, ShadowPlanes planes) {
    if (isVariable(pointer) && root(pointer) != 0) changed |= raise(root(pointer), planes);
  };
  const ShadowRule* rule = findShadowRule(i.op);
  if (rule != nullptr && *rule == ShadowRule::Store) write(i.operands[0], of(i.operands[1]));
  if (rule != nullptr && *rule == ShadowRule::Copy) {
    const Type* source = typeOf(i.operands[1]);
    if (source != nullptr) write(i.operands[0], loaded(i.operands[1], source->element));
  }
  if (rule != nullptr && *rule == ShadowRule::Lifetime && i.operands[1] != 0)
    write(i.operands[0], kBits);
  if (writesThroughPointer(module_, i)) write(i.operands[3], of(i.operands[2]));
  if (i.result == 0 || i.type == nullptr || i.type->kind == TypeKind::Void) return changed;
  ShadowPlanes planes = resultOf(i);
  if (i.type->kind == TypeKind::Pointer && isVariable(i.result) && planes != kNoPlane)
    planes = kBits;  // of its address
  return raise(i.result, planes) || changed;
}

}  // namespace jit::spirv
