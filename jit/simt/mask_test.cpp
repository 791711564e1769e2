// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/mask_test.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/llvm/symbols.h"

namespace jit::simt {

using namespace llvm::PatternMatch;
using llvm::Value;

namespace {

// A number of each lane: the same for all, and what a constant adds in each.
struct LaneSum {
  Value* uniform = nullptr;
  llvm::APInt least, most;  // of the constants
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
  LaneSum sum{splat, data->getElementAsAPInt(0), data->getElementAsAPInt(0)};
  for (unsigned l = 1; l < data->getNumElements(); ++l) {
    const llvm::APInt offset = data->getElementAsAPInt(l);
    if (offset.slt(sum.least)) sum.least = offset;
    if (offset.sgt(sum.most)) sum.most = offset;
  }
  if (sum.least.isNegative()) return std::nullopt;
  return sum;
}

// The greatest of the lanes, or the greatest number that there is.
Value* greatest(llvm::IRBuilder<>& ir, const LaneSum& sum, bool is_signed) {
  if (sum.most.isZero()) return sum.uniform;
  return ir.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat,
                                  sum.uniform,
                                  llvm::ConstantInt::get(sum.uniform->getType(), sum.most));
}

// A comparison of what goes on from lane to lane with a limit for all.
struct Limited {
  llvm::CmpInst::Predicate predicate;  // lanes are less than the limit, or not greater, or
  bool from_below;                     // the limit is less than the lanes, or not greater
  LaneSum lanes;
  Value* limit;
};

std::optional<Limited> limitedLanes(const llvm::ICmpInst& comparison) {
  auto predicate = comparison.getPredicate();
  Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
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

// Whether the comparison holds in all lanes. Where the sum of a lane would wrap around, the
// saturated one is less than no limit, and as great as the greatest only if every number is; from
// below, none may.
Value* holdsInAllLanes(llvm::IRBuilder<>& ir, const Limited& limited) {
  const bool is_signed = llvm::ICmpInst::isSigned(limited.predicate);
  const LaneSum& lanes = limited.lanes;
  if (!limited.from_below)
    return ir.CreateICmp(limited.predicate, greatest(ir, lanes, is_signed), limited.limit);
  llvm::Type* type = lanes.uniform->getType();
  Value* least = ir.CreateAdd(lanes.uniform, llvm::ConstantInt::get(type, lanes.least));
  Value* holds = ir.CreateICmp(limited.predicate, limited.limit, least);
  if (lanes.most.isZero()) return holds;
  const unsigned bits = type->getIntegerBitWidth();
  const llvm::APInt last =
      (is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)) -
      lanes.most;
  return ir.CreateAnd(
      holds, ir.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE,
                           lanes.uniform, llvm::ConstantInt::get(type, last)));
}

}  // namespace

std::optional<MaskTest> maskTest(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  llvm::CmpPredicate predicate;
  llvm::Value* mask = nullptr;
  if (branch == nullptr || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_BitCast(m_Value(mask)), m_Zero())) ||
      !llvm::ICmpInst::isEquality(predicate) || !mask->getType()->isVectorTy() ||
      !mask->getType()->getScalarType()->isIntegerTy(1))
    return std::nullopt;
  return MaskTest{mask, predicate == llvm::ICmpInst::ICMP_EQ ? 0u : 1u};
}

bool isTestedByScalars(const Value* mask) {
  if (llvm::getSplatValue(mask) != nullptr) return true;
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(mask))
    return limitedLanes(*comparison).has_value();
  const Value *a = nullptr, *b = nullptr;
  return match(mask, m_LogicalAnd(m_Value(a), m_Value(b))) && isTestedByScalars(a) &&
         isTestedByScalars(b);
}

static Value* testByScalars(llvm::IRBuilder<>& ir, Value* mask) {
  if (Value* uniform = llvm::getSplatValue(mask)) return uniform;
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(mask))
    return holdsInAllLanes(ir, *limitedLanes(*comparison));
  Value *a = nullptr, *b = nullptr;
  match(mask, m_LogicalAnd(m_Value(a), m_Value(b)));
  Value* first = testByScalars(ir, a);
  return ir.CreateLogicalAnd(first, testByScalars(ir, b));
}

Value* areAllLive(llvm::IRBuilder<>& ir, Value* mask) {
  if (isTestedByScalars(mask)) return testByScalars(ir, mask);
  auto* type = ir.getIntNTy(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements());
  return ir.CreateICmpEQ(ir.CreateBitCast(mask, type), llvm::Constant::getAllOnesValue(type));
}

bool isForEachLane(const llvm::BasicBlock& block) {
  return llvm::none_of(block, [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr) return false;
    const llvm::Function* callee = call->getCalledFunction();
    const bool has_code = callee != nullptr && (callee->isIntrinsic() || !callee->isDeclaration() ||
                                                findSymbol(callee->getName()) != nullptr);
    return !has_code || call->isConvergent();
  });
}

}  // namespace jit::simt
