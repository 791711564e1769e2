// SPDX-License-Identifier: Apache-2.0

// x - y trunc(x / y), exactly: long division, a few bits of the quotient at a time while it is
// large, which it seldom is.
#include <cmath>

#include "jit/math/function_body.h"

namespace jit::math {
namespace {

constexpr unsigned kQuotientBits = 22;  // found in one step
constexpr unsigned kMantissaBits = 52;

// rest - quotient * divisor, which is exact: with binary32 operands in binary64 anyhow, with
// binary64 ones through FMA.
Term subtractProduct(const Body& body, Term rest, Term quotient, Term divisor) {
  return body.multiplyAdd(-quotient, divisor, rest);
}

// One step for a quotient of 2^22 and more: its highest bits.
Term reduceFar(const Body& body, Term rest, Term divisor) {
  Term quotient = rest / divisor;
  // The quotient of binary64 numbers may overflow; a multiple of the divisor serves as well.
  for (double factor : {0x1p1000, 0x1p100}) {
    Term overflows = quotient == kInfinity;
    divisor = select(overflows, divisor * factor, divisor);
    quotient = rest / divisor;
  }
  const uint64_t low = (uint64_t{1} << (kMantissaBits + 1 - kQuotientBits)) - 1;
  Term bits = quotient.bits();
  quotient = (bits & ~low).asFloat();
  Term difference = subtractProduct(body, rest, quotient, divisor);
  // The quotient had been rounded up across a multiple of its unit.
  Term unit = (bits & (uint64_t{0x7ff} << kMantissaBits)).asFloat() *
              std::ldexp(1.0, 1 - int(kQuotientBits));
  return select(difference < 0, difference + divisor * unit, difference);
}

Term reduceNear(const Body& body, Term rest, Term divisor) {
  llvm::IRBuilderBase& builder = rest.builder();
  Term quotient = rest / divisor;
  // Lanes whose quotient is no such integer have another result; they only must not be poison.
  llvm::Value* whole = builder.CreateFPToSI(quotient, rest.like(builder.getInt32Ty()));
  quotient = rest.with(builder.CreateSIToFP(builder.CreateFreeze(whole), rest.type()));
  Term difference = subtractProduct(body, rest, quotient, divisor);
  return select(difference < 0, difference + divisor, difference);
}

}  // namespace

Term remainder(const Body& body, Term x, Term y) {
  auto& builder = static_cast<llvm::IRBuilder<>&>(x.builder());
  Term dividend = abs(x.toDouble()), divisor = abs(y.toDouble());
  Term finite = dividend < kInfinity;
  Term far = divisor * 0x1p22;
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* head = llvm::BasicBlock::Create(builder.getContext(), "head", function);
  auto* step = llvm::BasicBlock::Create(builder.getContext(), "step", function);
  auto* last = llvm::BasicBlock::Create(builder.getContext(), "last", function);
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  llvm::PHINode* phi = builder.CreatePHI(dividend.type(), 2);
  Term rest = x.with(phi);
  Term more = (rest >= far) & (divisor > 0) & finite;
  builder.CreateCondBr(any(more), step, last);
  builder.SetInsertPoint(step);
  phi->addIncoming(dividend, before);
  phi->addIncoming(select(more, reduceFar(body, rest, divisor), rest), step);
  builder.CreateBr(head);
  builder.SetInsertPoint(last);
  Term result = reduceNear(body, rest, divisor);
  result = select(divisor == kInfinity, dividend, result);
  result = select(finite & (divisor > 0), result, kNan);
  result = x.with(builder.CreateFPCast(result, x.type()));
  return copySign(result, x);
}

}  // namespace jit::math
