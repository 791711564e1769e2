// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.11 "Conversion Instructions"; SPV_KHR_bfloat16;
// SPV_EXT_float8.
#include <llvm/IR/Intrinsics.h>

#include "jit/emit/coopmat_types.h"
#include "jit/emit/float8_values.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/math/rounding.h"

namespace jit::spirv {

namespace {

using llvm::Error;

// The LLVM type of the result's leaf that belongs to an operand's leaf.
llvm::Type* target(Emission& e, const Instruction& i, llvm::Value* leaf) {
  return shapedLike(leaf, e.leafType(i.type->scalar()));
}

// result[k] = function(operand[k]). The transpose of that, where a conversion of a matrix is
// decorated so (SPV_EXT_cooperative_matrix_maintenance1).
template <typename Function>
Error convert(Emission& e, const Instruction& i, Function function) {
  if (i.type->kind != TypeKind::CooperativeMatrix) return mapUnary(e, i, function);
  llvm::Expected<Value> matrix = e.value(i.operands[0]);
  if (!matrix) return matrix.takeError();
  if (Error error = checkConversion(e, i, *matrix->type)) return error;
  llvm::Value* result = function(matrix->leaves[0]);
  if (e.module.decorated(i.result).transposes) result = transposed(e, i, *matrix->type, result);
  e.setValue(i, Value{i.type, {result}});
  return Error::success();
}

// To the 8-bit format of the result. Neither execution modes nor FPRoundingMode are about these.
llvm::Value* narrowToFloat8(Emission& e, const Instruction& i, llvm::Value* a) {
  math::FixedRounding fixed(e.ir);
  return math::narrowToFloat8({e.ir, a}, *float8Of(*i.type),
                              e.module.decorated(i.result).saturates_to_float8
                                  ? math::Float8Overflow::Saturates
                                  : math::Float8Overflow::Infinite);
}

// Out of range is undefined; the nearest representable value, and 0 for NaN, is what comes out
// whatever the instruction set.
template <bool Signed>
Error emitFloatToInteger(Emission& e, const Instruction& i) {
  return convert(e, i, [&](llvm::Value* a) {
    a = inLlvmFormat(e, *e.typeOf(i.operands[0]), a);
    auto id = Signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return e.ir.CreateIntrinsic(id, {target(e, i, a), a->getType()}, {a});
  });
}

template <llvm::Instruction::CastOps Op>
Error emitIntegerToFloat(Emission& e, const Instruction& i) {
  return convert(e, i, [&](llvm::Value* a) {
    llvm::Type* type = target(e, i, a);
    const bool to_bfloat = type->getScalarType()->isBFloatTy();
    if (!to_bfloat && !float8Of(*i.type)) return e.ir.CreateCast(Op, a, type);
    // By way of binary32: SPV_KHR_bfloat16 asks for it, and what is rounded there is far too large
    // for 8 bits.
    math::FixedRounding fixed(e.ir);
    llvm::Value* single = e.ir.CreateCast(Op, a, shapedLike(a, e.ir.getFloatTy()));
    return to_bfloat ? math::narrowToBfloat({e.ir, single}) : narrowToFloat8(e, i, single);
  });
}

template <bool Signed>
Error emitIntegerWidth(Emission& e, const Instruction& i) {
  return convert(e, i, [&](auto* a) {
    llvm::Type* type = target(e, i, a);
    return Signed ? e.ir.CreateSExtOrTrunc(a, type) : e.ir.CreateZExtOrTrunc(a, type);
  });
}

// To a 16-bit format other than by the machine's instruction, and towards zero where the
// decoration asks for it. Decorated or not, bfloat16 knows no modes.
llvm::Value* narrow(Emission& e, llvm::Value* a, llvm::Type* to,
                    std::optional<spv::FPRoundingMode> mode) {
  math::FixedRounding fixed(e.ir);
  math::Term x(e.ir, a);
  const bool towards_zero = mode == spv::FPRoundingMode::RTZ;
  if (to->getScalarType()->isBFloatTy())
    return towards_zero ? math::narrowToBfloatTowardsZero(x) : math::narrowToBfloat(x);
  if (towards_zero) return math::narrowTowardsZero(x, to->getScalarType());
  return to->getScalarType()->isHalfTy() ? math::narrowToHalf(x)
                                         : x.with(e.ir.CreateFPTrunc(a, to));
}

// A number that was an 8-bit float: every other format has it, and it stays what it is even where
// halves are flushed ("Precision and Operation of SPIR-V Instructions").
llvm::Value* exactly(Emission& e, llvm::Value* a, llvm::Type* type) {
  math::FixedRounding fixed(e.ir);
  return type->getScalarType()->isBFloatTy() ? math::narrowToBfloatTowardsZero({e.ir, a})
                                             : e.ir.CreateFPCast(a, type);
}

Error emitFConvert(Emission& e, const Instruction& i) {
  const std::optional<spv::FPRoundingMode> mode = e.module.decorated(i.result).rounding_mode;
  return convert(e, i, [&](llvm::Value* a) -> llvm::Value* {
    llvm::Type* type = target(e, i, a);
    const Type& operand = *e.typeOf(i.operands[0]);
    a = inLlvmFormat(e, operand, a);
    if (float8Of(*i.type)) return narrowToFloat8(e, i, a);
    if (float8Of(operand)) return exactly(e, a, type);
    llvm::Type *from = a->getType()->getScalarType(), *to = type->getScalarType();
    if (from == to) return e.floatResult(a);
    // bfloat16 to half by way of binary32, which holds both.
    if (from->isBFloatTy() && to->isHalfTy()) {
      a = e.ir.CreateFPExt(a, shapedLike(a, e.ir.getFloatTy()));
      from = e.ir.getFloatTy();
    }
    const uint32_t from_bits = from->getScalarSizeInBits(), to_bits = to->getScalarSizeInBits();
    if (to_bits > from_bits) return e.ir.CreateFPExt(a, type);
    const math::FloatMode* modes = e.float_controls.of(to);
    const bool of_machine = to->isBFloatTy()
                                ? from->isFloatTy() && e.target.features.avx512_bf16 &&
                                      !e.target.exact && mode != spv::FPRoundingMode::RTZ
                                : from_bits == 2 * to_bits && !mode;
    // Modes are applied to what the machine has an instruction for, and to what rounds by them.
    if (of_machine || (!mode && modes && modes->rounds_towards_zero))
      return e.ir.CreateFPTrunc(a, type);
    llvm::Value* result = narrow(e, a, type, mode);
    return modes ? e.floatResult(result) : result;
  });
}

// To half and back; a result that is subnormal as a half becomes zero.
Error emitQuantizeToF16(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) {
    math::FixedRounding fixed(e.ir);
    llvm::Value* half = e.ir.CreateFPTrunc(a, shapedLike(a, e.ir.getHalfTy()));
    llvm::Value* back = e.ir.CreateFPExt(half, a->getType());
    llvm::Value* magnitude = e.simt.call(llvm::Intrinsic::fabs, {back});
    llvm::Value* tiny = e.ir.CreateFCmpOLT(
        magnitude, llvm::ConstantFP::get(a->getType(), 6.103515625e-05));  // 2^-14
    llvm::Value* zero = e.ir.CreateBinaryIntrinsic(
        llvm::Intrinsic::copysign, llvm::Constant::getNullValue(a->getType()), back);
    return e.ir.CreateSelect(tiny, zero, back);
  });
}

// SPV_KHR_cooperative_matrix, 3.42.11: between integers of one width only. 8-bit floats are
// accepted beyond that: they are 8-bit integers in LLVM's IR, and programs look at their bits this
// way.
Error checkMatrixBitcast(const Emission& e, const Instruction& i, const Type& from) {
  if (Error error = checkConversion(e, i, from)) return error;
  const Type &source = *from.element, &target = *i.type->element;
  auto isBits = [](const Type& type) { return type.kind == TypeKind::Int || type.width == 8; };
  if (!isBits(source) || !isBits(target) || source.width != target.width)
    return malformed(e.module.describe(i) +
                     ": a matrix is only cast between integers of one width; cast its components, "
                     "or convert them");
  return Error::success();
}

// Bits of all leaves in order, lowest component first, cut anew.
Error emitBitcast(Emission& e, const Instruction& i) {
  llvm::Expected<Value> v = e.value(i.operands[0]);
  if (!v) return v.takeError();
  llvm::SmallVector<const Type*, 4> types;
  e.leafTypes(i.type, types);
  auto& ir = e.ir;
  Value result{i.type, {}};
  if (types.empty() || v->leaves.empty()) return e.unsupportedAt(i, "types without components");
  auto cast = [&](llvm::Value* leaf) {
    llvm::Type* type = i.type->kind == TypeKind::CooperativeMatrix
                           ? e.leafType(i.type)
                           : shapedLike(leaf, e.leafType(types[0]));
    return ir.CreateBitCast(leaf, type);
  };
  if (i.type->kind == TypeKind::CooperativeMatrix)
    if (Error error = checkMatrixBitcast(e, i, *v->type)) return error;
  if (types.size() == v->leaves.size()) {
    for (llvm::Value* leaf : v->leaves) result.leaves.push_back(cast(leaf));
    e.setValue(i, std::move(result));
    return Error::success();
  }
  const size_t from = v->leaves.size(), to = types.size();
  for (llvm::Value*& leaf : v->leaves) {
    leaf = ir.CreateBitCast(leaf, integerTypeLike(leaf));
    if (leaf != v->leaves[0]) e.simt.unify(leaf, v->leaves[0]);
  }
  for (llvm::Value*& leaf : v->leaves) e.simt.unify(leaf, v->leaves[0]);
  if (from > to) {
    const size_t group = from / to;
    const uint32_t bits = v->leaves[0]->getType()->getScalarSizeInBits();
    llvm::Type* wide = shapedLike(v->leaves[0], ir.getIntNTy(static_cast<unsigned>(bits * group)));
    for (size_t k = 0; k < to; ++k) {
      llvm::Value* joined = nullptr;
      for (size_t p = 0; p < group; ++p) {
        llvm::Value* part = ir.CreateZExt(v->leaves[k * group + p], wide);
        if (p != 0) part = ir.CreateShl(part, integerLike(part, p * bits));
        joined = joined == nullptr ? part : ir.CreateOr(joined, part);
      }
      result.leaves.push_back(cast(joined));
    }
  } else {
    const size_t group = to / from;
    const uint32_t bits =
        v->leaves[0]->getType()->getScalarSizeInBits() / static_cast<uint32_t>(group);
    llvm::Type* narrow = shapedLike(v->leaves[0], ir.getIntNTy(bits));
    for (llvm::Value* leaf : v->leaves)
      for (size_t p = 0; p < group; ++p)
        result.leaves.push_back(
            cast(ir.CreateTrunc(ir.CreateLShr(leaf, integerLike(leaf, p * bits)), narrow)));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

// Pointers are 64-bit addresses.
Error emitPointerInteger(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) {
    llvm::Type* type =
        i.type->kind == TypeKind::Pointer ? shapedLike(a, e.ir.getInt64Ty()) : target(e, i, a);
    return e.ir.CreateZExtOrTrunc(a, type);
  });
}

using Cast = llvm::Instruction::CastOps;

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpConvertFToU, emitFloatToInteger<false>},
    {spv::Op::OpConvertFToS, emitFloatToInteger<true>},
    {spv::Op::OpConvertSToF, emitIntegerToFloat<Cast::SIToFP>},
    {spv::Op::OpConvertUToF, emitIntegerToFloat<Cast::UIToFP>},
    {spv::Op::OpUConvert, emitIntegerWidth<false>},
    {spv::Op::OpSConvert, emitIntegerWidth<true>},
    {spv::Op::OpFConvert, emitFConvert},
    {spv::Op::OpQuantizeToF16, emitQuantizeToF16},
    {spv::Op::OpBitcast, emitBitcast},
    {spv::Op::OpConvertPtrToU, emitPointerInteger},
    {spv::Op::OpConvertUToPtr, emitPointerInteger},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> conversionOps() { return kRows; }

}  // namespace jit::spirv
