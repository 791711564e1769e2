// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/code/test_facts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace jit {

using namespace llvm::PatternMatch;
using llvm::KnownBits;
using llvm::Value;

namespace {

KnownBits within(KnownBits bits, const llvm::APInt& mask) {
  bits.Zero &= mask;
  bits.One &= mask;
  return bits;
}

}  // namespace

const TestFacts::Fact* TestFacts::of(Value* value) const {
  const auto found = known_.find(value);
  return found == known_.end() ? nullptr : &found->second;
}

void TestFacts::learn(Value* condition, bool holds, unsigned depth) {
  Value *a = nullptr, *b = nullptr;
  const llvm::APInt* number = nullptr;
  if (depth == 0) return;
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (match(condition, m_Freeze(m_Value(a)))) {
    learn(a, holds, depth - 1);
  } else if (match(condition, m_Not(m_Value(a)))) {
    learn(a, !holds, depth - 1);
  } else if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                   : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    learn(a, holds, depth - 1);
    learn(b, holds, depth - 1);
  } else if (comparison != nullptr && match(comparison->getOperand(1), m_APInt(number)) &&
             comparison->getOperand(0)->getType()->isIntegerTy()) {
    a = comparison->getOperand(0);
    const llvm::CmpInst::Predicate which =
        holds ? comparison->getPredicate() : comparison->getInversePredicate();
    if (which == llvm::CmpInst::ICMP_EQ) add(a, KnownBits::makeConstant(*number), depth);
    if (which == llvm::CmpInst::ICMP_ULT && !number->isZero()) isAtMost(a, *number - 1, depth);
    if (which == llvm::CmpInst::ICMP_ULE) isAtMost(a, *number, depth);
    if ((which == llvm::CmpInst::ICMP_SGT && number->isAllOnes()) ||
        (which == llvm::CmpInst::ICMP_SGE && number->isZero()))
      isAtMost(a, llvm::APInt::getSignedMaxValue(number->getBitWidth()), depth);
  }
}

void TestFacts::forget(size_t mark) {
  while (before_.size() > mark) {
    auto& [value, fact] = before_.back();
    if (fact)
      known_[value] = *fact;
    else
      known_.erase(value);
    before_.pop_back();
  }
}

// Of the value, and of what it is made from.
void TestFacts::add(Value* value, const KnownBits& bits, unsigned depth) {
  if (bits.isUnknown() || depth == 0 || llvm::isa<llvm::Constant>(value)) return;
  Fact& fact = change(value);
  const KnownBits both = fact.bits.unionWith(bits);
  if (!both.hasConflict()) fact.bits = both;
  Value *a = nullptr, *b = nullptr;
  const llvm::APInt* number = nullptr;
  const unsigned width = bits.getBitWidth();
  if (match(value, m_ZExtOrSExt(m_Value(a)))) {
    add(a, bits.trunc(a->getType()->getScalarSizeInBits()), depth - 1);
  } else if (match(value, m_Trunc(m_Value(a)))) {
    add(a, bits.anyext(a->getType()->getScalarSizeInBits()), depth - 1);
  } else if (match(value, m_Freeze(m_Value(a)))) {
    add(a, bits, depth - 1);
  } else if (match(value, m_And(m_Value(a), m_APInt(number)))) {
    add(a, within(bits, *number), depth - 1);
  } else if (match(value, m_Or(m_Value(a), m_Value(b)))) {
    KnownBits zeros(width);
    zeros.Zero = bits.Zero;
    add(a, zeros, depth - 1);
    add(b, zeros, depth - 1);
  } else if (match(value, m_LShr(m_Value(a), m_APInt(number))) && number->ult(width)) {
    KnownBits higher(width);
    higher.Zero = bits.Zero.shl(*number);
    higher.One = bits.One.shl(*number);
    add(a, higher, depth - 1);
  } else if (match(value, m_Shl(m_Value(a), m_APInt(number))) && number->ult(width)) {
    KnownBits lower(width);
    lower.Zero = bits.Zero.lshr(*number);
    lower.One = bits.One.lshr(*number);
    add(a, lower, depth - 1);
  }
}

// The fact there is, or nothing, which forget() knows.
TestFacts::Fact& TestFacts::change(Value* value) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  auto [known, is_new] =
      known_.try_emplace(value, Fact{KnownBits(width), llvm::APInt::getMaxValue(width)});
  before_.emplace_back(value, is_new ? std::nullopt : std::optional(known->second));
  return known->second;
}

void TestFacts::isAtMost(Value* value, const llvm::APInt& limit, unsigned depth) {
  if (llvm::isa<llvm::Constant>(value)) return;
  Fact& fact = change(value);
  fact.most = llvm::APIntOps::umin(fact.most, limit);
  KnownBits bits(limit.getBitWidth());
  bits.Zero.setHighBits(limit.countl_zero());
  add(value, bits, depth);
}

}  // namespace jit
