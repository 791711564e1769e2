// SPDX-License-Identifier: Apache-2.0

// Source: SPIR-V Specification, 3.52.13 "Arithmetic Instructions".
#include <llvm/IR/PatternMatch.h>

#include "jit/emit/integer_division.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/math/float_controls.h"
#include "jit/math/functions.h"
#include "jit/math/rounding.h"

namespace jit::spirv {

namespace {

using llvm::Error;

template <llvm::Instruction::BinaryOps Op>
Error emitBinary(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) { return e.ir.CreateBinOp(Op, a, b); });
}

Error emitSNegate(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) { return e.ir.CreateNeg(a); });
}

Error emitFNegate(Emission& e, const Instruction& i) {
  return mapUnary(e, i, [&](auto* a) { return e.ir.CreateFNeg(a); });
}

template <bool Signed, bool Remainder>
Error emitDivision(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) {
    Division d = divide(e, a, b, Signed);
    return Remainder ? d.remainder : d.quotient;
  });
}

// The remainder of the sign of the divisor: of a power of two the lower bits, whatever the sign of
// what is divided.
Error emitSMod(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) -> llvm::Value* {
    const llvm::APInt* divisor = nullptr;
    if (llvm::PatternMatch::match(b, llvm::PatternMatch::m_Power2(divisor)) &&
        !divisor->isNegative())
      return e.ir.CreateAnd(a, llvm::ConstantInt::get(a->getType(), *divisor - 1));
    llvm::Value* remainder = divide(e, a, b, true).remainder;
    llvm::Value* zero = integerLike(b, 0);
    llvm::Value* differs = e.ir.CreateICmpSLT(e.ir.CreateXor(remainder, b), zero);
    llvm::Value* wrong = e.ir.CreateAnd(differs, e.ir.CreateICmpNE(remainder, zero));
    return e.ir.CreateSelect(wrong, e.ir.CreateAdd(remainder, b), remainder);
  });
}

// Exact. LLVM's instruction becomes a call of the C library for each invocation.
llvm::Value* remainderOf(Emission& e, llvm::Value* a, llvm::Value* b) {
  llvm::Type* type = a->getType();
  if (type->getScalarType()->isDoubleTy() && !e.target.features.fma) return e.ir.CreateFRem(a, b);
  if (!type->getScalarType()->isHalfTy())
    return math::call(e.ir, e.target, math::Function::remainder, {a, b});
  llvm::Type* wide = shapedLike(a, e.ir.getFloatTy());
  llvm::Value* remainder = math::call(e.ir, e.target, math::Function::remainder,
                                      {e.ir.CreateFPExt(a, wide), e.ir.CreateFPExt(b, wide)});
  return e.ir.CreateFPTrunc(remainder, type);
}

Error emitFRem(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) { return remainderOf(e, a, b); });
}

Error emitFMod(Emission& e, const Instruction& i) {
  return mapBinary(e, i, [&](auto* a, auto* b) {
    llvm::Value* remainder = remainderOf(e, a, b);
    llvm::Value* zero = llvm::Constant::getNullValue(a->getType());
    llvm::Value* differs =
        e.ir.CreateXor(e.ir.CreateFCmpOLT(remainder, zero), e.ir.CreateFCmpOLT(b, zero));
    llvm::Value* wrong = e.ir.CreateAnd(differs, e.ir.CreateFCmpONE(remainder, zero));
    return e.ir.CreateSelect(wrong, e.ir.CreateFAdd(remainder, b), remainder);
  });
}

llvm::Value* multiply(Emission& e, llvm::Value* a, llvm::Value* b) {
  e.simt.unify(a, b);
  return e.ir.CreateFMul(a, b);
}

// Sum of products of `count` pairs.
template <typename A, typename B>
llvm::Value* sumOfProducts(Emission& e, uint32_t count, A a, B b) {
  llvm::Value* sum = nullptr;
  for (uint32_t k = 0; k < count; ++k) {
    llvm::Value* product = multiply(e, a(k), b(k));
    if (sum != nullptr) {
      e.simt.unify(sum, product);
      product = e.ir.CreateFAdd(sum, product);
    }
    sum = product;
  }
  return sum;
}

struct Operands {
  Value a, b;
};

llvm::Expected<Operands> operands(Emission& e, const Instruction& i) {
  llvm::Expected<Value> a = e.value(i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[1]);
  if (!b) return b.takeError();
  return Operands{std::move(*a), std::move(*b)};
}

// OpVectorTimesScalar, OpMatrixTimesScalar; the matrix may be a cooperative one.
Error emitTimesScalar(Emission& e, const Instruction& i) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  Value result{i.type, {}};
  if (i.type->kind == TypeKind::CooperativeMatrix) {
    llvm::Value* matrix = o->a.leaves[0];
    llvm::Value* factor =
        e.ir.CreateVectorSplat(i.type->rows * i.type->columns, e.simt.uniform(o->b.leaves[0]));
    result.leaves.push_back(i.type->element->kind == TypeKind::Float
                                ? e.ir.CreateFMul(matrix, factor)
                                : e.ir.CreateMul(matrix, factor));
  } else {
    for (llvm::Value* leaf : o->a.leaves)
      result.leaves.push_back(multiply(e, leaf, o->b.leaves[0]));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitVectorTimesMatrix(Emission& e, const Instruction& i) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  const uint32_t rows = static_cast<uint32_t>(o->a.leaves.size());
  Value result{i.type, {}};
  for (uint32_t c = 0; c < i.type->count; ++c)
    result.leaves.push_back(sumOfProducts(
        e, rows, [&](uint32_t r) { return o->a.leaves[r]; },
        [&](uint32_t r) { return o->b.leaves[c * rows + r]; }));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitMatrixTimesVector(Emission& e, const Instruction& i) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  const uint32_t rows = i.type->count, columns = static_cast<uint32_t>(o->b.leaves.size());
  Value result{i.type, {}};
  for (uint32_t r = 0; r < rows; ++r)
    result.leaves.push_back(sumOfProducts(
        e, columns, [&](uint32_t c) { return o->a.leaves[c * rows + r]; },
        [&](uint32_t c) { return o->b.leaves[c]; }));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitMatrixTimesMatrix(Emission& e, const Instruction& i) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  const uint32_t columns = i.type->count, rows = i.type->element->count;
  const uint32_t inner = static_cast<uint32_t>(o->a.leaves.size()) / rows;
  Value result{i.type, {}};
  for (uint32_t c = 0; c < columns; ++c)
    for (uint32_t r = 0; r < rows; ++r)
      result.leaves.push_back(sumOfProducts(
          e, inner, [&](uint32_t k) { return o->a.leaves[k * rows + r]; },
          [&](uint32_t k) { return o->b.leaves[c * inner + k]; }));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitOuterProduct(Emission& e, const Instruction& i) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  Value result{i.type, {}};
  for (llvm::Value* column : o->b.leaves)
    for (llvm::Value* row : o->a.leaves) result.leaves.push_back(multiply(e, row, column));
  e.setValue(i, std::move(result));
  return Error::success();
}

Error emitDot(Emission& e, const Instruction& i) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  const auto count = static_cast<uint32_t>(o->a.leaves.size());
  // bfloat16 knows no modes, and must be rounded right ("Precision of Individual Operations"):
  // products are exact in binary32, and the sum is rounded to bfloat16 only at the end.
  const bool of_bfloat = i.type->encoding == FloatEncoding::BFloat16;
  std::optional<math::FixedRounding> fixed;
  if (of_bfloat) {
    fixed.emplace(e.ir);
    for (Value* v : {&o->a, &o->b}) {
      for (llvm::Value*& leaf : v->leaves)
        leaf = e.ir.CreateFPExt(leaf, shapedLike(leaf, e.ir.getFloatTy()));
    }
  }
  llvm::Value* sum = sumOfProducts(
      e, count, [&](uint32_t k) { return o->a.leaves[k]; },
      [&](uint32_t k) { return o->b.leaves[k]; });
  if (of_bfloat) sum = math::narrowToBfloat(math::Term(e.ir, sum));
  e.setValue(i, Value{i.type, {sum}});
  return Error::success();
}

// The result is a structure of two members of the operands' type: all first members' leaves, then
// all second members'.
template <typename Function>
Error emitPair(Emission& e, const Instruction& i, Function function) {
  llvm::Expected<Operands> o = operands(e, i);
  if (!o) return o.takeError();
  llvm::SmallVector<llvm::Value*, 4> first, second;
  for (size_t k = 0; k < o->a.leaves.size(); ++k) {
    llvm::Value *a = o->a.leaves[k], *b = o->b.leaves[k];
    e.simt.unify(a, b);
    auto [x, y] = function(a, b);
    first.push_back(x);
    second.push_back(y);
  }
  Value result{i.type, {}};
  result.leaves.append(first.begin(), first.end());
  result.leaves.append(second.begin(), second.end());
  e.setValue(i, std::move(result));
  return Error::success();
}

using Pair = std::pair<llvm::Value*, llvm::Value*>;

Error emitIAddCarry(Emission& e, const Instruction& i) {
  return emitPair(e, i, [&](auto* a, auto* b) {
    llvm::Value* sum = e.ir.CreateAdd(a, b);
    return Pair{sum, e.ir.CreateZExt(e.ir.CreateICmpULT(sum, a), a->getType())};
  });
}

Error emitISubBorrow(Emission& e, const Instruction& i) {
  return emitPair(e, i, [&](auto* a, auto* b) {
    return Pair{e.ir.CreateSub(a, b), e.ir.CreateZExt(e.ir.CreateICmpULT(a, b), a->getType())};
  });
}

template <bool Signed>
Error emitMulExtended(Emission& e, const Instruction& i) {
  return emitPair(e, i, [&](auto* a, auto* b) {
    const uint32_t bits = a->getType()->getScalarSizeInBits();
    llvm::Type* wide = shapedLike(a, e.ir.getIntNTy(2 * bits));
    llvm::Value* product = Signed
                               ? e.ir.CreateMul(e.ir.CreateSExt(a, wide), e.ir.CreateSExt(b, wide))
                               : e.ir.CreateMul(e.ir.CreateZExt(a, wide), e.ir.CreateZExt(b, wide));
    llvm::Value* high = e.ir.CreateLShr(product, integerLike(product, bits));
    return Pair{e.ir.CreateTrunc(product, a->getType()), e.ir.CreateTrunc(high, a->getType())};
  });
}

using Binary = llvm::Instruction::BinaryOps;

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpSNegate, emitSNegate},
    {spv::Op::OpFNegate, emitFNegate},
    {spv::Op::OpIAdd, emitBinary<Binary::Add>},
    {spv::Op::OpFAdd, emitBinary<Binary::FAdd>},
    {spv::Op::OpISub, emitBinary<Binary::Sub>},
    {spv::Op::OpFSub, emitBinary<Binary::FSub>},
    {spv::Op::OpIMul, emitBinary<Binary::Mul>},
    {spv::Op::OpFMul, emitBinary<Binary::FMul>},
    {spv::Op::OpUDiv, emitDivision<false, false>},
    {spv::Op::OpSDiv, emitDivision<true, false>},
    {spv::Op::OpFDiv, emitBinary<Binary::FDiv>},
    {spv::Op::OpUMod, emitDivision<false, true>},
    {spv::Op::OpSRem, emitDivision<true, true>},
    {spv::Op::OpSMod, emitSMod},
    {spv::Op::OpFRem, emitFRem},
    {spv::Op::OpFMod, emitFMod},
    {spv::Op::OpVectorTimesScalar, emitTimesScalar},
    {spv::Op::OpMatrixTimesScalar, emitTimesScalar},
    {spv::Op::OpVectorTimesMatrix, emitVectorTimesMatrix},
    {spv::Op::OpMatrixTimesVector, emitMatrixTimesVector},
    {spv::Op::OpMatrixTimesMatrix, emitMatrixTimesMatrix},
    {spv::Op::OpOuterProduct, emitOuterProduct},
    {spv::Op::OpDot, emitDot},
    {spv::Op::OpIAddCarry, emitIAddCarry},
    {spv::Op::OpISubBorrow, emitISubBorrow},
    {spv::Op::OpUMulExtended, emitMulExtended<false>},
    {spv::Op::OpSMulExtended, emitMulExtended<true>},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> arithmeticOps() { return kRows; }

}  // namespace jit::spirv
