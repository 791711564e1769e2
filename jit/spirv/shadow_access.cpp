// SPDX-License-Identifier: Apache-2.0

// Shadows in memory: of variables of an invocation in variables, of everything else beside it.
#include "jit/spirv/opcode_traits.h"
#include "jit/spirv/operands.h"
#include "jit/spirv/shadow_pass.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

using Op = spv::Op;

bool ShadowPass::isDevice(Id pointer) const {
  return state_->isShadowed(pointer) && state_->storage(pointer) != spv::StorageClass::Workgroup;
}

// Undefined bits of a pointer are those of what it was computed from.
void ShadowPass::visitPointer(const Instruction& i) {
  const Id base = baseOf(i);
  if (state_->of(i.result) != kNoPlane && state_->root(i.result) != i.result) {
    Ids from;
    for (Id id : valueOperands(i))
      if (state_->root(id) != id) from.push_back(shadow(id));
    set(i, joined(types_.integer(64), from));
  }
  if (base == 0 || !state_->isVariable(i.result)) return;
  // The place of the shadow, by the same indices.
  const auto place = places_[kBitsPlane].find(base);
  if (place == places_[kBitsPlane].end()) return;
  const Type* type = i.type->element;
  llvm::SmallVector<uint32_t, 8> operands(i.operands.begin(), i.operands.end());
  auto chain = [&](unsigned plane, const Type* pointee, llvm::ArrayRef<uint32_t> path) -> Id {
    const auto at = places_[plane].find(base);
    if (at == places_[plane].end()) return 0;
    llvm::SmallVector<uint32_t, 8> own(path.begin(), path.end());
    own[0] = at->second;
    return emit(i.op, types_.pointer(pointee, *i.type), own);
  };
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane)
    if (const Type* pointee = shadowType(type, plane); pointee != nullptr)
      if (const Id at = chain(plane, pointee, operands); at != 0) places_[plane][i.result] = at;
  if (holdsMatrix(type)) return;
  if (const auto known = matrices_.find(base); known != matrices_.end()) {
    matrices_[i.result] = known->second;
    return;
  }
  // Into a component of a matrix.
  const Type* part = typeOf(base)->element;
  if (!holdsMatrix(part)) return;
  MatrixPlace matrix;
  size_t k = 1;
  for (; isAccessChain(i.op) && k < i.operands.size(); ++k) {
    if (part->kind == TypeKind::CooperativeMatrix) break;
    const Constant* index = module_.constant(i.operands[k]);
    part =
        part->kind == TypeKind::Struct
            ? componentType(*part, index != nullptr ? static_cast<uint32_t>(index->leaves[0]) : 0)
            : part->element;
  }
  if (part->kind != TypeKind::CooperativeMatrix) return;  // beside it
  matrix.matrix = part;
  const auto prefix = llvm::ArrayRef<uint32_t>(operands).take_front(k);
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
    const auto at = places_[plane].find(base);
    if (at == places_[plane].end()) return;
    matrix.at[plane] = k == 1 ? at->second : chain(plane, shadowType(part, plane), prefix);
  }
  matrices_[i.result] = matrix;
}

// Before a component of a matrix is accessed: its undefined rows and columns become elements.
void ShadowPass::fold(Id pointer) {
  const auto found = matrices_.find(pointer);
  if (found == matrices_.end()) return;
  constexpr ShadowPlanes kLines = planeBit(kRowsPlane) | planeBit(kColumnsPlane);
  if ((state_->of(state_->root(pointer)) & kLines) == 0) return;
  const MatrixPlace& place = found->second;
  std::array<Id, kShadowPlanes> planes{};
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane)
    planes[plane] = emit(Op::OpLoad, shadowType(place.matrix, plane), {place.at[plane]});
  const Id bits = expanded(place.matrix, planes[0], planes[1], planes[2]);
  emit(Op::OpStore, nullptr, {place.at[0], bits});
  for (unsigned plane : {kRowsPlane, kColumnsPlane})
    emit(Op::OpStore, nullptr, {place.at[plane], types_.zero(types_.integer(64))});
}

Id ShadowPass::shadowPointer(Id pointer, const Type* type) {
  const Type* own = typeOf(pointer);
  const Type* pointee = own->untyped ? own->element : shadowType(type);
  return emit(InternalOp::ShadowPointer, types_.pointer(pointee, *own), {pointer});
}

// The shadow of what a pointer leads to; 0: it is defined.
Id ShadowPass::loadShadow(Id pointer, const Type* type, unsigned plane) {
  const Type* shadow_type = shadowType(type, plane);
  if (shadow_type == nullptr) return 0;
  if (state_->isShadowed(pointer))
    return emit(Op::OpLoad, shadow_type, {shadowPointer(pointer, type)});
  const auto place = places_[plane].find(pointer);
  if (place == places_[plane].end()) return 0;
  return emit(Op::OpLoad, shadow_type, {place->second});
}

// `shadows`: of planes; 0 or none: it is defined.
void ShadowPass::storeShadow(Id pointer, const Type* type, llvm::ArrayRef<Id> shadows) {
  auto inPlane = [&](unsigned plane) {
    const Id known = plane < shadows.size() ? shadows[plane] : 0;
    return known != 0 ? known : types_.zero(shadowType(type, plane));
  };
  if (shadowType(type) == nullptr) return;
  if (state_->isShadowed(pointer)) {
    const Id at = shadowPointer(pointer, type);
    emit(Op::OpStore, nullptr, {at, inPlane(kBitsPlane)});
    return;
  }
  fold(pointer);
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
    const auto place = places_[plane].find(pointer);
    if (place == places_[plane].end()) continue;
    if (shadowType(type, plane) != nullptr)
      emit(Op::OpStore, nullptr, {place->second, inPlane(plane)});
  }
}

void ShadowPass::checkAddress(Id pointer, llvm::ArrayRef<Id> others, bool together) {
  if (!chosen(rt::Decision::Address)) return;
  Ids shadows;
  if (state_->root(pointer) != pointer) shadows.push_back(shadow(pointer));
  for (Id id : others) shadows.push_back(shadow(id));
  report(rt::Decision::Address, joined(types_.boolean(), shadows), state_->root(pointer), together);
}

void ShadowPass::visitLoad(const Instruction& i) {
  const Id pointer = i.operands[0];
  checkAddress(pointer);
  keep(i);
  const ShadowPlanes planes = state_->of(i.result);
  if (planes == kNoPlane) return;
  fold(pointer);
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
    Id loaded = (planes & planeBit(plane)) != 0 ? loadShadow(pointer, i.type, plane) : 0;
    if (plane == kBitsPlane && !chosen(rt::Decision::Address) && state_->root(pointer) != pointer &&
        shadow(pointer) != 0) {
      const Type* type = shadowType(i.type);
      loaded = orOf(type, loaded, joined(type, {shadow(pointer)}));
    }
    set(i, plane, loaded);
  }
}

// Whether a value is a copy of memory, as part of a structure or an array that was copied, or was
// never set in one: not a result that somebody computed.
bool ShadowPass::isCopy(Id value) const {
  bool was_part = false;
  llvm::SmallVector<uint32_t, 4> path;  // of what is looked for in `value`, outermost first
  auto isAggregate = [](const Type* type) {
    return type != nullptr && (type->kind == TypeKind::Struct || type->kind == TypeKind::Array);
  };
  for (unsigned steps = 0; steps < 256; ++steps) {
    if (const Constant* constant = module_.constant(value))
      return constant->undef && (was_part || isAggregate(constant->type));
    const Instruction* i = definition(value);
    if (i == nullptr) return false;
    switch (i->op) {
      case Op::OpCopyObject:
      case Op::OpCopyLogical:
        value = i->operands[0];
        continue;
      case Op::OpLoad:
        return was_part || isAggregate(i->type);
      case Op::OpUndef:
        return was_part;
      case Op::OpCompositeExtract: {
        value = i->operands[0];
        if (!isAggregate(typeOf(value))) return false;
        path.insert(path.begin(), i->operands.begin() + 1, i->operands.end());
        was_part = true;
        continue;
      }
      case Op::OpCompositeInsert: {
        const auto into = i->operands.subspan(2);
        size_t same = 0;
        while (same < into.size() && same < path.size() && into[same] == path[same]) ++same;
        if (same == into.size()) {  // what is looked for is in the object
          path.erase(path.begin(), path.begin() + static_cast<ptrdiff_t>(same));
          value = i->operands[0];
          was_part = !path.empty();
        } else if (same < path.size()) {
          value = i->operands[1];
        } else {
          return false;  // a part of it
        }
        continue;
      }
      case Op::OpCompositeConstruct:
        if (path.empty() || !isAggregate(i->type) || path[0] >= i->operands.size()) return false;
        value = i->operands[path[0]];
        path.erase(path.begin());
        was_part = !path.empty();
        continue;
      default:
        return false;
    }
  }
  return false;
}

void ShadowPass::visitStore(const Instruction& i) {
  const Id pointer = i.operands[0], value = i.operands[1];
  checkAddress(pointer);
  const Type* type = typeOf(value);
  std::array<Id, kShadowPlanes> shadows{};
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane) shadows[plane] = shadow(value, plane);
  if (shadows[kBitsPlane] != 0 && isDevice(pointer) && chosen(rt::Decision::Store) &&
      !isCopy(value)) {
    report(rt::Decision::Store, joined(types_.boolean(), {shadows[kBitsPlane]}),
           state_->root(pointer));
    shadows[kBitsPlane] = 0;
  }
  storeShadow(pointer, type, shadows);
  keep(i);
}

void ShadowPass::visitCopy(const Instruction& i) {
  const Id target = i.operands[0], source = i.operands[1];
  checkAddress(target);
  checkAddress(source);
  const Type* type = typeOf(typeOf(source)->untyped ? target : source)->element;
  std::array<Id, kShadowPlanes> shadows{};
  fold(source);
  for (unsigned plane = 0; plane < kShadowPlanes; ++plane)
    shadows[plane] = loadShadow(source, type, plane);
  storeShadow(target, type, shadows);
  keep(i);
}

// Of bytes, in memory that has an address.
void ShadowPass::visitCopySized(const Instruction& i) {
  const Id target = i.operands[0], source = i.operands[1];
  checkAddress(target);
  checkAddress(source);
  if (state_->isShadowed(target) && state_->isShadowed(source)) {
    const Id to = shadowPointer(target, typeOf(target)->element);
    const Id from = shadowPointer(source, typeOf(source)->element);
    emit(i.op, nullptr, {to, from, i.operands[2]});
  }
  keep(i);
}

// What a variable held is nobody's any more. (Larger ones keep it: Emission does.)
void ShadowPass::visitLifetime(const Instruction& i) {
  constexpr uint64_t kMostScalars = 64;
  const Id pointer = i.operands[0];
  const Type* type = typeOf(pointer)->element;
  if (i.operands[1] == 0 || holdsMatrix(type) || type->leaves() > kMostScalars) return;
  storeShadow(pointer, type, {types_.ones(shadowType(type))});
}

// The shadow is stored before the memory is: who sees what is new there sees it, too.
void ShadowPass::visitAtomic(const Instruction& i, ShadowRule rule) {
  const Id pointer = i.operands[0];
  checkAddress(pointer);
  const bool is_shadowed = state_->isShadowed(pointer);
  if (rule == ShadowRule::AtomicLoad) {
    keep(i);
    if (is_shadowed) set(i, loadShadow(pointer, i.type, kBitsPlane));
    return;
  }
  // Behind the pointer, the scope and the semantics.
  Ids operands;
  const bool compares = i.op == Op::OpAtomicCompareExchange;
  for (Id id : i.operands.subspan(std::min<size_t>(compares ? 4 : 3, i.operands.size())))
    operands.push_back(shadow(id));
  const Type* type = rule == ShadowRule::AtomicStore ? typeOf(i.operands[3]) : i.type;
  const bool reads = rule == ShadowRule::Atomic && i.op != Op::OpAtomicExchange;
  Id memory = 0;
  if (rule == ShadowRule::Atomic && is_shadowed) memory = loadShadow(pointer, type, kBitsPlane);
  Ids decides = operands;
  if (reads) decides.push_back(memory);
  Id left = 0;
  if (chosen(rt::Decision::Atomic)) {
    report(rt::Decision::Atomic, joined(types_.boolean(), decides), state_->root(pointer));
  } else {
    left = joined(shadowType(type), decides);
  }
  if (is_shadowed) storeShadow(pointer, type, {left});
  keep(i);
  if (i.result != 0 && state_->of(i.result) != kNoPlane) set(i, memory);
}

}  // namespace jit::spirv
