// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_offsets.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/passes/access/extension.h"
#include "jit/simt/lane_windows.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;
using Past = llvm::SmallVector<int64_t, 64>;

constexpr unsigned kMaxNesting = 12;

// What each lane has past the first one; nothing where that is no constant. As numbers of the
// elements' width, signed.
std::optional<Past> pastOf(Value* v, unsigned lanes, Extended extended, unsigned depth) {
  if (llvm::getSplatValue(v) != nullptr) return Past(lanes, 0);
  if (auto* constants = llvm::dyn_cast<llvm::ConstantDataVector>(v)) {
    if (!constants->getElementType()->isIntegerTy()) return std::nullopt;
    auto element = [&](unsigned lane) {
      const llvm::APInt number = constants->getElementAsAPInt(lane);
      return extended == Extended::Unsigned ? static_cast<int64_t>(number.getZExtValue())
                                            : number.getSExtValue();
    };
    Past past;
    for (unsigned lane = 0; lane < lanes; ++lane) past.push_back(element(lane) - element(0));
    return past;
  }
  Value *a = nullptr, *b = nullptr;
  const llvm::APInt* factor = nullptr;
  if (depth == 0) return std::nullopt;
  auto times = [&](Value* of, int64_t number) {
    std::optional<Past> past = pastOf(of, lanes, extended, depth - 1);
    if (past)
      for (int64_t& bytes : *past)
        if (llvm::MulOverflow(bytes, number, bytes)) return std::optional<Past>();
    return past;
  };
  if (match(v, m_AddLike(m_Value(a), m_Value(b))) && isExact(*v, extended)) {
    std::optional<Past> past = pastOf(a, lanes, extended, depth - 1);
    const std::optional<Past> more = past ? pastOf(b, lanes, extended, depth - 1) : std::nullopt;
    if (!more) return std::nullopt;
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (llvm::AddOverflow((*past)[lane], (*more)[lane], (*past)[lane])) return std::nullopt;
    return past;
  }
  if (match(v, m_Mul(m_Value(a), m_APInt(factor))) && isExact(*v, extended)) {
    const std::optional<int64_t> number = factorOf(*factor, extended);
    return number ? times(a, *number) : std::nullopt;
  }
  if (match(v, m_Shl(m_Value(a), m_APInt(factor))) && isExact(*v, extended) && factor->ult(31))
    return times(a, int64_t{1} << factor->getZExtValue());
  if (match(v, m_ZExt(m_Value(a)))) return pastOf(a, lanes, Extended::Unsigned, depth - 1);
  if (match(v, m_SExt(m_Value(a))) && extended != Extended::Unsigned)
    return pastOf(a, lanes, Extended::Signed, depth - 1);
  return std::nullopt;
}

// Lane 0 of what pastOf() has understood.
Value* firstOf(llvm::IRBuilderBase& ir, Value* v) {
  if (Value* same = llvm::getSplatValue(v)) return same;
  if (auto* constants = llvm::dyn_cast<llvm::ConstantDataVector>(v))
    return constants->getElementAsConstant(0);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(v))
    return ir.CreateCast(cast->getOpcode(), firstOf(ir, cast->getOperand(0)),
                         cast->getType()->getScalarType());
  auto* operation = llvm::cast<llvm::BinaryOperator>(v);
  return ir.CreateBinOp(operation->getOpcode(), firstOf(ir, operation->getOperand(0)),
                        firstOf(ir, operation->getOperand(1)));
}

}  // namespace

std::optional<LaneOffsets> laneOffsetsOf(llvm::IRBuilderBase& ir, Value* pointers) {
  const llvm::DataLayout& layout = ir.GetInsertBlock()->getDataLayout();
  const auto lanes = llvm::cast<llvm::FixedVectorType>(pointers->getType())->getNumElements();
  LaneOffsets result{nullptr, Past(lanes, 0)};
  llvm::SmallVector<llvm::GEPOperator*, 4> steps;
  while (pointers->getType()->isVectorTy() && llvm::getSplatValue(pointers) == nullptr) {
    auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointers);
    if (step == nullptr || step->getNumIndices() != 1) return std::nullopt;
    const auto size = static_cast<int64_t>(layout.getTypeAllocSize(step->getSourceElementType()));
    Value* index = step->getOperand(1);
    // Narrower ones are extended.
    if (index->getType()->getScalarSizeInBits() != 64) return std::nullopt;
    if (index->getType()->isVectorTy()) {
      const std::optional<Past> past = pastOf(index, lanes, Extended::No, kMaxNesting);
      if (!past) return std::nullopt;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        int64_t bytes = 0;
        if (llvm::MulOverflow((*past)[lane], size, bytes) || bytes > kMostOffset ||
            bytes < -kMostOffset)
          return std::nullopt;
        result.past[lane] += bytes;
      }
    }
    steps.push_back(step);
    pointers = step->getPointerOperand();
  }
  Value* same = pointers->getType()->isVectorTy() ? llvm::getSplatValue(pointers) : pointers;
  for (llvm::GEPOperator* step : llvm::reverse(steps)) {
    Value* index = step->getOperand(1);
    same = ir.CreateGEP(step->getSourceElementType(), same,
                        index->getType()->isVectorTy() ? firstOf(ir, index) : index);
  }
  result.first = same;
  return result;
}

}  // namespace jit::simt
