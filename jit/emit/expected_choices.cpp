// SPDX-License-Identifier: Apache-2.0

// Rules of expected_lanes.h about truth values, choices and types.
#include "jit/emit/expected_lanes.h"

namespace jit::spirv {

LaneRules::Result LaneRules::compare(Predicate predicate, const ExpectedLanes& a,
                                     const ExpectedLanes& b) {
  // Only the difference counts of numbers that move alike; others are compared with what does not.
  const bool alike = a.weights == b.weights;
  if (!alike && a.moves() && b.moves()) return std::nullopt;
  const bool is_equality =
      predicate == llvm::CmpInst::ICMP_EQ || predicate == llvm::CmpInst::ICMP_NE;
  const bool is_signed = llvm::CmpInst::isSigned(predicate);
  const auto x = range(a, is_signed), y = range(b, is_signed);
  if (!x || !y) return std::nullopt;
  ExpectedLanes result =
      uniform(ir_.CreateICmp(predicate, a.first, b.first), static_cast<unsigned>(a.weights.size()));
  result.holds = both(both(a.holds, b.holds), both(x->fits, y->fits));
  if (alike) return result;
  if (is_equality) {
    llvm::Value* apart = ir_.CreateOr(ir_.CreateICmpSLT(x->greatest, y->least),
                                      ir_.CreateICmpSGT(x->least, y->greatest));
    result.holds = both(result.holds, apart);
    return result;
  }
  const auto order = llvm::ICmpInst::getSignedPredicate(predicate);
  llvm::Value* at_least = ir_.CreateICmp(order, x->least, y->greatest);
  llvm::Value* at_greatest = ir_.CreateICmp(order, x->greatest, y->least);
  result.holds = both(result.holds, ir_.CreateICmpEQ(at_least, at_greatest));
  return result;
}

LaneRules::Result LaneRules::logical(const ExpectedLanes& a, const ExpectedLanes& b,
                                     bool conjunction) {
  if (a.moves() || b.moves()) return std::nullopt;
  ExpectedLanes result = a;
  result.first = conjunction ? ir_.CreateAnd(a.first, b.first) : ir_.CreateOr(a.first, b.first);
  result.holds = both(a.holds, b.holds);
  return result;
}

LaneRules::Result LaneRules::negated(const ExpectedLanes& a) {
  ExpectedLanes result = a;
  result.first = ir_.CreateNot(a.first);
  return result;
}

LaneRules::Result LaneRules::select(const ExpectedLanes& condition, const ExpectedLanes& a,
                                    const ExpectedLanes& b) {
  if (condition.moves()) return std::nullopt;
  ExpectedLanes result{ir_.CreateSelect(condition.first, a.first, b.first), a.weights,
                       both(condition.holds, both(a.holds, b.holds))};
  if (a.weights == b.weights) return result;
  if (a.moves() && b.moves()) return std::nullopt;
  if (b.moves()) result.weights = b.weights;
  result.holds = both(result.holds, a.moves() ? condition.first : ir_.CreateNot(condition.first));
  return result;
}

LaneRules::Result LaneRules::convert(const ExpectedLanes& a, llvm::Type* type, bool is_signed) {
  const unsigned from = a.first->getType()->getIntegerBitWidth(), to = type->getIntegerBitWidth();
  ExpectedLanes result{nullptr, {}, a.holds};
  if (to > from && a.moves()) {
    const auto lanes = range(a, is_signed);
    if (!lanes) return std::nullopt;
    result.holds = both(a.holds, lanes->fits);
  }
  result.first =
      is_signed ? ir_.CreateSExtOrTrunc(a.first, type) : ir_.CreateZExtOrTrunc(a.first, type);
  for (llvm::Value* weight : a.weights)
    result.weights.push_back(ir_.CreateSExtOrTrunc(weight, type));
  return result;
}

}  // namespace jit::spirv
