// SPDX-License-Identifier: Apache-2.0

// Source: SPV_NV_tensor_addressing, "Tensor Layout and View Instructions".
#include "jit/emit/integer_division.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/spirv/tensor_types.h"

namespace jit::spirv {

namespace {

using llvm::Error;

Error emitCreateLayout(Emission& e, const Instruction& i) {
  Value layout = e.zeroValue(i.type);
  const LayoutLeaves at(i.type->count);
  for (uint32_t dim = 0; dim < i.type->count; ++dim)
    layout.leaves[at.blockSize(dim)] = e.ir.getInt32(1);
  e.setValue(i, std::move(layout));
  return Error::success();
}

Error emitCreateView(Emission& e, const Instruction& i) {
  Value view = e.zeroValue(i.type);
  const ViewLeaves at(i.type->count);
  view.leaves[at.clipRowSpan()] = e.ir.getInt32(~0u);
  view.leaves[at.clipColumnSpan()] = e.ir.getInt32(~0u);
  e.setValue(i, std::move(view));
  return Error::success();
}

// The layout or view that an instruction changes, and the numbers behind it.
struct Change {
  Value object;
  llvm::SmallVector<llvm::Value*, 10> numbers;
};

llvm::Expected<Change> change(Emission& e, const Instruction& i, TypeKind kind, size_t count) {
  if (i.type->kind != kind || i.operands.size() != 1 + count)
    return malformed(e.module.describe(i) + ": needs " + std::to_string(count) +
                     " numbers for a tensor type of " + std::to_string(i.type->count) +
                     " dimensions");
  llvm::Expected<Value> object = e.value(i.operands[0]);
  if (!object) return object.takeError();
  if (object->type != i.type)
    return malformed(e.module.describe(i) + ": an operand of another type");
  Change result{*object, {}};
  for (Id id : i.operands.subspan(1)) {
    llvm::Expected<Value> number = e.value(id);
    if (!number) return number.takeError();
    if (number->type->kind != TypeKind::Int || number->type->width != 32)
      return malformed(e.module.describe(i) + ": an operand that is no 32-bit integer");
    result.numbers.push_back(number->leaves[0]);
  }
  return result;
}

llvm::Value* add(Emission& e, llvm::Value* a, llvm::Value* b) {
  e.simt.unify(a, b);
  return e.ir.CreateAdd(a, b);
}

llvm::Value* multiply(Emission& e, llvm::Value* a, llvm::Value* b) {
  e.simt.unify(a, b);
  return e.ir.CreateMul(a, b);
}

llvm::Value* ceilingOfQuotient(Emission& e, llvm::Value* a, llvm::Value* b) {
  e.simt.unify(a, b);
  const Division division = divide(e, a, b, false);
  llvm::Value* more = e.ir.CreateICmpNE(division.remainder, integerLike(a, 0));
  return e.ir.CreateAdd(division.quotient, e.ir.CreateZExt(more, a->getType()));
}

// One leaf for each dimension.
template <uint32_t (LayoutLeaves::*kLeaf)(uint32_t) const>
Error emitSetLayout(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorLayout, i.type->count);
  if (!c) return c.takeError();
  const LayoutLeaves at(i.type->count);
  for (uint32_t dim = 0; dim < i.type->count; ++dim)
    c->object.leaves[(at.*kLeaf)(dim)] = c->numbers[dim];
  e.setValue(i, std::move(c->object));
  return Error::success();
}

// Sets what follows from the dimensions too: all of the tensor, without gaps between its blocks.
Error emitSetLayoutDimension(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorLayout, i.type->count);
  if (!c) return c.takeError();
  const LayoutLeaves at(i.type->count);
  auto& leaves = c->object.leaves;
  llvm::Value* stride = e.ir.getInt32(1);
  for (uint32_t dim = i.type->count; dim-- > 0;) {
    llvm::Value* size = c->numbers[dim];
    leaves[at.dimension(dim)] = leaves[at.span(dim)] = size;
    leaves[at.offset(dim)] = e.ir.getInt32(0);
    leaves[at.stride(dim)] = stride;
    if (dim != 0)
      stride = multiply(e, stride, ceilingOfQuotient(e, size, leaves[at.blockSize(dim)]));
  }
  e.setValue(i, std::move(c->object));
  return Error::success();
}

// A slice of what the layout was a slice of.
Error emitSlice(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorLayout, size_t{2} * i.type->count);
  if (!c) return c.takeError();
  const LayoutLeaves at(i.type->count);
  for (uint32_t dim = 0; dim < i.type->count; ++dim) {
    llvm::Value*& offset = c->object.leaves[at.offset(dim)];
    offset = add(e, offset, c->numbers[2 * dim]);
    c->object.leaves[at.span(dim)] = c->numbers[2 * dim + 1];
  }
  e.setValue(i, std::move(c->object));
  return Error::success();
}

Error emitSetClampValue(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorLayout, 1);
  if (!c) return c.takeError();
  c->object.leaves[LayoutLeaves(i.type->count).clampValue()] = c->numbers[0];
  e.setValue(i, std::move(c->object));
  return Error::success();
}

Error emitSetViewDimension(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorView, i.type->count);
  if (!c) return c.takeError();
  const ViewLeaves at(i.type->count);
  llvm::Value* stride = e.ir.getInt32(1);
  for (uint32_t dim = i.type->count; dim-- > 0;) {
    c->object.leaves[at.dimension(dim)] = c->numbers[dim];
    c->object.leaves[at.stride(dim)] = stride;
    stride = multiply(e, stride, c->numbers[dim]);
  }
  e.setValue(i, std::move(c->object));
  return Error::success();
}

Error emitSetViewStride(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorView, i.type->count);
  if (!c) return c.takeError();
  const ViewLeaves at(i.type->count);
  for (uint32_t dim = 0; dim < i.type->count; ++dim)
    c->object.leaves[at.stride(dim)] = c->numbers[dim];
  e.setValue(i, std::move(c->object));
  return Error::success();
}

Error emitSetClip(Emission& e, const Instruction& i) {
  llvm::Expected<Change> c = change(e, i, TypeKind::TensorView, 4);
  if (!c) return c.takeError();
  const ViewLeaves at(i.type->count);
  c->object.leaves[at.clipRowOffset()] = c->numbers[0];
  c->object.leaves[at.clipRowSpan()] = c->numbers[1];
  c->object.leaves[at.clipColumnOffset()] = c->numbers[2];
  c->object.leaves[at.clipColumnSpan()] = c->numbers[3];
  e.setValue(i, std::move(c->object));
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpCreateTensorLayoutNV, emitCreateLayout},
    {spv::Op::OpTensorLayoutSetBlockSizeNV, emitSetLayout<&LayoutLeaves::blockSize>},
    {spv::Op::OpTensorLayoutSetDimensionNV, emitSetLayoutDimension},
    {spv::Op::OpTensorLayoutSetStrideNV, emitSetLayout<&LayoutLeaves::stride>},
    {spv::Op::OpTensorLayoutSliceNV, emitSlice},
    {spv::Op::OpTensorLayoutSetClampValueNV, emitSetClampValue},
    {spv::Op::OpCreateTensorViewNV, emitCreateView},
    {spv::Op::OpTensorViewSetDimensionNV, emitSetViewDimension},
    {spv::Op::OpTensorViewSetStrideNV, emitSetViewStride},
    {spv::Op::OpTensorViewSetClipNV, emitSetClip},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> tensorOps() { return kRows; }

}  // namespace jit::spirv
