// SPDX-License-Identifier: Apache-2.0

// GLSL.std.450: angles, trigonometry, exponentials, roots.
#include <llvm/IR/Intrinsics.h>

#include <limits>

#include "jit/emit/ext_glsl450.h"
#include "jit/math/exponent.h"
#include "jit/math/functions.h"
#include "jit/math/inverse_sqrt.h"

namespace jit::spirv {

namespace {

using llvm::Error;
using llvm::Intrinsic::ID;
using Operands = llvm::ArrayRef<llvm::Value*>;

// Halves are computed as floats and rounded once.
template <typename Function>
Error mapWide(Emission& e, const Instruction& i, size_t count, Function function) {
  return mapOperands(e, i, count, [&](Operands x) -> llvm::Value* {
    if (!x[0]->getType()->getScalarType()->isHalfTy()) return function(x);
    llvm::Type* wide = shapedLike(x[0], e.ir.getFloatTy());
    llvm::SmallVector<llvm::Value*, 3> extended;
    for (llvm::Value* leaf : x) extended.push_back(e.ir.CreateFPExt(leaf, wide));
    return e.ir.CreateFPTrunc(function(Operands(extended)), x[0]->getType());
  });
}

template <math::Function Function, size_t Arguments = 1>
Error emitMath(Emission& e, const Instruction& i) {
  if (i.type->scalar()->width > 32)
    return e.unsupportedAt(i, "of 64-bit floats; it is defined for 16 and 32 bits");
  return mapWide(e, i, Arguments,
                 [&](Operands x) { return math::call(e.ir, e.target, Function, x); });
}

template <ID Id>
Error emitUnary(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) { return e.simt.call(Id, {x[0]}); });
}

// The factor is rounded to the operand's format ("Precision of GLSL.std.450 Instructions").
llvm::Value* scale(Emission& e, llvm::Value* x, double factor) {
  return e.ir.CreateFMul(x, floatLike(x, factor));
}

Error emitRadians(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) { return scale(e, x[0], 0.017453292519943295); });
}

// Where denormals are flushed, the specification leaves open whether operands are ("Precision and
// Operation of SPIR-V Instructions"). Here it shows, as the product may be normal, and the
// conformance tests expect a zero.
Error emitDegrees(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1,
                     [&](Operands x) { return scale(e, e.floatResult(x[0]), 57.295779513082321); });
}

Error emitInverseSqrt(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) -> llvm::Value* {
    if (!x[0]->getType()->getScalarType()->isFloatTy())
      return e.ir.CreateFDiv(floatLike(x[0], 1.0), e.simt.call(llvm::Intrinsic::sqrt, {x[0]}));
    math::FixedRounding fixed(e.ir);
    return math::inverseSqrt(e.target, math::Term(e.ir, x[0]));
  });
}

// The exponent goes to memory or, for the Struct form, to the second member.
template <bool ToPointer>
Error emitFrexp(Emission& e, const Instruction& i) {
  llvm::Expected<Value> x = operand(e, i, 0);
  if (!x) return x.takeError();
  Value exponents{nullptr, {}}, fractions{i.type, {}};
  for (llvm::Value* leaf : x->leaves) {
    llvm::Type* type = leaf->getType();
    const bool half = type->getScalarType()->isHalfTy();
    math::FixedRounding fixed(e.ir);
    math::Term wide(e.ir, leaf);
    auto [fraction, exponent] = math::frexp(half ? wide.toFloat() : wide);
    fractions.leaves.push_back(half ? e.ir.CreateFPTrunc(fraction, type) : fraction);
    exponents.leaves.push_back(exponent);
  }
  auto fit = [&](const Type* integer) {
    for (llvm::Value*& leaf : exponents.leaves)
      leaf = e.ir.CreateSExtOrTrunc(leaf, shapedLike(leaf, e.leafType(integer->scalar())));
  };
  if (ToPointer) {
    llvm::Expected<Pointer> pointer = e.pointer(i.operands[kFirstOperand + 1]);
    if (!pointer) return pointer.takeError();
    fit(pointer->pointee);
    if (Error error = e.store(*pointer, exponents)) return error;
  } else {
    fit(i.type->members[1].type);
    fractions.leaves.append(exponents.leaves.begin(), exponents.leaves.end());
  }
  e.setValue(i, std::move(fractions));
  return Error::success();
}

// A signed integer as one of 32 bits, the nearest where it does not fit.
llvm::Value* toInt32(Emission& e, llvm::Value* integer) {
  constexpr auto kMost = uint64_t{std::numeric_limits<int32_t>::max()};
  if (integer->getType()->getScalarSizeInBits() > 32) {
    integer =
        e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, integer, integerLike(integer, kMost));
    integer =
        e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, integer, integerLike(integer, ~kMost));
  }
  return e.ir.CreateSExtOrTrunc(integer, shapedLike(integer, e.ir.getInt32Ty()));
}

Error emitLdexp(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 2, [&](Operands x) -> llvm::Value* {
    math::FixedRounding fixed(e.ir);
    llvm::Value* exponent = toInt32(e, x[1]);
    llvm::Type* type = x[0]->getType();
    const bool half = type->getScalarType()->isHalfTy();
    math::Term v(e.ir, x[0]);
    v = math::ldexp(half ? v.toFloat() : v, math::Term(e.ir, exponent));
    return half ? e.ir.CreateFPTrunc(v, type) : v;
  });
}

constexpr ExtendedRow kRows[] = {
    {GLSLstd450Radians, emitRadians},
    {GLSLstd450Degrees, emitDegrees},
    {GLSLstd450Sin, emitMath<math::Function::sin>},
    {GLSLstd450Cos, emitMath<math::Function::cos>},
    {GLSLstd450Tan, emitMath<math::Function::tan>},
    {GLSLstd450Asin, emitMath<math::Function::asin>},
    {GLSLstd450Acos, emitMath<math::Function::acos>},
    {GLSLstd450Atan, emitMath<math::Function::atan>},
    {GLSLstd450Sinh, emitMath<math::Function::sinh>},
    {GLSLstd450Cosh, emitMath<math::Function::cosh>},
    {GLSLstd450Tanh, emitMath<math::Function::tanh>},
    {GLSLstd450Asinh, emitMath<math::Function::asinh>},
    {GLSLstd450Acosh, emitMath<math::Function::acosh>},
    {GLSLstd450Atanh, emitMath<math::Function::atanh>},
    {GLSLstd450Atan2, emitMath<math::Function::atan2, 2>},
    {GLSLstd450Pow, emitMath<math::Function::pow, 2>},
    {GLSLstd450Exp, emitMath<math::Function::exp>},
    {GLSLstd450Log, emitMath<math::Function::log>},
    {GLSLstd450Exp2, emitMath<math::Function::exp2>},
    {GLSLstd450Log2, emitMath<math::Function::log2>},
    {GLSLstd450Sqrt, emitUnary<llvm::Intrinsic::sqrt>},
    {GLSLstd450InverseSqrt, emitInverseSqrt},
    {GLSLstd450Frexp, emitFrexp<true>},
    {GLSLstd450FrexpStruct, emitFrexp<false>},
    {GLSLstd450Ldexp, emitLdexp},
};

}  // namespace

llvm::ArrayRef<ExtendedRow> exponentialInstructions() { return kRows; }

}  // namespace jit::spirv
