// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/lane_offsets.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/passes/access/extension.h"
#include "jit/passes/access/lane_element.h"
#include "jit/simt/lane_windows.h"

namespace jit::simt {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;
using Past = llvm::SmallVector<int64_t, 64>;

constexpr unsigned kMaxNesting = 12;

// What each lane has past the first one, as numbers of the elements' width, signed.
class Constants {
 public:
  explicit Constants(unsigned lanes) : lanes_(lanes) {}

  // Nothing where that is no constant.
  std::optional<Past> pastOf(Value* v, Extended extended = Extended::No) {
    if (llvm::getSplatValue(v) != nullptr) return Past(lanes_, 0);
    const std::pair key(v, extended);
    auto [known, is_new] = known_.try_emplace(key, std::nullopt);
    if (!is_new) return known->second;
    std::optional<Past> past;
    if (++depth_ <= kMaxNesting) past = find(v, extended);
    --depth_;
    return known_[key] = std::move(past);
  }

 private:
  std::optional<Past> find(Value* v, Extended extended) {
    if (auto* constants = llvm::dyn_cast<llvm::ConstantDataVector>(v))
      return ofConstants(*constants, extended);
    Value *a = nullptr, *b = nullptr;
    const llvm::APInt* factor = nullptr;
    if (match(v, m_AddLike(m_Value(a), m_Value(b))) && isExact(*v, extended))
      return sum(pastOf(a, extended), pastOf(b, extended));
    if (match(v, m_Mul(m_Value(a), m_APInt(factor))) && isExact(*v, extended)) {
      const std::optional<int64_t> number = factorOf(*factor, extended);
      return number ? product(pastOf(a, extended), *number) : std::nullopt;
    }
    if (match(v, m_Shl(m_Value(a), m_APInt(factor))) && isExact(*v, extended) && factor->ult(31))
      return product(pastOf(a, extended), int64_t{1} << factor->getZExtValue());
    if (match(v, m_ZExt(m_Value(a)))) return pastOf(a, Extended::Unsigned);
    if (match(v, m_SExt(m_Value(a))) && extended != Extended::Unsigned)
      return pastOf(a, Extended::Signed);
    return std::nullopt;
  }

  std::optional<Past> ofConstants(const llvm::ConstantDataVector& constants,
                                  Extended extended) const {
    if (!constants.getElementType()->isIntegerTy()) return std::nullopt;
    auto element = [&](unsigned lane) {
      const llvm::APInt number = constants.getElementAsAPInt(lane);
      return extended == Extended::Unsigned ? static_cast<int64_t>(number.getZExtValue())
                                            : number.getSExtValue();
    };
    Past past;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      int64_t difference = 0;
      if (llvm::SubOverflow(element(lane), element(0), difference)) return std::nullopt;
      past.push_back(difference);
    }
    return past;
  }

  static std::optional<Past> sum(std::optional<Past> past, const std::optional<Past>& more) {
    if (!past || !more) return std::nullopt;
    for (size_t lane = 0; lane < past->size(); ++lane)
      if (llvm::AddOverflow((*past)[lane], (*more)[lane], (*past)[lane])) return std::nullopt;
    return past;
  }

  static std::optional<Past> product(std::optional<Past> past, int64_t factor) {
    if (!past) return std::nullopt;
    for (int64_t& bytes : *past)
      if (llvm::MulOverflow(bytes, factor, bytes)) return std::nullopt;
    return past;
  }

  const unsigned lanes_;
  llvm::DenseMap<std::pair<Value*, Extended>, std::optional<Past>> known_;
  unsigned depth_ = 0;
};

}  // namespace

std::optional<LaneOffsets> laneOffsetsOf(llvm::IRBuilderBase& ir, Value* pointers) {
  const llvm::DataLayout& layout = ir.GetInsertBlock()->getDataLayout();
  const auto lanes = llvm::cast<llvm::FixedVectorType>(pointers->getType())->getNumElements();
  LaneOffsets result{nullptr, Past(lanes, 0)};
  Constants constants(lanes);
  Value* at = pointers;
  while (at->getType()->isVectorTy() && llvm::getSplatValue(at) == nullptr) {
    auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(at);
    if (step == nullptr || step->getNumIndices() != 1) return std::nullopt;
    const auto size = static_cast<int64_t>(layout.getTypeAllocSize(step->getSourceElementType()));
    Value* index = step->getOperand(1);
    // Narrower ones are extended.
    if (index->getType()->getScalarSizeInBits() != 64) return std::nullopt;
    if (index->getType()->isVectorTy()) {
      const std::optional<Past> past = constants.pastOf(index);
      if (!past) return std::nullopt;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        int64_t bytes = 0;
        if (llvm::MulOverflow((*past)[lane], size, bytes) || bytes > kMostOffset ||
            bytes < -kMostOffset)
          return std::nullopt;
        result.past[lane] += bytes;
      }
    }
    at = step->getPointerOperand();
  }
  result.first = LaneElement(ir, 0).of(pointers);
  return result;
}

}  // namespace jit::simt
