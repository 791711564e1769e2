// SPDX-License-Identifier: Apache-2.0

// GLSL.std.450: rounding, signs, minimum and maximum, interpolation, bit scans.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/ext_glsl450.h"

namespace jit::spirv {

namespace {

using llvm::Error;
using llvm::Intrinsic::ID;
using Operands = llvm::ArrayRef<llvm::Value*>;
using Predicate = llvm::CmpInst::Predicate;

template <ID Id>
Error emitUnary(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) { return e.simt.call(Id, {x[0]}); });
}

Error emitSAbs(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) -> llvm::Value* {
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0], e.ir.getFalse());
  });
}

Error emitFSign(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) {
    llvm::Value* zero = floatLike(x[0], 0.0);
    llvm::Value* negative =
        e.ir.CreateSelect(e.ir.CreateFCmpOLT(x[0], zero), floatLike(x[0], -1.0), zero);
    return e.ir.CreateSelect(e.ir.CreateFCmpOGT(x[0], zero), floatLike(x[0], 1.0), negative);
  });
}

Error emitSSign(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) {
    llvm::Value* zero = integerLike(x[0], 0);
    llvm::Value* negative =
        e.ir.CreateSelect(e.ir.CreateICmpSLT(x[0], zero), integerLike(x[0], ~uint64_t{0}), zero);
    return e.ir.CreateSelect(e.ir.CreateICmpSGT(x[0], zero), integerLike(x[0], 1), negative);
  });
}

Error emitFract(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) {
    return e.ir.CreateFSub(x[0], e.simt.call(llvm::Intrinsic::floor, {x[0]}));
  });
}

// FMin and FMax may give either operand when one is NaN, and of two zeros either: what one machine
// instruction gives. NMin and NMax must give the number; and a fast-math mode that is given and
// lacks NSZ makes -0 less than 0 (SPV_KHR_float_controls2).
struct Order {
  bool heeds_nan, heeds_zero_signs;
};

Order orderOf(Emission& e, const Instruction& i, bool heeds_nan) {
  constexpr auto kNsz = static_cast<uint32_t>(spv::FPFastMathModeMask::NSZ);
  const std::optional<uint32_t> mode = e.module.fastMath(i);
  return {heeds_nan, mode && (*mode & kNsz) == 0};
}

template <bool Greater>
llvm::Value* choose(Emission& e, Order order, llvm::Value* a, llvm::Value* b) {
  auto& ir = e.ir;
  llvm::Value* result =
      ir.CreateSelect(Greater ? ir.CreateFCmpOGT(b, a) : ir.CreateFCmpOLT(b, a), b, a);
  if (order.heeds_zero_signs) {
    // Of equal numbers only zeros have different bits.
    llvm::Type* bits = integerTypeLike(a);
    llvm::Value *x = ir.CreateBitCast(a, bits), *y = ir.CreateBitCast(b, bits);
    llvm::Value* both = Greater ? ir.CreateAnd(x, y) : ir.CreateOr(x, y);
    result = ir.CreateSelect(ir.CreateFCmpOEQ(a, b), ir.CreateBitCast(both, a->getType()), result);
  }
  return order.heeds_nan ? ir.CreateSelect(ir.CreateFCmpUNO(a, a), b, result) : result;
}
llvm::Value* minimum(Emission& e, Order order, llvm::Value* a, llvm::Value* b) {
  return choose<false>(e, order, a, b);
}
llvm::Value* maximum(Emission& e, Order order, llvm::Value* a, llvm::Value* b) {
  return choose<true>(e, order, a, b);
}

template <bool HeedsNan>
Error emitMin(Emission& e, const Instruction& i) {
  const Order order = orderOf(e, i, HeedsNan);
  return mapOperands(e, i, 2,
                     [&](Operands x) { return e.floatResult(minimum(e, order, x[0], x[1])); });
}

template <bool HeedsNan>
Error emitMax(Emission& e, const Instruction& i) {
  const Order order = orderOf(e, i, HeedsNan);
  return mapOperands(e, i, 2,
                     [&](Operands x) { return e.floatResult(maximum(e, order, x[0], x[1])); });
}

template <bool HeedsNan>
Error emitClamp(Emission& e, const Instruction& i) {
  const Order order = orderOf(e, i, HeedsNan);
  return mapOperands(e, i, 3, [&](Operands x) {
    return e.floatResult(minimum(e, order, maximum(e, order, x[0], x[1]), x[2]));
  });
}

template <ID Id>
Error emitIntegerBinary(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 2,
                     [&](Operands x) { return e.ir.CreateBinaryIntrinsic(Id, x[0], x[1]); });
}

template <ID Max, ID Min>
Error emitIntegerClamp(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 3, [&](Operands x) {
    return e.ir.CreateBinaryIntrinsic(Min, e.ir.CreateBinaryIntrinsic(Max, x[0], x[1]), x[2]);
  });
}

Error emitFMix(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 3, [&](Operands x) {
    llvm::Value* rest = e.ir.CreateFSub(floatLike(x[2], 1.0), x[2]);
    return e.ir.CreateFAdd(e.ir.CreateFMul(x[0], rest), e.ir.CreateFMul(x[1], x[2]));
  });
}

Error emitStep(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 2, [&](Operands x) {
    return e.ir.CreateSelect(e.ir.CreateFCmpOLT(x[1], x[0]), floatLike(x[0], 0.0),
                             floatLike(x[0], 1.0));
  });
}

Error emitSmoothStep(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 3, [&](Operands x) {
    llvm::Value* t = e.ir.CreateFDiv(e.ir.CreateFSub(x[2], x[0]), e.ir.CreateFSub(x[1], x[0]));
    const Order order = orderOf(e, i, true);
    t = minimum(e, order, maximum(e, order, t, floatLike(t, 0.0)), floatLike(t, 1.0));
    llvm::Value* slope = e.ir.CreateFSub(floatLike(t, 3.0), e.ir.CreateFMul(floatLike(t, 2.0), t));
    return e.ir.CreateFMul(e.ir.CreateFMul(t, t), slope);
  });
}

// Halves are computed as floats, the product of which is exact; the modes of halves apply.
Error emitFma(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 3, [&](Operands x) -> llvm::Value* {
    llvm::Type* type = x[0]->getType();
    if (!type->getScalarType()->isHalfTy() || e.float_controls.half.rounds_towards_zero)
      return e.ir.CreateIntrinsic(llvm::Intrinsic::fma, {type}, x);
    auto wide = [&](llvm::Value* v) {
      return e.ir.CreateFPExt(v, shapedLike(v, e.ir.getFloatTy()));
    };
    llvm::Value* sum;
    {
      // The product is exact: nothing depends on whether the machine fuses it.
      math::FixedRounding fixed(e.ir);
      sum = e.ir.CreateFAdd(e.ir.CreateFMul(wide(x[0]), wide(x[1])), wide(x[2]));
    }
    return e.ir.CreateFPTrunc(sum, type);
  });
}

// The whole part goes to memory or, for the Struct form, to the second member.
template <bool ToPointer>
Error emitModf(Emission& e, const Instruction& i) {
  llvm::Expected<Value> x = operand(e, i, 0);
  if (!x) return x.takeError();
  Value whole{nullptr, {}}, fraction{i.type, {}};
  for (llvm::Value* leaf : x->leaves) {
    llvm::Value* cut = e.simt.call(llvm::Intrinsic::trunc, {leaf});
    // An infinity has no fraction, and keeps its sign.
    llvm::Value* rest = e.ir.CreateFSub(leaf, cut);
    llvm::Value* same = e.ir.CreateFCmpOEQ(leaf, cut);
    rest = e.ir.CreateSelect(same, floatLike(leaf, 0.0), rest);
    fraction.leaves.push_back(e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rest, leaf));
    whole.leaves.push_back(cut);
  }
  if (ToPointer) {
    llvm::Expected<Pointer> pointer = e.pointer(i.operands[kFirstOperand + 1]);
    if (!pointer) return pointer.takeError();
    if (Error error = e.store(*pointer, whole)) return error;
  } else {
    fraction.leaves.append(whole.leaves.begin(), whole.leaves.end());
  }
  e.setValue(i, std::move(fraction));
  return Error::success();
}

llvm::Value* toResultWidth(Emission& e, const Instruction& i, llvm::Value* v) {
  return e.ir.CreateZExtOrTrunc(v, shapedLike(v, e.leafType(i.type->scalar())));
}

Error emitFindILsb(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) {
    llvm::Value* count = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x[0], e.ir.getFalse());
    llvm::Value* none = e.ir.CreateICmpEQ(x[0], integerLike(x[0], 0));
    return toResultWidth(e, i, e.ir.CreateSelect(none, integerLike(x[0], ~uint64_t{0}), count));
  });
}

// The highest bit that is set; for a negative signed value, that is clear.
template <bool Signed>
Error emitFindMsb(Emission& e, const Instruction& i) {
  return mapOperands(e, i, 1, [&](Operands x) {
    llvm::Value* v = x[0];
    const uint32_t bits = v->getType()->getScalarSizeInBits();
    if (Signed) v = e.ir.CreateXor(v, e.ir.CreateAShr(v, integerLike(v, bits - 1)));
    // No bit at all counts as many leading zeros as there are bits: -1.
    llvm::Value* zeros = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, v, e.ir.getFalse());
    return toResultWidth(e, i, e.ir.CreateSub(integerLike(v, bits - 1), zeros));
  });
}

constexpr ExtendedRow kRows[] = {
    {GLSLstd450Round, emitUnary<llvm::Intrinsic::roundeven>},
    {GLSLstd450RoundEven, emitUnary<llvm::Intrinsic::roundeven>},
    {GLSLstd450Trunc, emitUnary<llvm::Intrinsic::trunc>},
    {GLSLstd450FAbs, emitUnary<llvm::Intrinsic::fabs>},
    {GLSLstd450SAbs, emitSAbs},
    {GLSLstd450FSign, emitFSign},
    {GLSLstd450SSign, emitSSign},
    {GLSLstd450Floor, emitUnary<llvm::Intrinsic::floor>},
    {GLSLstd450Ceil, emitUnary<llvm::Intrinsic::ceil>},
    {GLSLstd450Fract, emitFract},
    {GLSLstd450Modf, emitModf<true>},
    {GLSLstd450ModfStruct, emitModf<false>},
    {GLSLstd450FMin, emitMin<false>},
    {GLSLstd450UMin, emitIntegerBinary<llvm::Intrinsic::umin>},
    {GLSLstd450SMin, emitIntegerBinary<llvm::Intrinsic::smin>},
    {GLSLstd450FMax, emitMax<false>},
    {GLSLstd450UMax, emitIntegerBinary<llvm::Intrinsic::umax>},
    {GLSLstd450SMax, emitIntegerBinary<llvm::Intrinsic::smax>},
    {GLSLstd450FClamp, emitClamp<false>},
    {GLSLstd450UClamp, emitIntegerClamp<llvm::Intrinsic::umax, llvm::Intrinsic::umin>},
    {GLSLstd450SClamp, emitIntegerClamp<llvm::Intrinsic::smax, llvm::Intrinsic::smin>},
    {GLSLstd450FMix, emitFMix},
    {GLSLstd450Step, emitStep},
    {GLSLstd450SmoothStep, emitSmoothStep},
    {GLSLstd450Fma, emitFma},
    {GLSLstd450NMin, emitMin<true>},
    {GLSLstd450NMax, emitMax<true>},
    {GLSLstd450NClamp, emitClamp<true>},
    {GLSLstd450FindILsb, emitFindILsb},
    {GLSLstd450FindSMsb, emitFindMsb<true>},
    {GLSLstd450FindUMsb, emitFindMsb<false>},
};

}  // namespace

llvm::ArrayRef<ExtendedRow> numericInstructions() { return kRows; }

}  // namespace jit::spirv
