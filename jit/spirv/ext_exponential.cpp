// GLSL.std.450: angles, trigonometry, exponentials, roots. Correct to a few ULP through the C
// library; functions that Vulkan defines by a formula ("inherited from") use that formula.
#include <llvm/IR/Intrinsics.h>

#include "jit/spirv/ext_glsl450.h"

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

template <ID Id>
Error emitUnary(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) { return e.simt.call(Id, {x[0]}); });
}

Error emitScale(Emission& e, const Instruction& i, double factor) {
  return mapWide(e, i, 1,
                 [&](Operands x) { return e.ir.CreateFMul(x[0], floatLike(x[0], factor)); });
}
Error emitRadians(Emission& e, const Instruction& i) {
  return emitScale(e, i, 0.017453292519943295);
}
Error emitDegrees(Emission& e, const Instruction& i) { return emitScale(e, i, 57.295779513082321); }

Error emitInverseSqrt(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) {
    return e.ir.CreateFDiv(floatLike(x[0], 1.0), e.simt.call(llvm::Intrinsic::sqrt, {x[0]}));
  });
}

Error emitPow(Emission& e, const Instruction& i) {
  return mapWide(e, i, 2, [&](Operands x) {
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::pow, x[0], x[1]);
  });
}

// A function of the C library for which LLVM has no intrinsic in all versions, invocation by
// invocation.
llvm::Value* callEach(Emission& e, const char* name, Operands x) {
  llvm::Type* scalar = x[0]->getType()->getScalarType();
  llvm::SmallVector<llvm::Type*, 2> parameters(x.size(), scalar);
  std::string symbol = scalar->isFloatTy() ? std::string(name) + "f" : name;
  llvm::FunctionCallee callee =
      e.output().getOrInsertFunction(symbol, llvm::FunctionType::get(scalar, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  if (!x[0]->getType()->isVectorTy()) return e.ir.CreateCall(callee, x);
  llvm::Value* result = llvm::PoisonValue::get(x[0]->getType());
  for (uint64_t lane = 0; lane < e.width; ++lane) {
    llvm::SmallVector<llvm::Value*, 2> arguments;
    for (llvm::Value* v : x) arguments.push_back(e.ir.CreateExtractElement(v, lane));
    result = e.ir.CreateInsertElement(result, e.ir.CreateCall(callee, arguments), lane);
  }
  return result;
}

Error emitAtan2(Emission& e, const Instruction& i) {
  return mapWide(e, i, 2, [&](Operands x) { return callEach(e, "atan2", x); });
}

llvm::Value* logarithm(Emission& e, llvm::Value* x) {
  return e.simt.call(llvm::Intrinsic::log, {x});
}

// log(x + sqrt(x*x + 1)), odd.
Error emitAsinh(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) {
    llvm::Value* magnitude = e.simt.call(llvm::Intrinsic::fabs, {x[0]});
    llvm::Value* square = e.ir.CreateFAdd(e.ir.CreateFMul(x[0], x[0]), floatLike(x[0], 1.0));
    llvm::Value* root = e.simt.call(llvm::Intrinsic::sqrt, {square});
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign,
                                      logarithm(e, e.ir.CreateFAdd(magnitude, root)), x[0]);
  });
}

// log(x + sqrt(x*x - 1)).
Error emitAcosh(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) {
    llvm::Value* square = e.ir.CreateFSub(e.ir.CreateFMul(x[0], x[0]), floatLike(x[0], 1.0));
    return logarithm(e, e.ir.CreateFAdd(x[0], e.simt.call(llvm::Intrinsic::sqrt, {square})));
  });
}

// log((1 + x) / (1 - x)) / 2.
Error emitAtanh(Emission& e, const Instruction& i) {
  return mapWide(e, i, 1, [&](Operands x) {
    llvm::Value* one = floatLike(x[0], 1.0);
    llvm::Value* ratio = e.ir.CreateFDiv(e.ir.CreateFAdd(one, x[0]), e.ir.CreateFSub(one, x[0]));
    return e.ir.CreateFMul(logarithm(e, ratio), floatLike(x[0], 0.5));
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
    llvm::Value* wide = type->getScalarType()->isHalfTy()
                            ? e.ir.CreateFPExt(leaf, shapedLike(leaf, e.ir.getFloatTy()))
                            : leaf;
    llvm::Type* i32 = shapedLike(leaf, e.ir.getInt32Ty());
    llvm::Value* both =
        e.ir.CreateIntrinsic(llvm::Intrinsic::frexp, {wide->getType(), i32}, {wide});
    llvm::Value* fraction = e.ir.CreateExtractValue(both, 0);
    fractions.leaves.push_back(wide == leaf ? fraction : e.ir.CreateFPTrunc(fraction, type));
    exponents.leaves.push_back(e.ir.CreateExtractValue(both, 1));
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

Error emitLdexp(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 2, [&](Operands x) {
    llvm::Value* exponent = e.ir.CreateSExtOrTrunc(x[1], shapedLike(x[1], e.ir.getInt32Ty()));
    llvm::Type* type = x[0]->getType();
    const bool half = type->getScalarType()->isHalfTy();
    llvm::Value* v = half ? e.ir.CreateFPExt(x[0], shapedLike(x[0], e.ir.getFloatTy())) : x[0];
    v = e.ir.CreateIntrinsic(llvm::Intrinsic::ldexp, {v->getType(), exponent->getType()},
                             {v, exponent});
    return half ? e.ir.CreateFPTrunc(v, type) : v;
  });
}

constexpr ExtendedRow kRows[] = {
    {GLSLstd450Radians, emitRadians},
    {GLSLstd450Degrees, emitDegrees},
    {GLSLstd450Sin, emitUnary<llvm::Intrinsic::sin>},
    {GLSLstd450Cos, emitUnary<llvm::Intrinsic::cos>},
    {GLSLstd450Tan, emitUnary<llvm::Intrinsic::tan>},
    {GLSLstd450Asin, emitUnary<llvm::Intrinsic::asin>},
    {GLSLstd450Acos, emitUnary<llvm::Intrinsic::acos>},
    {GLSLstd450Atan, emitUnary<llvm::Intrinsic::atan>},
    {GLSLstd450Sinh, emitUnary<llvm::Intrinsic::sinh>},
    {GLSLstd450Cosh, emitUnary<llvm::Intrinsic::cosh>},
    {GLSLstd450Tanh, emitUnary<llvm::Intrinsic::tanh>},
    {GLSLstd450Asinh, emitAsinh},
    {GLSLstd450Acosh, emitAcosh},
    {GLSLstd450Atanh, emitAtanh},
    {GLSLstd450Atan2, emitAtan2},
    {GLSLstd450Pow, emitPow},
    {GLSLstd450Exp, emitUnary<llvm::Intrinsic::exp>},
    {GLSLstd450Log, emitUnary<llvm::Intrinsic::log>},
    {GLSLstd450Exp2, emitUnary<llvm::Intrinsic::exp2>},
    {GLSLstd450Log2, emitUnary<llvm::Intrinsic::log2>},
    {GLSLstd450Sqrt, emitUnary<llvm::Intrinsic::sqrt>},
    {GLSLstd450InverseSqrt, emitInverseSqrt},
    {GLSLstd450Frexp, emitFrexp<true>},
    {GLSLstd450FrexpStruct, emitFrexp<false>},
    {GLSLstd450Ldexp, emitLdexp},
};

}  // namespace

llvm::ArrayRef<ExtendedRow> exponentialInstructions() { return kRows; }

}  // namespace jit::spirv
