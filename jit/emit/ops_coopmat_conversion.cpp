// SPDX-License-Identifier: Apache-2.0

// Source: SPV_NV_cooperative_matrix2, 3.49.11 "Conversion Instructions";
// SPV_EXT_cooperative_matrix_maintenance1.
#include "jit/emit/coopmat_types.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/emit/uniform_check.h"
#include "jit/ir/matrix_ops.h"

namespace jit::spirv {

namespace {

using llvm::Error;
using Use = spv::CooperativeMatrixUse;

// Whether a conversion may change the use so. Only into a multiplication, or out of it as well.
bool mayBecome(const Module& module, Use from, Use to) {
  const bool both_ways = module.has(spv::Capability::CooperativeMatrixConversionsEXT);
  if (to == Use::MatrixAccumulatorKHR) return both_ways && from != to;
  return from == Use::MatrixAccumulatorKHR &&
         (both_ways || module.has(spv::Capability::CooperativeMatrixConversionsNV));
}

// Whether values of one type are the other's: signedness is for instructions to say.
bool sameComponents(const Type& a, const Type& b) {
  return a.element == b.element ||
         (a.element->kind == TypeKind::Int && b.element->kind == TypeKind::Int &&
          a.element->width == b.element->width);
}

Error checkMatrices(const Emission& e, const Instruction& i, const Type& from) {
  if (i.type->kind != TypeKind::CooperativeMatrix || from.kind != TypeKind::CooperativeMatrix)
    return malformed(e.module.describe(i) + ": operand and result must be matrices");
  return Error::success();
}

Error checkComponents(const Emission& e, const Instruction& i, const Type& from) {
  if (Error error = checkMatrices(e, i, from)) return error;
  if (!sameComponents(from, *i.type))
    return malformed(e.module.describe(i) + ": the component type must not change");
  return Error::success();
}

// A use says where a matrix stands in a multiplication, not what it is.
Error emitConvertUse(Emission& e, const Instruction& i) {
  llvm::Expected<Value> matrix = e.value(i.operands[0]);
  if (!matrix) return matrix.takeError();
  const Type& from = *matrix->type;
  if (Error error = checkComponents(e, i, from)) return error;
  if (Error error = checkConversion(e, i, from)) return error;
  if (from.use == i.type->use) return malformed(e.module.describe(i) + ": the Use must change");
  UniformCheck(e).matrix();
  llvm::Value* result = matrix->leaves[0];
  if (e.module.decorated(i.result).transposes) result = transposed(e, i, from, result);
  e.setValue(i, Value{i.type, {result}});
  return Error::success();
}

// The conversion of components that goes with a transpose; none where they stay what they are, and
// an error between floats and integers, which no document defines.
llvm::Expected<std::optional<spv::Op>> componentConversion(const Emission& e, const Instruction& i,
                                                           const Type& from) {
  if (sameComponents(from, *i.type)) return std::nullopt;
  const Type &source = *from.element, &target = *i.type->element;
  if (source.kind != target.kind)
    return malformed(e.module.describe(i) + ": floats do not become integers, nor the reverse");
  if (source.kind == TypeKind::Float) return spv::Op::OpFConvert;
  return source.is_signed ? spv::Op::OpSConvert : spv::Op::OpUConvert;
}

// SPV_NV_cooperative_matrix2 asks for rows, columns, scope and uses that fit, and leaves the
// component types open: a result of another type is converted, and then turned.
Error emitTranspose(Emission& e, const Instruction& i) {
  llvm::Expected<Value> matrix = e.value(i.operands[0]);
  if (!matrix) return matrix.takeError();
  const Type& from = *matrix->type;
  if (Error error = checkMatrices(e, i, from)) return error;
  if (from.scope != i.type->scope || from.rows != i.type->columns || from.columns != i.type->rows)
    return malformed(e.module.describe(i) +
                     ": the result must have the operand's scope, and its rows as columns");
  if (from.use != Use::MatrixAccumulatorKHR || i.type->use != Use::MatrixBKHR)
    return malformed(e.module.describe(i) +
                     ": from Use MatrixAccumulatorKHR to MatrixBKHR is the only way");
  auto conversion = componentConversion(e, i, from);
  if (!conversion) return conversion.takeError();
  UniformCheck(e).matrix();
  llvm::Value* value = matrix->leaves[0];
  if (*conversion) {
    Type upright = *i.type;
    upright.rows = from.rows;
    upright.columns = from.columns;
    Instruction convert = i;
    convert.op = **conversion;
    convert.type = &upright;
    if (Error error = findOpcode(convert.op)->emit(e, convert)) return error;
    llvm::Expected<Value> converted = e.value(i.result);
    if (!converted) return converted.takeError();
    value = converted->leaves[0];
  }
  e.setValue(i, Value{i.type, {transposed(e, i, from, value)}});
  return Error::success();
}

// Row and column of a component; a phantom's row is past the end.
Error emitGetCoordinate(Emission& e, const Instruction& i) {
  llvm::Expected<Value> matrix = e.value(i.operands[0]);
  if (!matrix) return matrix.takeError();
  llvm::Expected<Value> index = e.value(i.operands[1]);
  if (!index) return index.takeError();
  if (matrix->type->kind != TypeKind::CooperativeMatrix)
    return malformed(e.module.describe(i) + ": not a matrix");
  llvm::Value* number = componentElements(e, *matrix->type, index->leaves[0]);
  number = e.ir.CreateTrunc(number, shapedLike(number, e.ir.getInt32Ty()));
  llvm::Value* columns = integerLike(number, matrix->type->columns);
  e.setValue(i,
             Value{i.type, {e.ir.CreateUDiv(number, columns), e.ir.CreateURem(number, columns)}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpCooperativeMatrixConvertUseEXT, emitConvertUse},
    {spv::Op::OpCooperativeMatrixTransposeNV, emitTranspose},
    {spv::Op::OpCooperativeMatrixGetCoordinateEXT, emitGetCoordinate},
};

}  // namespace

llvm::Value* transposed(Emission& e, const Instruction& i, const Type& matrix, llvm::Value* value) {
  coopmat::MatrixType type = matrixType(*i.type);
  std::tie(type.rows, type.columns) = std::pair(matrix.rows, matrix.columns);
  return coopmat::createTranspose(e.ir, type, value);
}

Error checkConversion(const Emission& e, const Instruction& i, const Type& from) {
  const Type& to = *i.type;
  auto wrong = [&](const char* rule) { return malformed(e.module.describe(i) + ": " + rule); };
  if (from.kind != TypeKind::CooperativeMatrix) return wrong("the operand must be a matrix");
  const bool transposes = e.module.decorated(i.result).transposes;
  if (from.scope != to.scope) return wrong("operand and result must have one scope");
  if (from.rows != (transposes ? to.columns : to.rows) ||
      from.columns != (transposes ? to.rows : to.columns))
    return wrong(transposes ? "the result must have as many rows as the operand has columns, and "
                              "as many columns as that has rows"
                            : "operand and result must have the same rows and columns");
  if (transposes && (from.use != Use::MatrixAccumulatorKHR || to.use == from.use))
    return wrong("only from Use MatrixAccumulatorKHR to another a conversion can transpose");
  if (from.use == to.use) return Error::success();
  if (i.op == spv::Op::OpBitcast || !from.use || !to.use ||
      !mayBecome(e.module, *from.use, *to.use))
    return wrong(
        "the Use changes in a way that neither this instruction nor a capability that the module "
        "declares allows");
  return Error::success();
}

llvm::ArrayRef<OpcodeRow> coopmatConversionOps() { return kRows; }

}  // namespace jit::spirv
