// SPDX-License-Identifier: Apache-2.0

// Source: SPV_KHR_cooperative_matrix, 3.42.8 "Memory Instructions", 3.42.13 "Arithmetic
// Instructions"; SPV_NV_cooperative_matrix, 3.32.8 and 3.32.13.
#include "jit/emit/coopmat_types.h"
#include "jit/emit/host_check.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/matrix_float_check.h"
#include "jit/emit/memory_check.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/race_check.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/matrix_ops.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// Where a matrix lies in memory.
struct MatrixMemory {
  coopmat::MatrixType type;
  llvm::Value *base, *stride_bytes, *limit_bytes;
  coopmat::Layout layout;
  bool is_volatile;
};

// Layout and stride are the operands from `first` on; memory operands follow.
llvm::Expected<MatrixMemory> matrixMemory(Emission& e, const Instruction& i, const Type& matrix,
                                          Id pointer_id, size_t first) {
  auto& ir = e.ir;
  if (i.operands.size() < first + 2) return malformed(e.module.describe(i) + ": no stride");
  llvm::Expected<Pointer> pointer = e.pointer(pointer_id);
  if (!pointer) return pointer.takeError();
  // NV has the stride first, then ColumnMajor, which has the values of layouts.
  const bool nv =
      i.op == spv::Op::OpCooperativeMatrixLoadNV || i.op == spv::Op::OpCooperativeMatrixStoreNV;
  const Constant* layout = e.module.constant(i.operands[nv ? first + 1 : first]);
  if (layout == nullptr || layout->leaves[0] > 1)
    return e.unsupportedAt(i, "this matrix layout; row-major and column-major are supported");
  if (pointer->interleaved || pointer->builtin_variable != 0)
    return e.unsupportedAt(i, "a matrix in Function or Private memory");
  llvm::Expected<Value> stride = e.value(i.operands[nv ? first : first + 1]);
  if (!stride) return stride.takeError();

  MatrixMemory result;
  result.type = matrixType(matrix);
  // All live invocations agree on where the matrix is, whatever the analysis can prove.
  const UniformCheck check(e);
  check.matrix();
  llvm::Value* address = e.leafAddress(*pointer, 0, 0);
  check.operand(address, rt::UniformOperand::Pointer);
  check.operand(stride->leaves[0], rt::UniformOperand::Stride);
  result.base = e.simt.uniform(address);
  llvm::Value* units = e.simt.uniform(stride->leaves[0]);
  units = stride->type->is_signed ? ir.CreateSExt(units, ir.getInt64Ty())
                                  : ir.CreateZExt(units, ir.getInt64Ty());
  // Bytes where the pointer has no type (SPV_KHR_untyped_pointers).
  const Type* type = e.typeOf(pointer_id);
  const bool untyped = type != nullptr && type->untyped;
  result.stride_bytes =
      untyped ? units : ir.CreateMul(units, ir.getInt64(pointer->pointee->naturalSize()));
  result.limit_bytes = accessibleBytes(e, *pointer);
  result.layout = layout->leaves[0] == 0 ? coopmat::Layout::Row : coopmat::Layout::Column;
  const bool by_columns = result.layout == coopmat::Layout::Column;
  const rt::MatrixForm form{.lines = by_columns ? matrix.columns : matrix.rows,
                            .length = by_columns ? matrix.rows : matrix.columns,
                            .bytes = static_cast<uint32_t>(matrix.element->naturalSize()),
                            .by_columns = by_columns,
                            .is_store = i.result == 0,
                            .by_address = false,
                            .may_leave = pointer->may_leave,
                            .is_unaligned = nv};
  MemoryCheck(e).matrix(*pointer, result.stride_bytes, form);
  RaceCheck(e).matrix(*pointer, result.stride_bytes, form);
  if (!form.is_store)
    MatrixFloatCheck(e).load(matrix, result.base, result.stride_bytes, result.limit_bytes,
                             by_columns);
  HostCheck(e).matrix(*pointer, result.stride_bytes, form);
  constexpr auto kVolatile = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile);
  result.is_volatile = pointer->is_volatile ||
                       (i.operands.size() > first + 2 && (i.operands[first + 2] & kVolatile) != 0);
  return result;
}

Error emitLoad(Emission& e, const Instruction& i) {
  llvm::Expected<MatrixMemory> p = matrixMemory(e, i, *i.type, i.operands[0], 1);
  if (!p) return p.takeError();
  e.keepInPlace(p->is_volatile);
  e.setValue(i, Value{i.type,
                      {coopmat::createLoad(e.ir, p->type, p->base, p->stride_bytes, p->limit_bytes,
                                           p->layout)}});
  return Error::success();
}

Error emitStore(Emission& e, const Instruction& i) {
  llvm::Expected<Value> matrix = e.value(i.operands[1]);
  if (!matrix) return matrix.takeError();
  llvm::Expected<MatrixMemory> p = matrixMemory(e, i, *matrix->type, i.operands[0], 2);
  if (!p) return p.takeError();
  coopmat::createStore(e.ir, matrix->leaves[0], p->type, p->base, p->stride_bytes, p->limit_bytes,
                       p->layout);
  e.keepInPlace(p->is_volatile);
  return Error::success();
}

Error emitMulAdd(Emission& e, const Instruction& i) {
  llvm::Expected<Value> a = e.value(i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[1]);
  if (!b) return b.takeError();
  llvm::Expected<Value> c = e.value(i.operands[2]);
  if (!c) return c.takeError();
  using Mask = spv::CooperativeMatrixOperandsMask;
  const bool nv = i.op == spv::Op::OpCooperativeMatrixMulAddNV;
  // The validator looks at the operands' alone.
  if (!nv && i.type->use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR)
    return malformed(e.module.describe(i) + ": the result must be of Use MatrixAccumulator");
  const uint32_t flags = i.operands.size() > 3 ? i.operands[3] : 0;
  auto is = [&](Mask bit) { return (flags & static_cast<uint32_t>(bit)) != 0; };
  // Whether integers are signed: NV takes it from the type.
  auto is_signed = [&](Mask bit) { return nv ? std::nullopt : std::optional(is(bit)); };

  coopmat::Shape shape{
      *scopeOf(*i.type),
      i.type->rows,
      i.type->columns,
      a->type->columns,
      *componentOf(*a->type->element, is_signed(Mask::MatrixASignedComponentsKHR)),
      *componentOf(*b->type->element, is_signed(Mask::MatrixBSignedComponentsKHR)),
      *componentOf(*c->type->element, is_signed(Mask::MatrixCSignedComponentsKHR)),
      *componentOf(*i.type->element, is_signed(Mask::MatrixResultSignedComponentsKHR)),
      is(Mask::SaturatingAccumulationKHR)};
  if (a->type->rows != shape.m || b->type->rows != shape.k || b->type->columns != shape.n ||
      c->type->rows != shape.m || c->type->columns != shape.n)
    return malformed(e.module.describe(i) + ": sizes of the matrices do not fit each other");
  if (a->type->scope != i.type->scope || b->type->scope != i.type->scope ||
      c->type->scope != i.type->scope)
    return malformed(e.module.describe(i) + ": the matrices are of different scopes");
  const coopmat::Tables& tables = e.request.tables();
  if (nv ? !coopmat::hasShape(shape, tables.nv)
         : !coopmat::hasShape(shape, tables.fixed) &&
               !coopmat::isFlexible(shape, tables, e.invocations))
    return e.unsupportedAt(i, coopmat::describe(shape) +
                                  " is not supported; the nearest that is: " +
                                  (nv ? coopmat::describeNearestNv(shape, tables)
                                      : coopmat::describeNearest(shape, tables)));
  UniformCheck(e).matrix();
  coopmat::MulAdd op{shape.m,      shape.n,          shape.k,
                     shape.a,      shape.b,          shape.c,
                     shape.result, shape.saturating, !e.module.decorated(i.result).no_contraction};
  e.setValue(i, Value{i.type,
                      {coopmat::createMulAdd(e.ir, op, a->leaves[0], b->leaves[0], c->leaves[0])}});
  return Error::success();
}

Error emitLength(Emission& e, const Instruction& i) {
  auto type = e.module.types.find(i.operands[0]);
  if (type == e.module.types.end() || type->second->kind != TypeKind::CooperativeMatrix)
    return malformed(e.module.describe(i) + ": not a matrix type");
  const uint32_t length = coopmat::length(e.request.component_layout, mapped(e, *type->second));
  e.setValue(i, Value{i.type, {e.ir.getInt32(length)}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpCooperativeMatrixLoadKHR, emitLoad},
    {spv::Op::OpCooperativeMatrixStoreKHR, emitStore},
    {spv::Op::OpCooperativeMatrixMulAddKHR, emitMulAdd},
    {spv::Op::OpCooperativeMatrixLengthKHR, emitLength},
    {spv::Op::OpCooperativeMatrixLoadNV, emitLoad},
    {spv::Op::OpCooperativeMatrixStoreNV, emitStore},
    {spv::Op::OpCooperativeMatrixMulAddNV, emitMulAdd},
    {spv::Op::OpCooperativeMatrixLengthNV, emitLength},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> coopmatOps() { return kRows; }

}  // namespace jit::spirv
