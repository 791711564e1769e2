// SPDX-License-Identifier: Apache-2.0

// OpCooperativeMatrixReduceEXT, in halves: the second half of the rows is combined with the first,
// element by element, until one row is left. Each step works on elements that lie side by side, all
// invocations take part, and all results of a row or column come from one combination.
// Source: SPV_NV_cooperative_matrix2, 3.49.13 "Arithmetic Instructions".
#include <string>

#include "jit/base/error.h"
#include "jit/spirv/matrix_calls.h"

namespace jit::spirv {

namespace {

constexpr auto kRow = static_cast<uint32_t>(spv::CooperativeMatrixReduceMask::Row);
constexpr auto kColumn = static_cast<uint32_t>(spv::CooperativeMatrixReduceMask::Column);
constexpr auto k2x2 =
    static_cast<uint32_t>(spv::CooperativeMatrixReduceMask::CooperativeMatrixReduce2x2);

class Reduction {
 public:
  Reduction(FunctionBuilder& b, const Type& matrix, const Type& result, Id function)
      : b_(b), matrix_(matrix), result_(result), component_(*matrix.element), function_(function) {}

  // Every row of the result is this row; every column, where the matrix was transposed before.
  Id columns(Id matrix) {
    const Id variable = b_.variableWith(matrix_, matrix);
    halve(variable, matrix_.rows, matrix_.columns);
    return broadcast(variable, 0);
  }
  Id rows(Id matrix) {
    const Type& turned = b_.resized(matrix_, matrix_.columns, matrix_.rows);
    const Id variable =
        b_.variableWith(turned, b_.emit(InternalOp::MatrixTranspose, turned, {matrix}));
    halve(variable, matrix_.columns, matrix_.rows);
    return broadcast(variable, 1);
  }
  Id all(Id matrix) {
    const Id variable = b_.variableWith(matrix_, matrix);
    halve(variable, matrix_.rows * matrix_.columns, 1);
    return b_.emit(spv::Op::OpCompositeConstruct, result_, {element(variable, b_.constant(0))});
  }
  // Of four neighbours, those in a row first.
  Id neighbours(Id matrix) {
    const Id source = b_.variableWith(matrix_, matrix), target = b_.variable(result_);
    const uint32_t count = result_.rows * result_.columns;
    forEachInParallel(b_, result_, b_.constant(count), count, [&](Id k) {
      const Id columns = b_.constant(result_.columns);
      const Id row = b_.arithmetic(spv::Op::OpUDiv, k, columns);
      const Id column = b_.arithmetic(spv::Op::OpUMod, k, columns);
      const Id line = b_.arithmetic(spv::Op::OpIMul, row, b_.constant(2 * matrix_.columns));
      const Id first = plus(line, plus(column, column));
      auto pair = [&](uint32_t offset) {
        const Id left = element(source, plus(first, b_.constant(offset)));
        const Id right = element(source, plus(first, b_.constant(offset + 1)));
        return combine(left, right);
      };
      const Id above = pair(0), below = pair(matrix_.columns);
      const Id combined = combine(above, below);
      b_.store(pointer(target, k), combined);
    });
    return b_.load(result_, target);
  }

 private:
  Id plus(Id a, Id b) { return b_.arithmetic(spv::Op::OpIAdd, a, b); }
  Id combine(Id a, Id b) { return b_.emit(spv::Op::OpFunctionCall, component_, {function_, a, b}); }
  Id pointer(Id variable, Id number) {
    return b_.emit(InternalOp::MatrixElementPointer, b_.pointerTo(component_), {variable, number});
  }
  Id element(Id variable, Id number) { return b_.load(component_, pointer(variable, number)); }

  Id broadcast(Id variable, uint32_t layout) {
    return b_.emit(InternalOp::MatrixBroadcast, result_, {variable, b_.constant(layout)});
  }

  // Combines `lines` of `width` elements each into the first. An odd one in the middle waits.
  void halve(Id variable, uint32_t lines, uint32_t width) {
    const Id one = b_.constant(1), across = b_.constant(width);
    Id half = 0;
    b_.loop(
        b_.constant(lines),
        [&](Id left) {
          half = b_.arithmetic(spv::Op::OpShiftRightLogical, plus(left, one), one);
          return b_.emit(spv::Op::OpUGreaterThan, b_.boolean(), {left, one});
        },
        [&](Id left) {
          const Id whole = b_.arithmetic(spv::Op::OpISub, left, half);
          const Id pairs = b_.arithmetic(spv::Op::OpIMul, whole, across);
          const Id distance = b_.arithmetic(spv::Op::OpIMul, half, across);
          forEachInParallel(b_, matrix_, pairs, width, [&](Id k) {
            const Id own = element(variable, k), other = element(variable, plus(k, distance));
            const Id combined = combine(own, other);
            b_.store(pointer(variable, k), combined);
          });
        },
        [&](Id) { return half; });
  }

  FunctionBuilder& b_;
  const Type &matrix_, &result_, &component_;
  const Id function_;
};

llvm::Error checkReduction(FunctionBuilder& b, const Instruction& i, const Type& matrix,
                           uint32_t mask) {
  const Type& result = *i.type;
  auto wrong = [&](const std::string& rule) {
    return malformed(b.reading().module.describe(i) + ": " + rule);
  };
  for (const Type* type : {&matrix, &result})
    if (type->use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR)
      return wrong("matrix and result must have Use MatrixAccumulatorKHR");
  if (matrix.element != result.element || matrix.scope != result.scope)
    return wrong("matrix and result must have one component type and one scope");
  if (mask != kRow && mask != kColumn && mask != (kRow | kColumn) && mask != k2x2)
    return wrong("Reduce must be Row, Column, both of these, or 2x2");
  if (mask == kRow && matrix.rows != result.rows)
    return wrong("a reduction of rows must keep the number of rows");
  if (mask == kColumn && matrix.columns != result.columns)
    return wrong("a reduction of columns must keep the number of columns");
  if (mask == k2x2 && (matrix.rows != 2 * result.rows || matrix.columns != 2 * result.columns))
    return wrong("a 2x2 reduction must halve the number of rows and of columns");
  llvm::Expected<const Type*> function = functionType(b, i, i.operands[2]);
  if (!function) return function.takeError();
  const auto& parameters = (*function)->parameters;
  if ((*function)->element != matrix.element || parameters.size() != 2 ||
      parameters[0] != matrix.element || parameters[1] != matrix.element)
    return wrong("the function must take two components of the matrix and return one");
  return llvm::Error::success();
}

}  // namespace

llvm::Error writeReduction(FunctionBuilder& b, const Instruction& i) {
  if (i.operands.size() < 3 || i.type->kind != TypeKind::CooperativeMatrix)
    return malformed(b.reading().module.describe(i) + " lacks operands, or gives no matrix");
  llvm::Expected<const Type*> matrix = matrixOperand(b, i, i.operands[0]);
  if (!matrix) return matrix.takeError();
  const uint32_t mask = i.operands[1];
  if (llvm::Error error = checkReduction(b, i, **matrix, mask)) return error;
  Reduction reduction(b, **matrix, *i.type, i.operands[2]);
  const Id source = b.parameter(i.operands[0]);
  b.finish(mask == kRow      ? reduction.rows(source)
           : mask == kColumn ? reduction.columns(source)
           : mask == k2x2    ? reduction.neighbours(source)
                             : reduction.all(source));
  return llvm::Error::success();
}

}  // namespace jit::spirv
