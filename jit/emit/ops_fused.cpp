// SPDX-License-Identifier: Apache-2.0

// Multiplications and additions that round once, or as little as possible. Sources: SPV_KHR_fma,
// SPV_VALVE_mixed_float_dot_product.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>

#include "jit/emit/float8_values.h"
#include "jit/emit/leafwise.h"
#include "jit/emit/opcode_rows.h"
#include "jit/math/float_controls.h"
#include "jit/math/rounding.h"

namespace jit::spirv {

namespace {

using llvm::Error;

llvm::Value* fma(Emission& e, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return e.ir.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

llvm::Value* toFloat(Emission& e, llvm::Value* v) {
  return e.ir.CreateFPExt(v, shapedLike(v, e.ir.getFloatTy()));
}

// Halves as floats. The product is exact there, the sum may not be: it is rounded to odd, so that
// rounding it to half precision cannot be wrong (Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums: proved algorithms using rounding to odd").
llvm::Value* fmaOfHalves(Emission& e, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  auto& ir = e.ir;
  std::optional<math::FixedRounding> fixed(ir);
  llvm::Value* product = ir.CreateFMul(toFloat(e, a), toFloat(e, b));
  llvm::Value* addend = toFloat(e, c);
  llvm::Value* sum = ir.CreateFAdd(product, addend);
  // The sum's error, exactly (Knuth's TwoSum).
  llvm::Value* of_addend = ir.CreateFSub(sum, product);
  llvm::Value* error = ir.CreateFAdd(ir.CreateFSub(product, ir.CreateFSub(sum, of_addend)),
                                     ir.CreateFSub(addend, of_addend));
  llvm::Value* zero = llvm::Constant::getNullValue(sum->getType());
  llvm::Value* bits = ir.CreateBitCast(sum, integerTypeLike(sum));
  llvm::Value* one = integerLike(bits, 1);
  llvm::Value* even = ir.CreateICmpEQ(ir.CreateAnd(bits, one), integerLike(bits, 0));
  // Infinite and NaN sums have a NaN for their error.
  llvm::Value* inexact = ir.CreateAnd(ir.CreateFCmpONE(error, zero), even);
  llvm::Value* away = ir.CreateICmpEQ(ir.CreateFCmpOGT(error, zero), ir.CreateFCmpOGT(sum, zero));
  llvm::Value* odd = ir.CreateSelect(away, ir.CreateAdd(bits, one), ir.CreateSub(bits, one));
  llvm::Value* rounded = ir.CreateBitCast(ir.CreateSelect(inexact, odd, bits), sum->getType());
  fixed.reset();
  return ir.CreateFPTrunc(rounded, a->getType());
}

Error emitFma(Emission& e, const Instruction& i) {
  llvm::SmallVector<Value, 3> operands;
  for (Id id : i.operands) {
    llvm::Expected<Value> v = e.value(id);
    if (!v) return v.takeError();
    operands.push_back(std::move(*v));
  }
  if (operands.size() != 3 || operands[0].leaves.size() != operands[1].leaves.size() ||
      operands[0].leaves.size() != operands[2].leaves.size())
    return malformed(e.module.describe(i) + ": the operands do not fit each other");
  Value result{i.type, {}};
  for (size_t k = 0; k < operands[0].leaves.size(); ++k) {
    llvm::Value *a = operands[0].leaves[k], *b = operands[1].leaves[k], *c = operands[2].leaves[k];
    e.simt.unify(a, b);
    e.simt.unify(b, c);
    e.simt.unify(a, c);
    result.leaves.push_back(a->getType()->getScalarType()->isHalfTy() ? fmaOfHalves(e, a, b, c)
                                                                      : fma(e, a, b, c));
  }
  e.setValue(i, std::move(result));
  return Error::success();
}

// Products of components, added to the accumulator in f32; how it rounds is left open.
Error emitMixedDot(Emission& e, const Instruction& i) {
  llvm::Expected<Value> a = e.value(i.operands[0]);
  if (!a) return a.takeError();
  llvm::Expected<Value> b = e.value(i.operands[1]);
  if (!b) return b.takeError();
  llvm::Expected<Value> accumulator = e.value(i.operands[2]);
  if (!accumulator) return accumulator.takeError();
  if (a->leaves.size() != b->leaves.size())
    return malformed(e.module.describe(i) + ": the vectors do not fit each other");
  auto widened = [&](const Type& type, llvm::Value* v) {
    v = inLlvmFormat(e, type, v);
    return v->getType()->getScalarType()->isFloatTy() ? v : toFloat(e, v);
  };
  llvm::Value* sum = widened(*i.type, accumulator->leaves[0]);
  for (size_t k = 0; k < a->leaves.size(); ++k) {
    llvm::Value *x = widened(*a->type, a->leaves[k]), *y = widened(*b->type, b->leaves[k]);
    e.simt.unify(x, y);
    e.simt.unify(y, sum);
    e.simt.unify(x, sum);
    sum = fma(e, x, y, sum);
  }
  llvm::Type* type = shapedLike(sum, e.leafType(i.type));
  if (type->getScalarType()->isBFloatTy()) {
    math::FixedRounding fixed(e.ir);
    sum = math::narrowToBfloat({e.ir, sum});
  } else if (type != sum->getType()) {
    sum = e.ir.CreateFPTrunc(sum, type);
  }
  e.setValue(i, Value{i.type, {sum}});
  return Error::success();
}

constexpr OpcodeRow kRows[] = {
    {spv::Op::OpFmaKHR, emitFma},
    {spv::Op::OpFDot2MixAcc32VALVE, emitMixedDot},
    {spv::Op::OpFDot2MixAcc16VALVE, emitMixedDot},
    {spv::Op::OpFDot4MixAcc32VALVE, emitMixedDot},
};

}  // namespace

llvm::ArrayRef<OpcodeRow> fusedOps() { return kRows; }

}  // namespace jit::spirv
