// SPDX-License-Identifier: Apache-2.0

// Instructions of the driver's own: internal_ops.def.
#include "jit/emit/coopmat_types.h"
#include "jit/emit/inactive_source.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/matrix_float_check.h"
#include "jit/emit/opcode_rows.h"
#include "jit/ir/marks.h"
#include "jit/ir/matrix_ops.h"
#include "jit/spirv/internal_ops.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Where the elements of the matrix in a variable begin.
llvm::Expected<Pointer> elements(Emission& e, const Pointer& matrix) {
  Pointer first;
  first.pointee = matrix.pointee->element;
  first.storage = matrix.storage;
  first.base = e.leafAddress(matrix, 0, 0);
  if (Error error = e.checkMatrixAddress(*matrix.pointee, first.base)) return error;
  first.base = e.simt.uniform(first.base);
  first.offset = e.ir.getInt64(0);
  return first;
}

// Number of the stream's, or of a region's, first invocation among those that hold a matrix.
llvm::Value* firstHolder(Emission& e, const Type& matrix) {
  llvm::Value* first = e.firstInvocationOfRegion();
  if (first == nullptr || matrix.scope != spv::Scope::Workgroup) return e.ir.getInt32(0);
  return e.ir.CreateTrunc(first, e.ir.getInt32Ty());
}

Error emitElementNumber(Emission& e, const Instruction& i) {
  llvm::Expected<Value> index = e.value(i.operands[1]);
  if (!index) return index.takeError();
  const Type& matrix = *e.module.types.at(i.operands[0]);
  auto by_lane = [&] {
    llvm::Value* number = componentElements(e, matrix, index->leaves[0]);
    return e.ir.CreateTrunc(number, shapedLike(number, e.ir.getInt32Ty()));
  };
  llvm::Value* number = nullptr;
  if (e.simt.isVarying(index->leaves[0])) {
    number = by_lane();
  } else {
    llvm::Value* before =
        e.ir.CreateMul(index->leaves[0], e.ir.getInt32(e.invocationsOf(matrix.scope)));
    number = e.countedFrom(e.ir.CreateAdd(before, firstHolder(e, matrix)), i, by_lane);
  }
  e.setValue(i, Value{i.type, {number}});
  return Error::success();
}

Error emitElementPointer(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> matrix = e.pointer(i.operands[0]);
  if (!matrix) return matrix.takeError();
  llvm::Expected<Pointer> pointer = elements(e, *matrix);
  if (!pointer) return pointer.takeError();
  llvm::Expected<Value> number = e.value(i.operands[1]);
  if (!number) return number.takeError();
  e.advance(*pointer, elementsInLeaf(e, *matrix->pointee, number->leaves[0]), false,
            pointer->pointee->naturalSize());
  e.setPointer(i, *pointer);
  return Error::success();
}

Error emitInvocation(Emission& e, const Instruction& i) {
  const Type& matrix = *e.module.types.at(i.operands[0]);
  llvm::Value* first = firstHolder(e, matrix);
  auto by_lane = [&] {
    const uint32_t invocations = e.copiesOf(matrix) > 1 ? e.subgroup_size : e.width();
    llvm::Value* lanes = e.simt.laneIndices(e.ir.getInt32Ty());
    return e.ir.CreateAdd(e.simt.broadcast(first),
                          e.ir.CreateURem(lanes, integerLike(lanes, invocations)));
  };
  e.setValue(i, Value{i.type, {e.countedFrom(first, i, by_lane)}});
  return Error::success();
}

Error emitBroadcast(Emission& e, const Instruction& i) {
  llvm::Expected<Pointer> matrix_at = e.pointer(i.operands[0]);
  if (!matrix_at) return matrix_at.takeError();
  llvm::Expected<Pointer> pointer = elements(e, *matrix_at);
  if (!pointer) return pointer.takeError();
  const bool rows = e.module.constant(i.operands[1])->leaves[0] == 0;
  llvm::Value* matrix = coopmat::createLoad(e.ir, matrixType(*i.type), pointer->base,
                                            e.ir.getInt64(0), e.ir.getInt64(~uint64_t{0}),
                                            rows ? coopmat::Layout::Row : coopmat::Layout::Column);
  e.setValue(i, Value{i.type, {matrix}});
  return Error::success();
}

Error emitTranspose(Emission& e, const Instruction& i) {
  llvm::Expected<Value> matrix = e.value(i.operands[0]);
  if (!matrix) return matrix.takeError();
  e.setValue(i, Value{i.type, {transposed(e, i, *matrix->type, matrix->leaves[0])}});
  return Error::success();
}

// To debuggers code stays where it is.
Error emitBegin(Emission& e, const Instruction&) {
  if (!e.debug.is_on) emitSharedCodeBegin(e.ir);
  return Error::success();
}

Error emitEnd(Emission& e, const Instruction&) {
  if (!e.debug.is_on) emitSharedCodeEnd(e.ir);
  return Error::success();
}

Error emitCheckSum(Emission& e, const Instruction& i) { return MatrixFloatCheck(e).sum(i); }

Error emitNoteMatrix(Emission& e, const Instruction& i) { return MatrixFloatCheck(e).note(i); }

Error emitDebugValue(Emission& e, const Instruction& i) { return DebugValues(e).value(i); }

constexpr OpcodeRow kRows[] = {
    {opcode(InternalOp::MatrixElementNumber), emitElementNumber},
    {opcode(InternalOp::MatrixElementPointer), emitElementPointer},
    {opcode(InternalOp::MatrixInvocation), emitInvocation},
    {opcode(InternalOp::MatrixBroadcast), emitBroadcast},
    {opcode(InternalOp::MatrixTranspose), emitTranspose},
    {opcode(InternalOp::InactiveSource), emitInactiveSource},
    {opcode(InternalOp::InactiveUse), emitInactiveUse},
    {opcode(InternalOp::CheckSum), emitCheckSum},
    {opcode(InternalOp::NoteMatrix), emitNoteMatrix},
    {opcode(InternalOp::DebugValue), emitDebugValue},
    {opcode(InternalOp::SharedCodeBegin), emitBegin},
    {opcode(InternalOp::SharedCodeEnd), emitEnd},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> internalOps() { return kRows; }

}  // namespace jit::spirv
