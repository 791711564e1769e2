// SPDX-License-Identifier: Apache-2.0

// OpCooperativeMatrixPerElementOpEXT: each invocation calls the function for the components that it
// owns, one after the other.
// Source: SPV_NV_cooperative_matrix2, 3.49.9 "Function Instructions".
#include "jit/base/error.h"
#include "jit/spirv/matrix_calls.h"

namespace jit::spirv {

namespace {

// An argument of the function behind row, column and element.
struct Extra {
  Id id = 0;                      // a value, or a variable with a matrix
  const Type* element = nullptr;  // of the matrix
};

llvm::Expected<Extra> passExtra(FunctionBuilder& b, const Instruction& i, Id operand,
                                const Type& parameter) {
  const Module& module = b.reading().module;
  llvm::Expected<const Type*> type = b.typeOf(operand);
  if (!type) return type.takeError();
  const bool is_matrix = (*type)->kind == TypeKind::CooperativeMatrix;
  if (is_matrix && *type != i.type)
    return malformed(module.describe(i) + ": the matrix " + module.describe(operand) +
                     " has another type than the result");
  if (&parameter != (is_matrix ? (*type)->element : *type))
    return malformed(module.describe(i) + ": " + module.describe(operand) +
                     " does not fit the function's parameter");
  const Id passed = b.parameter(operand);
  if (!is_matrix) return Extra{passed};
  return Extra{b.variableWith(**type, passed), (*type)->element};
}

llvm::Error checkFunction(FunctionBuilder& b, const Instruction& i, const Type& function) {
  const Module& module = b.reading().module;
  auto wrong = [&](const char* rule) {
    return malformed(module.describe(i) + ": " + rule + ", unlike " +
                     module.describe(i.operands[1]));
  };
  auto is_number = [](const Type& type) { return type.kind == TypeKind::Int && type.width == 32; };
  const auto& parameters = function.parameters;
  if (function.element != i.type->element)
    return wrong("the function returns a component of the matrix");
  if (parameters.size() < 3 || !is_number(*parameters[0]) || !is_number(*parameters[1]) ||
      parameters[2] != i.type->element)
    return wrong("the function takes row and column, integers of 32 bits, and a component");
  if (parameters.size() - 3 != i.operands.size() - 2)
    return wrong("the function has a parameter for each optional operand");
  return llvm::Error::success();
}

}  // namespace

llvm::Error writePerElement(FunctionBuilder& b, const Instruction& i) {
  if (i.operands.size() < 2 || i.type->kind != TypeKind::CooperativeMatrix)
    return malformed(b.reading().module.describe(i) + " lacks operands, or gives no matrix");
  const Type& matrix = *i.type;
  llvm::Expected<const Type*> operand = matrixOperand(b, i, i.operands[0]);
  if (!operand) return operand.takeError();
  if (*operand != &matrix)
    return malformed(b.reading().module.describe(i) + ": the result has another type than " +
                     b.reading().module.describe(i.operands[0]));
  llvm::Expected<const Type*> function = functionType(b, i, i.operands[1]);
  if (!function) return function.takeError();
  if (llvm::Error error = checkFunction(b, i, **function)) return error;

  const Id whole = b.variableWith(matrix, b.parameter(i.operands[0]));
  llvm::SmallVector<Extra, 4> extras;
  for (size_t k = 2; k < i.operands.size(); ++k) {
    llvm::Expected<Extra> extra = passExtra(b, i, i.operands[k], *(*function)->parameters[k + 1]);
    if (!extra) return extra.takeError();
    extras.push_back(*extra);
  }

  const Type& component = *matrix.element;
  // The own component `index` of a matrix in a variable.
  auto own = [&](Id variable, Id index) {
    return b.emit(spv::Op::OpAccessChain, b.pointerTo(component), {variable, index});
  };
  auto coordinate = [&](spv::Op op, Id number, const Type& parameter) {
    const Id value = b.arithmetic(op, number, b.constant(matrix.columns));
    return parameter.is_signed ? b.emit(spv::Op::OpBitcast, parameter, {value}) : value;
  };
  const Id length = b.emit(spv::Op::OpCooperativeMatrixLengthKHR, b.u32(), {matrix.id});
  b.count(length, b.constant(1), [&](Id index) {
    const Id number = b.emit(InternalOp::MatrixElementNumber, b.u32(), {matrix.id, index});
    auto callOnce = [&] {
      const auto& parameters = (*function)->parameters;
      llvm::SmallVector<Id, 8> arguments{i.operands[1],
                                         coordinate(spv::Op::OpUDiv, number, *parameters[0]),
                                         coordinate(spv::Op::OpUMod, number, *parameters[1]),
                                         b.load(component, own(whole, index))};
      for (const Extra& extra : extras)
        arguments.push_back(extra.element ? b.load(component, own(extra.id, index)) : extra.id);
      const Id result = b.emit(spv::Op::OpFunctionCall, component, arguments);
      b.store(own(whole, index), result);
    };
    // What the function does besides returning a value is done for elements only.
    const uint32_t elements = matrix.rows * matrix.columns;
    if (elements % invocationsOf(b.reading(), matrix) == 0)
      callOnce();
    else
      b.when(b.emit(spv::Op::OpULessThan, b.boolean(), {number, b.constant(elements)}), callOnce);
  });
  b.finish(b.load(matrix, whole));
  return llvm::Error::success();
}

}  // namespace jit::spirv
