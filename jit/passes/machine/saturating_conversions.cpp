// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/saturating_conversions.h"

#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace jit {
namespace {

using llvm::APFloat;
using llvm::APSInt;
using llvm::Value;

// The float next to an integer, towards 0, and whether it is the same.
std::pair<APFloat, bool> nearest(const APSInt& n, const llvm::fltSemantics& format) {
  APFloat f(format);
  const auto status = f.convertFromAPInt(n, n.isSigned(), APFloat::rmTowardZero);
  return {f, status == APFloat::opOK};
}

// Of one half: with AVX512-FP16 LLVM 22 makes -32768 of what is no number, where the result has 16
// bits.
Value* widen(llvm::IntrinsicInst& conversion) {
  llvm::IRBuilder<> ir(&conversion);
  Value* x = ir.CreateFPExt(conversion.getArgOperand(0), ir.getFloatTy());
  return ir.CreateIntrinsic(conversion.getIntrinsicID(), {conversion.getType(), x->getType()}, {x});
}

Value* expand(llvm::IntrinsicInst& conversion, bool is_signed) {
  llvm::IRBuilder<> ir(&conversion);
  llvm::Type* type = conversion.getType();
  Value* x = conversion.getArgOperand(0);
  if (x->getType()->getScalarType()->isHalfTy())
    x = ir.CreateFPExt(x,
                       llvm::VectorType::get(ir.getFloatTy(), llvm::cast<llvm::VectorType>(type)));
  const llvm::fltSemantics& format = x->getType()->getScalarType()->getFltSemantics();
  const unsigned bits = type->getScalarSizeInBits();
  const APSInt least = APSInt::getMinValue(bits, !is_signed);
  const APSInt greatest = APSInt::getMaxValue(bits, !is_signed);
  const APFloat low = nearest(least, format).first;
  const auto [high, is_exact] = nearest(greatest, format);
  Value* bottom = llvm::ConstantFP::get(x->getType(), low);
  Value* top = llvm::ConstantFP::get(x->getType(), high);
  // Comparisons as the machine's minimum and maximum have them: what is no number becomes `low`.
  Value* clamped = ir.CreateSelect(ir.CreateFCmpOGT(x, bottom), x, bottom);
  clamped = ir.CreateSelect(ir.CreateFCmpOLT(clamped, top), clamped, top);
  Value* result = is_signed ? ir.CreateFPToSI(clamped, type) : ir.CreateFPToUI(clamped, type);
  if (!is_exact)
    result =
        ir.CreateSelect(ir.CreateFCmpOGT(x, top), llvm::ConstantInt::get(type, greatest), result);
  if (is_signed)
    result = ir.CreateSelect(ir.CreateFCmpORD(x, x), result, llvm::Constant::getNullValue(type));
  return result;
}

}  // namespace

bool expandSaturatingConversions(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call == nullptr) continue;
    const bool is_signed = call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
    if (!is_signed && call->getIntrinsicID() != llvm::Intrinsic::fptoui_sat) continue;
    const bool is_vector = call->getType()->isVectorTy();
    if (!is_vector && !call->getArgOperand(0)->getType()->isHalfTy()) continue;
    call->replaceAllUsesWith(is_vector ? expand(*call, is_signed) : widen(*call));
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace jit
