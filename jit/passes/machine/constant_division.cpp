// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/constant_division.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace jit {
namespace {

using namespace llvm::PatternMatch;

// `number` as an integer of `bits` bits, if it is one.
std::optional<llvm::APInt> integer(const llvm::APFloat& number, unsigned bits, bool is_signed) {
  llvm::APSInt result(bits, !is_signed);
  bool exact = false;
  if (number.convertToInteger(result, llvm::APFloat::rmTowardZero, &exact) != llvm::APFloat::opOK ||
      !exact)
    return std::nullopt;
  return result;
}

// The quotient that `cut`, a conversion of a float to an integer, comes to; null if it is none.
llvm::Value* quotient(llvm::Instruction& cut) {
  const bool is_signed = llvm::isa<llvm::FPToSIInst>(cut);
  const unsigned bits = cut.getType()->getScalarSizeInBits();
  llvm::Value *number = nullptr, *dividend = nullptr;
  const llvm::APFloat* constant = nullptr;
  std::optional<llvm::APInt> divisor;
  if (match(cut.getOperand(0), m_FDiv(m_Value(number), m_APFloat(constant)))) {
    divisor = integer(*constant, bits, is_signed);
  } else if (match(cut.getOperand(0), m_FMul(m_Value(number), m_APFloat(constant)))) {
    llvm::APFloat inverse(constant->getSemantics());
    if (constant->getExactInverse(&inverse)) divisor = integer(inverse, bits, is_signed);
  }
  if (!divisor || divisor->isZero() || (is_signed && divisor->isAllOnes())) return nullptr;
  if (is_signed ? !match(number, m_SIToFP(m_Value(dividend)))
                : !match(number, m_UIToFP(m_Value(dividend))))
    return nullptr;
  // A quotient is further from the next integer, relatively, than floats of one more digit round.
  const auto digits =
      static_cast<unsigned>(number->getType()->getScalarType()->getFPMantissaWidth());
  if (dividend->getType() != cut.getType() || digits <= bits) return nullptr;
  llvm::IRBuilder<> ir(&cut);
  llvm::Constant* by = llvm::ConstantInt::get(cut.getType(), *divisor);
  if (is_signed) return ir.CreateSDiv(dividend, by);
  if (divisor->isPowerOf2()) return ir.CreateLShr(dividend, divisor->logBase2());
  return ir.CreateUDiv(dividend, by);
}

}  // namespace

bool divideByConstants(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*> cuts;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (llvm::isa<llvm::FPToUIInst, llvm::FPToSIInst>(i)) cuts.push_back(&i);
  bool changed = false;
  for (llvm::Instruction* cut : cuts) {
    llvm::Value* value = quotient(*cut);
    if (value == nullptr) continue;
    cut->replaceAllUsesWith(value);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(cut);
    changed = true;
  }
  return changed;
}

}  // namespace jit
