// Source: SPIR-V Specification, 3.52.12 "Composite Instructions"; SPV_KHR_cooperative_matrix.
#include <llvm/IR/Constants.h>

#include "jit/coopmat/pseudo_ops.h"
#include "jit/spirv/coopmat_types.h"
#include "jit/spirv/leafwise.h"
#include "jit/spirv/types.h"
#include "jit/ukernel/helper_function.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Where literal indices lead in a flattened value.
struct Place {
  const Type* type;
  uint64_t first_leaf = 0;
  // The last index chose a component of a cooperative matrix.
  const Type* matrix = nullptr;
  uint32_t component = 0;
};

llvm::Expected<Place> follow(Emission& e, const Instruction& i, const Type* type,
                             llvm::ArrayRef<uint32_t> indices) {
  Place place{type};
  for (size_t k = 0; k < indices.size(); ++k) {
    if (place.type->kind == TypeKind::CooperativeMatrix) {
      place.matrix = place.type;
      place.component = indices[k];
      place.type = place.type->element;
      if (k + 1 != indices.size()) return malformed(e.module.describe(i) + ": too many indices");
      return place;
    }
    const Type* next = componentType(*place.type, indices[k]);
    if (next == nullptr) return malformed(e.module.describe(i) + ": index past the end");
    place.first_leaf += leavesBefore(*place.type, indices[k]);
    place.type = next;
  }
  return place;
}

// A matrix that is too large for registers, written to memory, so that components can be reached.
struct MatrixInMemory {
  llvm::AllocaInst* slot;
  Pointer pointer;

  // Component `index` of every invocation.
  llvm::Expected<Pointer> component(Emission& e, const Instruction& i, llvm::Value* index) const {
    Pointer result = pointer;
    if (Error error = e.step(result, index, false, nullptr, i)) return error;
    return result;
  }
};

bool isLarge(const Type& matrix) {
  return matrix.rows * matrix.columns > coopmat::kMostElementsInRegisters;
}

MatrixInMemory toMemory(Emission& e, const Type& matrix, llvm::Value* value) {
  MatrixInMemory memory{e.allocate(value->getType(), "matrix"), {}};
  e.writeSlot(memory.slot, value);
  memory.pointer.pointee = &matrix;
  memory.pointer.base = memory.slot;
  memory.pointer.offset = e.ir.getInt64(0);
  return memory;
}

// Component `index` of every invocation, out of a matrix held as one vector.
llvm::Value* extractComponent(Emission& e, const Type& matrix, llvm::Value* value, uint32_t index) {
  const auto m = mapped(matrix, e.width);
  const uint32_t count = matrix.rows * matrix.columns;
  llvm::SmallVector<int, 64> lanes;
  for (uint32_t l = 0; l < e.width; ++l)
    lanes.push_back(static_cast<int>(
        coopmat::element(e.request.component_layout, m, l, index).value_or(count)));
  return e.ir.CreateShuffleVector(value, llvm::Constant::getNullValue(value->getType()), lanes);
}

// The matrix with component `index` of every live invocation replaced.
llvm::Value* insertComponent(Emission& e, const Type& matrix, llvm::Value* value,
                             llvm::Value* component, uint32_t index) {
  const auto m = mapped(matrix, e.width);
  const uint32_t count = matrix.rows * matrix.columns;
  component = e.simt.broadcast(component);
  if (e.simt.mask != nullptr)
    component =
        e.ir.CreateSelect(e.simt.mask, component, extractComponent(e, matrix, value, index));
  // Widen the components to the matrix's size, then pick from one or the other.
  llvm::SmallVector<int, 256> widen(count, -1), pick(count);
  for (uint32_t l = 0; l < count && l < e.width; ++l) widen[l] = static_cast<int>(l);
  if (e.width > count) {
    llvm::SmallVector<int, 256> cut(count);
    for (uint32_t l = 0; l < count; ++l) cut[l] = static_cast<int>(l);
    component = e.ir.CreateShuffleVector(component, cut);
  } else {
    component = e.ir.CreateShuffleVector(component, widen);
  }
  for (uint32_t k = 0; k < count; ++k) pick[k] = static_cast<int>(k);
  for (uint32_t l = 0; l < e.width; ++l)
    if (auto element = coopmat::element(e.request.component_layout, m, l, index))
      pick[*element] = static_cast<int>(count + l);
  return e.ir.CreateShuffleVector(value, component, pick);
}

// fillMatrix of a large matrix with a value of each invocation's.
llvm::Expected<llvm::Value*> fillLarge(Emission& e, const Instruction& i, const Type& matrix,
                                       llvm::Value* value) {
  llvm::Value* first = e.simt.uniform(value);
  const MatrixInMemory memory =
      toMemory(e, matrix, e.ir.CreateVectorSplat(matrix.rows * matrix.columns, first));
  const uint32_t length = coopmat::length(e.request.component_layout, mapped(matrix, e.width));
  Error error = Error::success();
  ukernel::emitLoop(e.ir, e.ir.getInt64(length), 1, [&](llvm::Value* index) {
    llvm::ErrorAsOutParameter out(&error);
    llvm::Expected<Pointer> component = memory.component(e, i, index);
    error = component ? e.store(*component, Value{matrix.element, {value}}) : component.takeError();
  });
  if (error) return error;
  return e.readSlot(memory.slot);
}

// A matrix of one value. The specification asks for one that is uniform. Of one that is not, each
// invocation's goes to the components that the invocation holds, as where matrices are spread over
// invocations; the CTS counts on that (compute.*.cooperative_matrix.*.composite).
llvm::Value* fillMatrix(Emission& e, const Type& matrix, llvm::Value* value) {
  const uint32_t count = matrix.rows * matrix.columns;
  if (!value->getType()->isVectorTy()) return e.ir.CreateVectorSplat(count, value);
  if (e.simt.mask != nullptr)
    value = e.ir.CreateSelect(e.simt.mask, value, e.simt.broadcast(e.simt.uniform(value)));
  const auto m = mapped(matrix, e.width);
  llvm::SmallVector<int, 256> owners(count);
  for (uint32_t l = 0; l < e.width; ++l)
    for (uint32_t c = 0; c < coopmat::length(e.request.component_layout, m); ++c)
      if (auto element = coopmat::element(e.request.component_layout, m, l, c))
        owners[*element] = static_cast<int>(l);
  return e.ir.CreateShuffleVector(value, owners);
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
    if (isLarge(*i.type) && result.leaves[0]->getType()->isVectorTy()) {
      llvm::Expected<llvm::Value*> filled = fillLarge(e, i, *i.type, result.leaves[0]);
      if (!filled) return filled.takeError();
      result.leaves[0] = *filled;
    } else {
      result.leaves[0] = fillMatrix(e, *i.type, result.leaves[0]);
    }
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
  llvm::Expected<Place> place =
      follow(e, i, composite->type,
             llvm::ArrayRef<uint32_t>(i.operands.data(), i.operands.size()).drop_front());
  if (!place) return place.takeError();
  Value result{i.type, {}};
  if (place->matrix != nullptr && isLarge(*place->matrix)) {
    const MatrixInMemory memory = toMemory(e, *place->matrix, composite->leaves[place->first_leaf]);
    llvm::Expected<Pointer> component = memory.component(e, i, e.ir.getInt32(place->component));
    if (!component) return component.takeError();
    llvm::Expected<Value> loaded = e.load(*component);
    if (!loaded) return loaded.takeError();
    result.leaves = loaded->leaves;
  } else if (place->matrix != nullptr) {
    result.leaves.push_back(extractComponent(
        e, *place->matrix, composite->leaves[place->first_leaf], place->component));
  } else {
    for (uint64_t k = 0; k < place->type->leaves(); ++k)
      result.leaves.push_back(composite->leaves[place->first_leaf + k]);
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitCompositeInsert(Emission& e, const Instruction& i) {
  llvm::Expected<Value> object = e.value(i.operands[0]);
  if (!object) return object.takeError();
  llvm::Expected<Value> composite = e.value(i.operands[1]);
  if (!composite) return composite.takeError();
  llvm::Expected<Place> place =
      follow(e, i, composite->type,
             llvm::ArrayRef<uint32_t>(i.operands.data(), i.operands.size()).drop_front(2));
  if (!place) return place.takeError();
  Value result = std::move(*composite);
  result.type = i.type;
  if (place->matrix != nullptr && isLarge(*place->matrix)) {
    llvm::Value*& matrix = result.leaves[place->first_leaf];
    const MatrixInMemory memory = toMemory(e, *place->matrix, matrix);
    llvm::Expected<Pointer> component = memory.component(e, i, e.ir.getInt32(place->component));
    if (!component) return component.takeError();
    if (Error error = e.store(*component, *object)) return error;
    matrix = e.readSlot(memory.slot);
  } else if (place->matrix != nullptr) {
    llvm::Value*& matrix = result.leaves[place->first_leaf];
    matrix = insertComponent(e, *place->matrix, matrix, object->leaves[0], place->component);
  } else {
    for (size_t k = 0; k < object->leaves.size(); ++k)
      result.leaves[place->first_leaf + k] = object->leaves[k];
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
  llvm::Value* chosen = vector->leaves.back();
  for (size_t k = vector->leaves.size() - 1; k-- > 0;) {
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
