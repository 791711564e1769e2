// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/masks/mask_test.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/ir/function_kind.h"
#include "jit/ir/symbols.h"

namespace jit::simt {

using namespace llvm::PatternMatch;
using llvm::Value;

namespace {

// A number of each lane: the same for all, and what a constant adds in each.
struct LaneSum {
  Value* uniform = nullptr;
  llvm::APInt least, span;  // of the constants: the least one, and how much more the greatest is

  // In the lane of the least constant.
  Value* first(llvm::IRBuilder<>& ir) const {
    return least.isZero()
               ? uniform
               : ir.CreateAdd(uniform, llvm::ConstantInt::get(uniform->getType(), least));
  }
};

std::optional<LaneSum> laneSum(Value* v) {
  if (Value* splat = llvm::getSplatValue(v)) {
    const llvm::APInt zero(splat->getType()->getIntegerBitWidth(), 0);
    return LaneSum{splat, zero, zero};
  }
  Value* base = nullptr;
  llvm::Constant* offsets = nullptr;
  if (!match(v, m_AddLike(m_Value(base), m_Constant(offsets)))) return std::nullopt;
  Value* splat = llvm::getSplatValue(base);
  auto* data = llvm::dyn_cast<llvm::ConstantDataVector>(offsets);
  if (splat == nullptr || data == nullptr || !data->getElementType()->isIntegerTy())
    return std::nullopt;
  llvm::APInt least = data->getElementAsAPInt(0), most = least;
  for (unsigned l = 1; l < data->getNumElements(); ++l) {
    const llvm::APInt offset = data->getElementAsAPInt(l);
    if (offset.slt(least)) least = offset;
    if (offset.sgt(most)) most = offset;
  }
  // As a number without a sign, which saturating additions of either sign take it for.
  if ((most - least).isNegative()) return std::nullopt;
  return LaneSum{splat, least, most - least};
}

// The greatest of the lanes, or the greatest number that there is.
Value* greatest(llvm::IRBuilder<>& ir, const LaneSum& sum, bool is_signed) {
  Value* first = sum.first(ir);
  if (sum.span.isZero()) return first;
  return ir.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat,
                                  first, llvm::ConstantInt::get(first->getType(), sum.span));
}

// A comparison of what goes on from lane to lane with a limit for all.
struct Limited {
  llvm::CmpInst::Predicate predicate;  // lanes are less than the limit, or not greater, or
  bool from_below;                     // the limit is less than the lanes, or not greater
  LaneSum lanes;
  Value* limit;
};

std::optional<Limited> limitedLanes(llvm::CmpInst::Predicate predicate, Value* left, Value* right) {
  // What `lanes > 0` becomes.
  if (predicate == llvm::CmpInst::ICMP_NE && match(right, m_Zero()))
    predicate = llvm::CmpInst::ICMP_UGT;
  if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate)) {
    std::swap(left, right);
    predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
  }
  if (!llvm::ICmpInst::isRelational(predicate)) return std::nullopt;
  Value* limit = llvm::getSplatValue(right);
  const bool from_below = limit == nullptr;
  if (from_below) limit = llvm::getSplatValue(left);
  const auto sum = laneSum(from_below ? right : left);
  if (!sum || limit == nullptr) return std::nullopt;
  return Limited{predicate, from_below, *sum, limit};
}

// What has to hold for all lanes of a mask to be live.
struct Conditions {
  struct Uniform {
    Value* condition;
    bool holds;
  };
  llvm::SmallVector<Uniform, 2> uniform;
  llvm::SmallVector<Limited, 4> limits;
};

// None of the numbers is negative: what `a >= 0 && b >= 0` becomes.
bool collectSigns(Value* either, Conditions& found) {
  Value *a = nullptr, *b = nullptr;
  if (!laneSum(either) && match(either, m_Or(m_Value(a), m_Value(b))))
    return collectSigns(a, found) && collectSigns(b, found);
  const auto limited = limitedLanes(llvm::CmpInst::ICMP_SGE, either,
                                    llvm::Constant::getNullValue(either->getType()));
  if (limited) found.limits.push_back(*limited);
  return limited.has_value();
}

bool collectComparison(llvm::CmpInst::Predicate predicate, Value* left, Value* right,
                       Conditions& found) {
  if ((predicate == llvm::CmpInst::ICMP_SGT && match(right, m_AllOnes())) ||
      (predicate == llvm::CmpInst::ICMP_SGE && match(right, m_Zero())))
    return collectSigns(left, found);
  const auto limited = limitedLanes(predicate, left, right);
  if (limited) found.limits.push_back(*limited);
  return limited.has_value();
}

// What makes all lanes of `mask` be `holds`; false where vectors have to be compared for that.
bool collect(Value* mask, bool holds, Conditions& found) {
  Value *a = nullptr, *b = nullptr;
  if (Value* uniform = llvm::getSplatValue(mask)) {
    found.uniform.push_back({uniform, holds});
    return true;
  }
  if (match(mask, m_Not(m_Value(a)))) return collect(a, !holds, found);
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(mask))
    return collectComparison(holds ? comparison->getPredicate() : comparison->getInversePredicate(),
                             comparison->getOperand(0), comparison->getOperand(1), found);
  return (holds ? match(mask, m_LogicalAnd(m_Value(a), m_Value(b)))
                : match(mask, m_LogicalOr(m_Value(a), m_Value(b)))) &&
         collect(a, holds, found) && collect(b, holds, found);
}

// Whether the comparison holds in all lanes. Where the sum of a lane would wrap around, the
// saturated one is less than no limit, and as great as the greatest only if every number is; from
// below, none may.
Value* holdsInAllLanes(llvm::IRBuilder<>& ir, const Limited& limited) {
  const bool is_signed = llvm::ICmpInst::isSigned(limited.predicate);
  const LaneSum& lanes = limited.lanes;
  if (!limited.from_below)
    return ir.CreateICmp(limited.predicate, greatest(ir, lanes, is_signed), limited.limit);
  Value* first = lanes.first(ir);
  Value* holds = ir.CreateICmp(limited.predicate, limited.limit, first);
  if (lanes.span.isZero()) return holds;
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const llvm::APInt last =
      (is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)) -
      lanes.span;
  return ir.CreateAnd(
      holds, ir.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, first,
                           llvm::ConstantInt::get(first->getType(), last)));
}

}  // namespace

std::optional<MaskTest> maskTest(llvm::BasicBlock& block) {
  llvm::Value *condition = nullptr, *mask = nullptr;
  if (!match(block.getTerminator(), m_Br(m_Value(condition), m_BasicBlock(), m_BasicBlock())))
    return std::nullopt;
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (comparison == nullptr || !comparison->isEquality() ||
      !match(comparison->getOperand(0), m_BitCast(m_Value(mask))) ||
      !match(comparison->getOperand(1), m_Zero()) || !mask->getType()->isVectorTy() ||
      !mask->getType()->getScalarType()->isIntegerTy(1))
    return std::nullopt;
  return MaskTest{mask, comparison->getPredicate() == llvm::ICmpInst::ICMP_EQ ? 0u : 1u};
}

bool isTestedByScalars(Value* mask) {
  Conditions found;
  return collect(mask, /*holds=*/true, found);
}

Value* areAllLive(llvm::IRBuilder<>& ir, Value* mask) {
  Conditions found;
  if (!collect(mask, /*holds=*/true, found)) {
    auto* type = ir.getIntNTy(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements());
    return ir.CreateICmpEQ(ir.CreateBitCast(mask, type), llvm::Constant::getAllOnesValue(type));
  }
  Value* all = nullptr;
  auto add = [&](Value* condition) {
    all = all == nullptr ? condition : ir.CreateLogicalAnd(all, condition);
  };
  for (const auto& [condition, holds] : found.uniform)
    add(holds ? condition : ir.CreateNot(condition));
  for (const Limited& limited : found.limits) add(holdsInAllLanes(ir, limited));
  return all;
}

bool isForEachLane(const llvm::BasicBlock& block) {
  return llvm::none_of(block, [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr) return false;
    const llvm::Function* callee = call->getCalledFunction();
    const bool has_code = callee != nullptr &&
                          (callee->isIntrinsic() || !callee->isDeclaration() ||
                           kindOf(*callee) == FunctionKind::ByteDot || isRuntimeFunction(*callee));
    return !has_code || call->isConvergent();
  });
}

}  // namespace jit::simt
