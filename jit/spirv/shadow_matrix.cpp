// SPDX-License-Identifier: Apache-2.0

// Shadows of cooperative matrices. A multiply-add costs two numbers: the rows of A and the columns
// of B with something undefined make rows and columns of the result undefined, and no element is
// looked at until one is taken out or stored.
#include "jit/spirv/operands.h"
#include "jit/spirv/shadow_pass.h"
#include "jit/spirv/tensor_access.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

using Op = spv::Op;

Id ShadowPass::expanded(const Type* matrix, Id bits, Id rows, Id columns) {
  if (rows == 0 && columns == 0) return bits;
  const Type* type = shadowType(matrix);
  const Id none = types_.zero(types_.integer(64));
  return emit(InternalOp::ShadowExpand, type,
              {bits != 0 ? bits : types_.zero(type), rows != 0 ? rows : none,
               columns != 0 ? columns : none});
}

Id ShadowPass::matrixShadow(Id value) {
  return expanded(typeOf(value), shadow(value, kBitsPlane), shadow(value, kRowsPlane),
                  shadow(value, kColumnsPlane));
}

// The shadow's transpose, as that of a value of `type`, whose components may be others.
Id ShadowPass::transposed(const Type* type, const Type* from, Id bits) {
  Type turned = *shadowType(type);
  turned.element = shadowType(from)->element;
  turned.id = module_.bound++;
  const Id id = turned.id;
  module_.types[id] = std::make_unique<Type>(std::move(turned));
  bits = emit(InternalOp::MatrixTranspose, module_.types[id].get(), {bits});
  return any(shadowType(type), {bits});
}

// Elements stay where they are, unless the instruction transposes.
void ShadowPass::visitElementwise(const Instruction& i) {
  if (state_->of(i.result) == kNoPlane) return;
  const bool transposes = module_.decorated(i.result).transposes;
  std::array<Ids, kShadowPlanes> operands;
  for (Id id : valueOperands(i)) {
    const Type* own = typeOf(id);
    for (unsigned plane = 0; plane < kShadowPlanes; ++plane) {
      if (plane != kBitsPlane && !holdsMatrix(own)) continue;
      Id known = shadow(id, plane);
      if (known == 0) continue;
      unsigned becomes = plane;
      if (transposes && plane == kRowsPlane) becomes = kColumnsPlane;
      if (transposes && plane == kColumnsPlane) becomes = kRowsPlane;
      if (transposes && plane == kBitsPlane && own->kind == TypeKind::CooperativeMatrix)
        known = transposed(i.type, own, known);
      operands[becomes].push_back(known);
    }
  }
  set(i, kBitsPlane, any(shadowType(i.type), operands[kBitsPlane]));
  for (unsigned plane : {kRowsPlane, kColumnsPlane}) {
    Id lines = 0;
    for (Id id : operands[plane]) lines = orOf(types_.integer(64), lines, id);
    set(i, plane, lines);
  }
}

void ShadowPass::visitMulAdd(const Instruction& i) {
  const Type* number = types_.integer(64);
  Id lines[2] = {shadow(i.operands[2], kRowsPlane), shadow(i.operands[2], kColumnsPlane)};
  auto add = [&](size_t which, Id more) { lines[which] = orOf(number, lines[which], more); };
  for (unsigned operand = 0; operand < 2; ++operand) {
    // A's rows are the result's, and B's columns; an undefined one across makes all of them so.
    const Id matrix = i.operands[operand];
    if (const Id bits = shadow(matrix); bits != 0)
      add(operand, emit(InternalOp::ShadowLines, number, {bits, operand}));
    const Id along = shadow(matrix, operand == 0 ? kRowsPlane : kColumnsPlane);
    const Id across = shadow(matrix, operand == 0 ? kColumnsPlane : kRowsPlane);
    add(operand, along);
    add(operand, any(number, {across}));
  }
  set(i, kBitsPlane, shadow(i.operands[2]));
  set(i, kRowsPlane, lines[0]);
  set(i, kColumnsPlane, lines[1]);
}

// `rest`: the operands behind the value.
void ShadowPass::visitMatrixStore(const Instruction& i, size_t value,
                                  llvm::ArrayRef<uint32_t> rest) {
  const Id pointer = i.operands[0], matrix = i.operands[value];
  const Type* type = typeOf(matrix);
  Id stored = 0;
  const bool reports = isDevice(pointer) && chosen(rt::Decision::Store);
  if (reports) {
    const Type* number = types_.integer(64);
    Id lines[2] = {shadow(matrix, kRowsPlane), shadow(matrix, kColumnsPlane)};
    if (const Id bits = shadow(matrix); bits != 0)
      for (unsigned which = 0; which < 2; ++which)
        lines[which] =
            orOf(number, lines[which], emit(InternalOp::ShadowLines, number, {bits, which}));
    if (lines[0] != 0 || lines[1] != 0) {
      for (Id& id : lines) id = id != 0 ? id : types_.zero(number);
      const Id both = emit(Op::OpCompositeConstruct, types_.vector(number, 2), lines);
      report(rt::Decision::Store, both, state_->root(pointer), true);
    }
  } else {
    stored = matrixShadow(matrix);
  }
  if (state_->isShadowed(pointer)) {
    if (stored == 0) stored = types_.zero(shadowType(type));
    const Type* pointee = typeOf(pointer)->element;
    llvm::SmallVector<uint32_t, 8> operands{shadowPointer(pointer, pointee), stored};
    operands.append(rest.begin(), rest.end());
    emit(i.op, nullptr, operands);
  }
  keep(i);
}

void ShadowPass::visitTensor(const Instruction& i, ShadowRule rule) {
  const std::optional<TensorAccess> access = tensorAccess(i);
  if (!access) return keep(i);
  checkAddress(access->pointer, {}, true);
  const auto rest = llvm::ArrayRef<uint32_t>(i.operands.data(), i.operands.size()).drop_front(2);
  if (rule == ShadowRule::TensorStore) return visitMatrixStore(i, 1, rest);
  keep(i);
  if (state_->of(i.result) == kNoPlane) return;
  // What is clipped keeps what the object has.
  Id object = matrixShadow(access->object);
  if (object == 0) object = types_.zero(shadowType(i.type));
  const Type* pointee = typeOf(access->pointer)->element;
  llvm::SmallVector<uint32_t, 8> operands{shadowPointer(access->pointer, pointee), object};
  operands.append(rest.begin(), rest.end());
  set(i, emit(i.op, shadowType(i.type), operands));
}

void ShadowPass::visitMatrix(const Instruction& i, ShadowRule rule) {
  // Emission refuses what has no stride.
  if (rule == ShadowRule::MatrixLoad && i.operands.size() < 3) return keep(i);
  if (rule == ShadowRule::MatrixStore && i.operands.size() < 4) return keep(i);
  switch (rule) {
    case ShadowRule::MatrixLoad: {
      const Id pointer = i.operands[0];
      const bool nv = i.op == Op::OpCooperativeMatrixLoadNV;
      checkAddress(pointer, {i.operands[nv ? 1 : 2]}, true);
      keep(i);
      if (state_->of(i.result) == kNoPlane) return;
      llvm::SmallVector<uint32_t, 4> operands(i.operands.begin(), i.operands.begin() + 3);
      operands[0] = shadowPointer(pointer, typeOf(pointer)->element);
      return set(i, emit(i.op, shadowType(i.type), operands));
    }
    case ShadowRule::MatrixStore: {
      const bool nv = i.op == Op::OpCooperativeMatrixStoreNV;
      checkAddress(i.operands[0], {i.operands[nv ? 2 : 3]}, true);
      return visitMatrixStore(i, 1, {i.operands[2], i.operands[3]});
    }
    case ShadowRule::Transpose: {
      const Id matrix = i.operands[0];
      if (const Id bits = shadow(matrix); bits != 0)
        set(i, transposed(i.type, typeOf(matrix), bits));
      set(i, kRowsPlane, shadow(matrix, kColumnsPlane));
      set(i, kColumnsPlane, shadow(matrix, kRowsPlane));
      return;
    }
    case ShadowRule::Broadcast: {
      keep(i);
      const auto place = places_[kBitsPlane].find(i.operands[0]);
      if (state_->of(i.result) == kNoPlane || place == places_[kBitsPlane].end()) return;
      const auto planes = ShadowPlanes(state_->of(state_->root(i.operands[0])) & ~planeBit(0));
      if (planes != kNoPlane) {
        MatrixPlace whole{.matrix = typeOf(i.operands[0])->element};
        for (unsigned plane = 0; plane < kShadowPlanes; ++plane)
          whole.at[plane] = places_[plane].at(i.operands[0]);
        matrices_[i.operands[0]] = whole;
        fold(i.operands[0]);
        matrices_.erase(i.operands[0]);
      }
      return set(
          i, emit(InternalOp::MatrixBroadcast, shadowType(i.type), {place->second, i.operands[1]}));
    }
    default:
      return visitTensor(i, rule);
  }
}

}  // namespace jit::spirv
