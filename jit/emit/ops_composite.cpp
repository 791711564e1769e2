// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.12 "Composite Instructions"; SPV_KHR_cooperative_matrix.
#include <llvm/IR/Constants.h>

#include "jit/emit/coopmat_components.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/spirv/types.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Where literal indices lead in a flattened value.
struct CompositePart {
  const Type* type;
  uint64_t first_leaf = 0;
  // The last index chose a component of a cooperative matrix.
  const Type* matrix = nullptr;
  uint32_t component = 0;
};

llvm::Expected<CompositePart> follow(Emission& e, const Instruction& i, const Type* type,
                                     llvm::ArrayRef<uint32_t> indices) {
  CompositePart part{type};
  for (size_t k = 0; k < indices.size(); ++k) {
    if (part.type->kind == TypeKind::CooperativeMatrix) {
      part.matrix = part.type;
      part.component = indices[k];
      part.type = part.type->element;
      if (k + 1 != indices.size()) return malformed(e.module.describe(i) + ": too many indices");
      return part;
    }
    const Type* next = componentType(*part.type, indices[k]);
    if (next == nullptr) return malformed(e.module.describe(i) + ": index past the end");
    part.first_leaf += leavesBefore(*part.type, indices[k]);
    part.type = next;
  }
  return part;
}

Error emitCompositeConstruct(Emission& e, const Instruction& i) {
  Value result{i.type, {}};
  for (Id id : i.operands) {
    llvm::Expected<Value> part = e.value(id);
    if (!part) return part.takeError();
    result.leaves.append(part->leaves.begin(), part->leaves.end());
  }
  if (i.type->kind == TypeKind::CooperativeMatrix) {
    if (result.leaves.size() != 1)
      return malformed(e.module.describe(i) + ": a matrix is made of one value");
    llvm::Expected<llvm::Value*> matrix = fillMatrix(e, i, *i.type, result.leaves[0]);
    if (!matrix) return matrix.takeError();
    result.leaves[0] = *matrix;
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

// SPV_EXT_replicated_composites: all constituents are one value.
Error emitCompositeConstructReplicate(Emission& e, const Instruction& i) {
  if (i.type->kind == TypeKind::CooperativeMatrix) return emitCompositeConstruct(e, i);
  llvm::Expected<Value> part = e.value(i.operands[0]);
  if (!part) return part.takeError();
  const uint64_t leaves = i.type->leaves();
  if (part->leaves.empty() || leaves % part->leaves.size() != 0)
    return malformed(e.module.describe(i) + ": the value is no constituent of the type");
  Value result{i.type, {}};
  while (result.leaves.size() < leaves)
    result.leaves.append(part->leaves.begin(), part->leaves.end());
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitCompositeExtract(Emission& e, const Instruction& i) {
  llvm::Expected<Value> composite = e.value(i.operands[0]);
  if (!composite) return composite.takeError();
  llvm::Expected<CompositePart> part =
      follow(e, i, composite->type,
             llvm::ArrayRef<uint32_t>(i.operands.data(), i.operands.size()).drop_front());
  if (!part) return part.takeError();
  Value result{i.type, {}};
  if (part->matrix != nullptr) {
    llvm::Expected<llvm::Value*> component =
        extractComponent(e, i, *part->matrix, composite->leaves[part->first_leaf], part->component);
    if (!component) return component.takeError();
    result.leaves.push_back(*component);
  } else {
    for (uint64_t k = 0; k < part->type->leaves(); ++k)
      result.leaves.push_back(composite->leaves[part->first_leaf + k]);
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitCompositeInsert(Emission& e, const Instruction& i) {
  llvm::Expected<Value> object = e.value(i.operands[0]);
  if (!object) return object.takeError();
  llvm::Expected<Value> composite = e.value(i.operands[1]);
  if (!composite) return composite.takeError();
  llvm::Expected<CompositePart> part =
      follow(e, i, composite->type,
             llvm::ArrayRef<uint32_t>(i.operands.data(), i.operands.size()).drop_front(2));
  if (!part) return part.takeError();
  Value result = std::move(*composite);
  result.type = i.type;
  if (part->matrix != nullptr) {
    llvm::Value*& leaf = result.leaves[part->first_leaf];
    llvm::Expected<llvm::Value*> matrix =
        insertComponent(e, i, *part->matrix, leaf, object->leaves[0], part->component);
    if (!matrix) return matrix.takeError();
    leaf = *matrix;
  } else {
    for (size_t k = 0; k < object->leaves.size(); ++k)
      result.leaves[part->first_leaf + k] = object->leaves[k];
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitVectorShuffle(Emission& e, const Instruction& i) {
  llvm::Expected<Value> a = e.value(i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[1]);
  if (!b) return b.takeError();
  Value result{i.type, {}};
  for (uint32_t index : i.operands.subspan(2)) {
    if (index < a->leaves.size())
      result.leaves.push_back(a->leaves[index]);
    else if (index - a->leaves.size() < b->leaves.size())
      result.leaves.push_back(b->leaves[index - a->leaves.size()]);
    else  // 0xFFFFFFFF: undefined
      result.leaves.push_back(llvm::Constant::getNullValue(e.leafType(i.type->element)));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitVectorExtractDynamic(Emission& e, const Instruction& i) {
  llvm::Expected<Value> vector = e.value(i.operands[0]);
  if (!vector) return vector.takeError();
  llvm::Expected<Value> index = e.value(i.operands[1]);
  if (!index) return index.takeError();
  // What may have been a read of a variable (promote_variables.h) reads 0 outside of it.
  const bool tests_last = e.request.robust_variables;
  llvm::Value* chosen = vector->leaves.back();
  if (tests_last) chosen = llvm::Constant::getNullValue(chosen->getType());
  for (size_t k = vector->leaves.size() - (tests_last ? 0 : 1); k-- > 0;) {
    llvm::Value* is = e.ir.CreateICmpEQ(index->leaves[0], integerLike(index->leaves[0], k));
    llvm::Value* leaf = vector->leaves[k];
    e.simt.unify(chosen, leaf);
    if (e.simt.isVarying(is)) {
      chosen = e.simt.broadcast(chosen);
      leaf = e.simt.broadcast(leaf);
    }
    chosen = e.ir.CreateSelect(is, leaf, chosen);
  }
  e.setValue(i, Value{i.type, {chosen}});
  return Error::success();
}

Error emitVectorInsertDynamic(Emission& e, const Instruction& i) {
  llvm::Expected<Value> vector = e.value(i.operands[0]);
  if (!vector) return vector.takeError();
  llvm::Expected<Value> component = e.value(i.operands[1]);
  if (!component) return component.takeError();
  llvm::Expected<Value> index = e.value(i.operands[2]);
  if (!index) return index.takeError();
  Value result{i.type, {}};
  for (size_t k = 0; k < vector->leaves.size(); ++k) {
    llvm::Value* is = e.ir.CreateICmpEQ(index->leaves[0], integerLike(index->leaves[0], k));
    llvm::Value *old = vector->leaves[k], *inserted = component->leaves[0];
    e.simt.unify(old, inserted);
    if (e.simt.isVarying(is)) {
      old = e.simt.broadcast(old);
      inserted = e.simt.broadcast(inserted);
    }
    result.leaves.push_back(e.ir.CreateSelect(is, inserted, old));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

// OpCopyObject, OpCopyLogical: the leaves are the same.
Error emitCopy(Emission& e, const Instruction& i) {
  if (i.type->kind == TypeKind::Pointer) {
    llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
    if (!pointer) return pointer.takeError();
    e.setPointer(i, *pointer);
    return Error::success();
  }
  llvm::Expected<Value> v = e.value(i.operands[0]);
  if (!v) return v.takeError();
  e.setValue(i, Value{i.type, v->leaves});
  return Error::success();
}

Error emitUndef(Emission& e, const Instruction& i) {
  e.setValue(i, e.zeroValue(i.type));
  return Error::success();
}

Error emitTranspose(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = e.value(i.operands[0]);
  if (!v) return v.takeError();
  const uint32_t columns = i.type->count, rows = i.type->element->count;
  Value result{i.type, {}};
  for (uint32_t c = 0; c < columns; ++c)
    for (uint32_t r = 0; r < rows; ++r) result.leaves.push_back(v->leaves[r * columns + c]);
  e.setValue(i, std::move(result));
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpCompositeConstruct, emitCompositeConstruct},
    {spv::Op::OpCompositeConstructReplicateEXT, emitCompositeConstructReplicate},
    {spv::Op::OpCompositeExtract, emitCompositeExtract},
    {spv::Op::OpCompositeInsert, emitCompositeInsert},
    {spv::Op::OpVectorShuffle, emitVectorShuffle},
    {spv::Op::OpVectorExtractDynamic, emitVectorExtractDynamic},
    {spv::Op::OpVectorInsertDynamic, emitVectorInsertDynamic},
    {spv::Op::OpCopyObject, emitCopy},
    {spv::Op::OpCopyLogical, emitCopy},
    {spv::Op::OpUndef, emitUndef},
    {spv::Op::OpTranspose, emitTranspose},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> compositeOps() { return kRows; }

}  // namespace jit::spirv
