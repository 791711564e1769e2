// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/extension.h"

#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace jit::simt {

using namespace llvm::PatternMatch;

bool isExact(const llvm::Value& sum, Extended extended) {
  if (extended == Extended::No || match(&sum, m_DisjointOr(m_Value(), m_Value()))) return true;
  const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&sum);
  return operation != nullptr && (extended == Extended::Signed ? operation->hasNoSignedWrap()
                                                               : operation->hasNoUnsignedWrap());
}

std::optional<int64_t> factorOf(const llvm::APInt& constant, Extended extended) {
  constexpr unsigned kMostBits = 31;
  const bool is_large = constant.abs().getActiveBits() > kMostBits;
  // Without sign, what is below zero is large.
  if (is_large || (constant.isNegative() && extended == Extended::Unsigned)) return std::nullopt;
  return constant.getSExtValue();
}

}  // namespace jit::simt
