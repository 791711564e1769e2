// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/integer_division.h"

#include <llvm/IR/Constants.h>

#include "jit/emit/leafwise.h"

namespace jit::spirv {

namespace {

// A constant divisor that can neither trap nor overflow: LLVM turns it into a multiplication.
bool isHarmlessConstant(llvm::Value* divisor) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(divisor);
  if (constant == nullptr) return false;
  if (llvm::Constant* splat =
          constant->getType()->isVectorTy() ? constant->getSplatValue() : constant)
    if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(splat))
      return !integer->isZero() && !integer->isMinusOne();
  return false;
}

// Vector units divide floats only. A quotient of integers below 2^32 as doubles (below 2^16 as
// floats), cut to an integer, is exact: it would need more digits than a double has to round up
// to the next integer.
llvm::Value* divideAsFloat(Emission& e, llvm::Value* a, llvm::Value* b, bool is_signed) {
  auto& ir = e.ir;
  const uint32_t bits = a->getType()->getScalarSizeInBits();
  llvm::Type* type = shapedLike(a, bits <= 16 ? ir.getFloatTy() : ir.getDoubleTy());
  if (is_signed)
    return ir.CreateFPToSI(ir.CreateFDiv(ir.CreateSIToFP(a, type), ir.CreateSIToFP(b, type)),
                           a->getType());
  return ir.CreateFPToUI(ir.CreateFDiv(ir.CreateUIToFP(a, type), ir.CreateUIToFP(b, type)),
                         a->getType());
}

}  // namespace

Division divide(Emission& e, llvm::Value* a, llvm::Value* b, bool is_signed) {
  auto& ir = e.ir;
  llvm::Value* quotient = nullptr;
  if (isHarmlessConstant(b)) {
    quotient = is_signed ? ir.CreateSDiv(a, b) : ir.CreateUDiv(a, b);
    return {quotient, ir.CreateSub(a, ir.CreateMul(quotient, b))};
  }
  // Lanes that are not live may hold anything, `undef` too, of which each use sees another value: a
  // divisor that is 0 to the division, and not to the test for it.
  b = ir.CreateFreeze(b);
  llvm::Value* divisor =
      ir.CreateSelect(ir.CreateICmpEQ(b, integerLike(b, 0)), integerLike(b, 1), b);
  llvm::Value* minus_one = nullptr;
  if (is_signed) {
    minus_one = ir.CreateICmpEQ(b, integerLike(b, ~uint64_t{0}));
    divisor = ir.CreateSelect(minus_one, integerLike(b, 1), divisor);
  }
  if (a->getType()->isVectorTy() && a->getType()->getScalarSizeInBits() <= 32)
    quotient = divideAsFloat(e, a, divisor, is_signed);
  else
    quotient = is_signed ? ir.CreateSDiv(a, divisor) : ir.CreateUDiv(a, divisor);
  if (is_signed) quotient = ir.CreateSelect(minus_one, ir.CreateNeg(a), quotient);
  return {quotient, ir.CreateSub(a, ir.CreateMul(quotient, b))};
}

}  // namespace jit::spirv
