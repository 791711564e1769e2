// SPDX-License-Identifier: Apache-2.0

// Instructions of the driver's own for single elements of a tensor: internal_ops.def.
#include <llvm/Support/MathExtras.h>

#include "jit/emit/coopmat_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/tensor_elements.h"
#include "jit/emit/tensor_rows.h"
#include "jit/spirv/internal_ops.h"
#include "jit/spirv/tensor_types.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Leaves of a TensorElement of `dimensions` dimensions.
constexpr uint32_t kRegion = 0, kIndex = 1, kBlock = 2;

// Bytes from one block of a tensor to the next: its size, with what fills up the last of its parts.
uint64_t blockBytes(const Type& pointer) {
  return llvm::alignTo(explicitSize(pointer.element), pointer.element->naturalAlignment());
}

// Which of the blocks with these numbers do not lie wholly within the accessible memory.
llvm::Value* beyond(Emission& e, llvm::Value* index, uint64_t bytes, llvm::Value* limit) {
  auto& ir = e.ir;
  llvm::Value* count = ir.CreateUDiv(limit, ir.getInt64(std::max<uint64_t>(bytes, 1)));
  llvm::Value* wide = ir.CreateZExt(index, shapedLike(index, ir.getInt64Ty()));
  return ir.CreateICmpUGE(wide, e.simt.broadcast(count));
}

Error emitElement(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  const Type& block_pointer = *e.module.types.at(i.operands[1]);
  const Type& matrix = *e.module.types.at(i.operands[2]);
  llvm::Expected<TensorOperands> operands =
      tensorOperands(e, i, i.operands[3], i.operands.size() > 5 ? i.operands[5] : 0);
  if (!operands) return operands.takeError();
  llvm::Expected<Value> number = e.value(i.operands[4]);
  if (!number) return number.takeError();
  const TensorElements elements = tensorElements(e, matrix, *operands, number->leaves[0]);
  llvm::Value* region = elements.region;
  if (pointer->size != nullptr) {
    llvm::Value* inside =
        ir.CreateICmpEQ(region, integerLike(region, static_cast<uint64_t>(TensorRegion::Inside)));
    MemoryCheck(e).block(*pointer, elements.index, blockBytes(block_pointer), inside);
    auto is = [&](TensorRegion p) { return integerLike(region, static_cast<uint64_t>(p)); };
    llvm::Value* lost =
        beyond(e, elements.index, blockBytes(block_pointer), accessibleBytes(e, *pointer));
    lost = ir.CreateAnd(lost, ir.CreateICmpEQ(region, is(TensorRegion::Inside)));
    region = ir.CreateSelect(lost, is(TensorRegion::Beyond), region);
  }
  Value result{i.type, {region, elements.index}};
  result.leaves.append(elements.block.begin(), elements.block.end());
  result.leaves.append(elements.in_block.begin(), elements.in_block.end());
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitRegion(Emission& e, const Instruction& i) {
  llvm::Expected<Value> element = e.value(i.operands[0]);
  if (!element) return element.takeError();
  e.setValue(i, Value{i.type, {element->leaves[kRegion]}});
  return Error::success();
}

// The first or the second array of coordinates.
template <uint32_t kWhich>
Error emitCoordinates(Emission& e, const Instruction& i) {
  llvm::Expected<Value> element = e.value(i.operands[0]);
  if (!element) return element.takeError();
  const auto coordinates =
      llvm::ArrayRef(element->leaves).slice(kBlock + kWhich * i.type->count, i.type->count);
  e.setValue(i, Value{i.type, {coordinates.begin(), coordinates.end()}});
  return Error::success();
}

Error emitPointer(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<Pointer> pointer = e.pointer(i.operands[0]);
  if (!pointer) return pointer.takeError();
  llvm::Expected<Value> element = e.value(i.operands[1]);
  if (!element) return element.takeError();
  llvm::Value* base = e.simt.uniform(e.address(*pointer));
  llvm::Value* index = element->leaves[kIndex];
  llvm::Value* offset = ir.CreateZExt(index, shapedLike(index, ir.getInt64Ty()));
  offset = ir.CreateMul(offset, integerLike(offset, blockBytes(*i.type)));
  e.setValue(i, Value{i.type, {ir.CreateAdd(e.simt.broadcast(base), offset)}});
  return Error::success();
}

Error emitFill(Emission& e, const Instruction& i) {
  auto& ir = e.ir;
  llvm::Expected<TensorOperands> operands = tensorOperands(e, i, i.operands[0], 0);
  if (!operands) return operands.takeError();
  llvm::Expected<Value> element = e.value(i.operands[1]);
  if (!element) return element.takeError();
  llvm::Value* region = element->leaves[kRegion];
  llvm::Type* type = e.leafType(i.type);
  // The bits of the clamp value's lower part.
  const LayoutLeaves at(operands->layout.type->count);
  llvm::Value* bits =
      ir.CreateZExtOrTrunc(operands->layout.leaves[at.clampValue()],
                           ir.getIntNTy(type->getPrimitiveSizeInBits().getFixedValue()));
  bits = e.simt.broadcast(bits);
  llvm::Value* outside =
      ir.CreateICmpEQ(region, integerLike(region, static_cast<uint64_t>(TensorRegion::Outside)));
  llvm::Value* fill = ir.CreateSelect(outside, bits, integerLike(bits, 0));
  e.setValue(i, Value{i.type, {ir.CreateBitCast(fill, shapedLike(fill, type))}});
  return Error::success();
}

Error emitHasGroups(Emission& e, const Instruction& i) {
  llvm::Expected<TensorOperands> operands =
      tensorOperands(e, i, i.operands[1], i.operands.size() > 3 ? i.operands[3] : 0);
  if (!operands) return operands.takeError();
  const auto size = static_cast<uint32_t>(e.module.constant(i.operands[2])->leaves[0]);
  llvm::Value* holds = hasGroups(e, *e.module.types.at(i.operands[0]), *operands, size);
  e.setValue(i, Value{i.type, {holds}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {opcode(InternalOp::TensorElement), emitElement},
    {opcode(InternalOp::TensorElementRegion), emitRegion},
    {opcode(InternalOp::TensorElementBlock), emitCoordinates<0>},
    {opcode(InternalOp::TensorElementInBlock), emitCoordinates<1>},
    {opcode(InternalOp::TensorElementPointer), emitPointer},
    {opcode(InternalOp::TensorElementFill), emitFill},
    {opcode(InternalOp::TensorHasGroups), emitHasGroups},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> tensorElementOps() { return kRows; }

}  // namespace jit::spirv
