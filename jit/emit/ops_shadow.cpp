// SPDX-License-Identifier: Apache-2.0

// Shadows of values (jit/spirv/shadow_values.h): what SPIR-V has no instruction for.
#include "jit/emit/check_site.h"
#include "jit/emit/coopmat_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/shadow_layout.h"
#include "jit/ir/matrix_ops.h"
#include "jit/ir/symbols.h"
#include "jit/spirv/internal_ops.h"
#include "runtime/check/shadow_memory.h"
#include "runtime/kernel_library/check_uninit.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// i1, or a vector of it: where a bit is set.
llvm::Value* isSet(Emission& e, llvm::Value* leaf) {
  if (leaf->getType()->isIntOrIntVectorTy(1)) return leaf;
  return e.ir.CreateICmpNE(leaf, llvm::Constant::getNullValue(leaf->getType()));
}

// All bits of a leaf of `type` where `set` is; scalars for all elements of a matrix.
llvm::Value* allBits(Emission& e, llvm::Value* set, const Type* type) {
  llvm::Type* leaf = e.leafType(type);
  if (type->kind == TypeKind::CooperativeMatrix) {
    auto* matrix = llvm::cast<llvm::FixedVectorType>(leaf);
    if (!set->getType()->isVectorTy() ||
        llvm::cast<llvm::FixedVectorType>(set->getType())->getNumElements() !=
            matrix->getNumElements())
      set = e.ir.CreateVectorSplat(matrix->getNumElements(), e.simt.uniform(set));
    return e.ir.CreateSExt(set, leaf);
  }
  return leaf->isIntegerTy(1) ? set : e.ir.CreateSExt(set, shapedLike(set, leaf));
}

bool isMatrix(const Type* type) { return type->kind == TypeKind::CooperativeMatrix; }

llvm::Value* either(Emission& e, llvm::Value* a, llvm::Value* b) {
  if (a == nullptr) return b;
  e.simt.unify(a, b);
  return e.ir.CreateOr(a, b);
}

Error emitAny(Emission& e, const Instruction& i) {
  llvm::SmallVector<const Type*, 8> types;
  e.leafTypes(i.type, types);
  llvm::SmallVector<llvm::Value*, 8> found(types.size());
  for (Id id : i.operands) {
    llvm::Expected<Value> operand = e.value(id);
    if (!operand) return operand.takeError();
    const bool is_one = operand->leaves.size() == 1;
    if (!is_one && operand->leaves.size() != types.size())
      return e.unsupportedAt(i, "shadows of different types");
    for (size_t k = 0; k < types.size(); ++k) {
      llvm::Value* set = isSet(e, operand->leaves[is_one ? 0 : k]);
      if (!isMatrix(types[k])) {
        found[k] = either(e, found[k], set);
        continue;
      }
      if (!isMatrix(operand->type)) {
        auto* matrix = llvm::cast<llvm::FixedVectorType>(e.leafType(types[k]));
        set = e.ir.CreateVectorSplat(matrix->getNumElements(), e.simt.uniform(set));
      }
      found[k] = found[k] == nullptr ? set : e.ir.CreateOr(found[k], set);
    }
  }
  Value result{i.type, {}};
  for (size_t k = 0; k < types.size(); ++k) result.leaves.push_back(allBits(e, found[k], types[k]));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitJoined(Emission& e, const Instruction& i) {
  llvm::Value* found = nullptr;
  for (Id id : i.operands) {
    llvm::Expected<Value> operand = e.value(id);
    if (!operand) return operand.takeError();
    llvm::SmallVector<const Type*, 8> types;
    e.leafTypes(operand->type, types);
    for (size_t k = 0; k < types.size(); ++k) {
      llvm::Value* set = isSet(e, operand->leaves[k]);
      if (isMatrix(types[k])) set = e.ir.CreateOrReduce(set);
      found = either(e, found, set);
    }
  }
  llvm::SmallVector<const Type*, 8> types;
  e.leafTypes(i.type, types);
  Value result{i.type, {}};
  for (const Type* type : types) result.leaves.push_back(allBits(e, found, type));
  e.setValue(i, std::move(result));
  return Error::success();
}

// Matrices that are no registers anyway are looked at in memory.
bool isLarge(const Type& matrix) {
  return matrix.rows * matrix.columns > coopmat::kMostElementsInRegisters;
}

rt::ShadowForm formOf(const Type& matrix, bool columns) {
  return {matrix.rows, matrix.columns, static_cast<uint32_t>(matrix.element->naturalSize()),
          columns};
}

// In 64 bits: bit b of `bits` as bit b % 64.
llvm::Value* foldedTo64(Emission& e, llvm::Value* bits, uint32_t count) {
  auto& ir = e.ir;
  llvm::Value* folded = ir.getInt64(0);
  for (uint32_t first = 0; first < count; first += 64) {
    llvm::Value* part = first == 0 ? bits : ir.CreateLShr(bits, first);
    folded = ir.CreateOr(folded, ir.CreateZExtOrTrunc(part, ir.getInt64Ty()));
  }
  return folded;
}

// The subgroups of a wide stream have their matrices one behind the other.
llvm::Value* copyOf(Emission& e, llvm::Value* leaf, const Type& matrix, uint32_t copy) {
  if (e.copiesOf(matrix) == 1) return leaf;
  const uint32_t count = matrix.rows * matrix.columns;
  return e.ir.CreateShuffleVector(leaf, sequence(copy * count, count, 1));
}

llvm::Value* linesOf(Emission& e, llvm::Value* leaf, const Type& matrix, bool columns) {
  auto& ir = e.ir;
  const uint32_t count = matrix.rows * matrix.columns;
  llvm::Value* bits = ir.CreateBitCast(isSet(e, leaf), ir.getIntNTy(count));
  auto* row = ir.getIntNTy(matrix.columns);
  llvm::Value* rows = ir.CreateBitCast(bits, llvm::FixedVectorType::get(row, matrix.rows));
  if (columns) return foldedTo64(e, ir.CreateOrReduce(rows), matrix.columns);
  rows = ir.CreateICmpNE(rows, llvm::Constant::getNullValue(rows->getType()));
  return foldedTo64(e, ir.CreateBitCast(rows, ir.getIntNTy(matrix.rows)), matrix.rows);
}

// In memory of the frame, one behind the other.
llvm::Value* inMemory(Emission& e, llvm::Value* leaf, const Type& matrix) {
  llvm::Value* memory = e.staging(matrix.naturalSize() * e.copiesOf(matrix));
  e.ir.CreateAlignedStore(leaf, memory, llvm::Align(64));
  return memory;
}

llvm::Value* placeOf(Emission& e, llvm::Value* memory, const Type& matrix, uint32_t copy) {
  return e.ir.CreateConstGEP1_64(e.ir.getInt8Ty(), memory, copy * matrix.naturalSize());
}

Error emitLines(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Value> shadow = e.value(i.operands[0]);
  if (!shadow) return shadow.takeError();
  const Type& matrix = *shadow->type;
  const bool columns = i.operands[1] != 0;
  llvm::Value* lines = ir.getInt64(0);
  llvm::Value* memory = isLarge(matrix) ? inMemory(e, shadow->leaves[0], matrix) : nullptr;
  for (uint32_t copy = 0; copy < e.copiesOf(matrix); ++copy) {
    llvm::Value* own = nullptr;
    if (memory == nullptr) {
      own = linesOf(e, copyOf(e, shadow->leaves[0], matrix, copy), matrix, columns);
    } else {
      own = ir.CreateCall(
          runtimeFunction(e.output(), "tessera.undefined_lines", ir.getInt64Ty(),
                          {ir.getPtrTy(), ir.getInt64Ty()}, llvm::MemoryEffects::argMemOnly()),
          {placeOf(e, memory, matrix, copy), ir.getInt64(formOf(matrix, columns).pack())});
    }
    lines = ir.CreateOr(lines, own);
  }
  e.setValue(i, Value{i.type, {lines}});
  return Error::success();
}

// Of each element whether bit `number(element)` is set.
llvm::Value* spread(Emission& e, llvm::Value* lines, uint32_t count,
                    llvm::function_ref<uint32_t(uint32_t)> number) {
  auto* bits = llvm::FixedVectorType::get(e.ir.getInt1Ty(), 64);
  llvm::SmallVector<int, 512> mask;
  for (uint32_t k = 0; k < count; ++k) mask.push_back(static_cast<int>(number(k) % 64));
  return e.ir.CreateShuffleVector(e.ir.CreateBitCast(lines, bits), mask);
}

Error emitExpand(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Value> shadow = e.value(i.operands[0]);
  if (!shadow) return shadow.takeError();
  llvm::Value* lines[2];
  for (size_t k = 0; k < 2; ++k) {
    llvm::Expected<Value> own = e.value(i.operands[1 + k]);
    if (!own) return own.takeError();
    lines[k] = e.simt.uniform(own->leaves[0]);
  }
  const Type& matrix = *i.type;
  llvm::Value* leaf = shadow->leaves[0];
  const uint32_t rows = matrix.rows, columns = matrix.columns;
  if (isLarge(matrix)) {
    llvm::Value* memory = inMemory(e, leaf, matrix);
    for (uint32_t copy = 0; copy < e.copiesOf(matrix); ++copy)
      ir.CreateCall(
          runtimeFunction(e.output(), "tessera.undefine_lines", ir.getVoidTy(),
                          {ir.getPtrTy(), ir.getInt64Ty(), ir.getInt64Ty(), ir.getInt64Ty()},
                          llvm::MemoryEffects::argMemOnly()),
          {placeOf(e, memory, matrix, copy), ir.getInt64(formOf(matrix, false).pack()), lines[0],
           lines[1]});
    leaf = ir.CreateAlignedLoad(leaf->getType(), memory, llvm::Align(64));
  } else {
    const uint32_t count = rows * columns * e.copiesOf(matrix);
    llvm::Value* set =
        ir.CreateOr(spread(e, lines[0], count, [&](uint32_t k) { return k / columns % rows; }),
                    spread(e, lines[1], count, [&](uint32_t k) { return k % columns; }));
    leaf = ir.CreateOr(leaf, ir.CreateSExt(set, leaf->getType()));
  }
  e.setValue(i, Value{i.type, {leaf}});
  return Error::success();
}

Error emitPointer(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  if (pointer->binding != nullptr) e.selectDescriptor(*pointer, nullptr);
  pointer->pointee = i.type->element;
  pointer->shadow_distance = pointer->storage == spv::StorageClass::Workgroup
                                 ? static_cast<int64_t>(workgroupShadowDistance(e.module))
                                 : -static_cast<int64_t>(rt::kShadowDistance);
  pointer->base = e.ir.CreateGEP(e.ir.getInt8Ty(), pointer->base,
                                 e.ir.getInt64(static_cast<uint64_t>(pointer->shadow_distance)));
  pointer->is_volatile = pointer->is_read_only = false;
  e.setPointer(i, *pointer);
  return Error::success();
}

Error emitReport(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Value> shadow = e.value(i.operands[0]);
  if (!shadow) return shadow.takeError();
  llvm::Value* found = shadow->leaves[0];
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(found);
      constant != nullptr && constant->isNullValue())
    return Error::success();
  Instruction about = i;
  about.op = static_cast<spv::Op>(i.operands[2]);
  const Id variable = i.operands[3];
  llvm::Value* decision = ir.getInt32(i.operands[1]);
  llvm::Type *ptr = ir.getPtrTy(), *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
  if (shadow->leaves.size() == 2) {
    // Of all subgroups of a wide stream.
    auto together = [&](llvm::Value* lines) -> llvm::Value* {
      if (!e.simt.isVarying(lines)) return lines;
      return ir.CreateOrReduce(ir.CreateSelect(e.simt.fullMask(), lines,
                                               llvm::Constant::getNullValue(lines->getType())));
    };
    llvm::Value *rows = together(found), *columns = together(shadow->leaves[1]);
    ir.CreateCall(runtimeFunction(e.output(), "tessera.uninit_matrix", ir.getVoidTy(),
                                  {ptr, ptr, i32, i32, i32, i32, i64, i64},
                                  llvm::MemoryEffects::inaccessibleMemOnly()),
                  {e.dispatch_args, checkSite(e, about, variable), e.workgroup_id[0],
                   e.workgroup_id[1], e.workgroup_id[2], checkedSubgroup(e), rows, columns});
    return Error::success();
  }
  if (i.operands[4] != 0 && !e.simt.isVarying(found)) {
    if (e.simt.mask != nullptr) found = ir.CreateAnd(found, e.simt.any(e.simt.mask));
    // Nothing that the kernel can see.
    ir.CreateCall(
        runtimeFunction(e.output(), "tessera.uninit_found_together", ir.getVoidTy(),
                        {ptr, ptr, i32, i32, i32, i32, i32, i32},
                        llvm::MemoryEffects::inaccessibleMemOnly()),
        {e.dispatch_args, checkSite(e, about, variable), e.workgroup_id[0], e.workgroup_id[1],
         e.workgroup_id[2], checkedSubgroup(e), decision, ir.CreateZExt(found, i32)});
    return Error::success();
  }
  llvm::Value* defined = ir.CreateNot(found);
  unlessGood(e, allLive(e, defined), [&] {
    llvm::Value* access = writeLiveLanes(e, defined);
    ir.CreateCall(
        runtimeFunction(e.output(), "tessera.uninit_found", ir.getVoidTy(), {ptr, ptr, ptr, i32},
                        llvm::MemoryEffects::inaccessibleOrArgMemOnly()),
        {e.dispatch_args, checkSite(e, about, variable), access, decision});
  });
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {opcode(InternalOp::ShadowAny), emitAny},
    {opcode(InternalOp::ShadowJoined), emitJoined},
    {opcode(InternalOp::ShadowLines), emitLines},
    {opcode(InternalOp::ShadowExpand), emitExpand},
    {opcode(InternalOp::ShadowPointer), emitPointer},
    {opcode(InternalOp::ShadowReport), emitReport},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> shadowOps() { return kRows; }

}  // namespace jit::spirv
