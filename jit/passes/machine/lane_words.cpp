// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/lane_words.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace jit {
namespace {

using llvm::FixedVectorType;
using llvm::Value;
using namespace llvm::PatternMatch;

constexpr unsigned kWord = 32;          // bits
constexpr unsigned kMaxBitsDepth = 10;  // of what moves bits, which is looked through
constexpr unsigned kMaxDepth = 6;       // of what computes with words

unsigned lanesIn(const Value* vector) {
  return llvm::cast<FixedVectorType>(vector->getType())->getNumElements();
}

Value* withoutBitcasts(Value* value) {
  while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

// Each lane's bits `first` to `first` + `count` of its `of` bits of `base`, at bit `place`; the
// others are zero.
struct LaneBits {
  LaneBase base;
  unsigned of;
  unsigned first;
  unsigned count;
  unsigned place;

  // Those at places below `end`, from `begin` on.
  std::optional<LaneBits> within(unsigned begin, unsigned end) const {
    const unsigned low = std::max(begin, place), high = std::min(end, place + count);
    if (low >= high) return std::nullopt;
    return LaneBits{base, of, first + (low - place), high - low, low};
  }
};

// Two ranges that lie beside each other in `base` and in the lane.
std::optional<LaneBits> joined(const LaneBits& low, const LaneBits& high) {
  if (low.base != high.base || low.of != high.of || low.place + low.count != high.place ||
      low.first + low.count != high.first)
    return std::nullopt;
  return LaneBits{low.base, low.of, low.first, low.count + high.count, low.place};
}

std::optional<LaneBits> bitsOf(Value* value, unsigned depth);

std::optional<LaneBits> shifted(std::optional<LaneBits> bits, int64_t to_higher, unsigned width) {
  if (!bits) return std::nullopt;
  const int64_t place = bits->place + to_higher;
  if (place < 0) {
    bits = bits->within(static_cast<unsigned>(-to_higher), width);
    if (!bits) return std::nullopt;
  }
  bits->place = static_cast<unsigned>(bits->place + to_higher);
  return bits->within(0, width);
}

// Every `count`-th element of a vector with `count` times as many, or of two halves of it.
std::optional<LaneBits> bitsOfShuffle(const llvm::ShuffleVectorInst& shuffle, unsigned width) {
  const bool is_whole = llvm::isa<llvm::UndefValue>(shuffle.getOperand(1));
  const unsigned lanes = lanesIn(&shuffle);
  const unsigned all = lanesIn(shuffle.getOperand(0)) * (is_whole ? 1 : 2);
  if (all <= lanes || all % lanes != 0) return std::nullopt;
  const unsigned count = all / lanes;
  const int first = shuffle.getMaskValue(0);
  if (first < 0 || first >= static_cast<int>(count)) return std::nullopt;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (shuffle.getMaskValue(lane) != static_cast<int>(count * lane) + first) return std::nullopt;
  const LaneBase base = {is_whole ? withoutBitcasts(shuffle.getOperand(0)) : shuffle.getOperand(0),
                         is_whole ? nullptr : shuffle.getOperand(1)};
  return LaneBits{base, count * width, static_cast<unsigned>(first) * width, width, 0};
}

std::optional<LaneBits> bitsOf(Value* value, unsigned depth) {
  auto* type = llvm::dyn_cast<FixedVectorType>(value->getType());
  if (type == nullptr || !type->getElementType()->isIntegerTy() || depth == 0) return std::nullopt;
  const unsigned width = type->getScalarSizeInBits();
  const llvm::APInt* constant = nullptr;
  Value *x = nullptr, *y = nullptr;
  if (match(value, m_Trunc(m_Value(x))) || match(value, m_ZExt(m_Value(x)))) {
    std::optional<LaneBits> bits = bitsOf(x, depth - 1);
    return bits ? bits->within(0, width) : std::nullopt;
  }
  if (match(value, m_LShr(m_Value(x), m_APInt(constant))) && constant->ult(width))
    return shifted(bitsOf(x, depth - 1), -static_cast<int64_t>(constant->getZExtValue()), width);
  if (match(value, m_Shl(m_Value(x), m_APInt(constant))) && constant->ult(width))
    return shifted(bitsOf(x, depth - 1), static_cast<int64_t>(constant->getZExtValue()), width);
  unsigned begin = 0, count = 0;
  if (match(value, m_And(m_Value(x), m_APInt(constant))) && constant->isShiftedMask(begin, count)) {
    std::optional<LaneBits> bits = bitsOf(x, depth - 1);
    return bits ? bits->within(begin, begin + count) : std::nullopt;
  }
  if (match(value, m_Or(m_Value(x), m_Value(y)))) {
    const std::optional<LaneBits> a = bitsOf(x, depth - 1);
    const std::optional<LaneBits> b = a ? bitsOf(y, depth - 1) : std::nullopt;
    if (!b) return std::nullopt;
    return a->place < b->place ? joined(*a, *b) : joined(*b, *a);
  }
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value))
    if (std::optional<LaneBits> bits = bitsOfShuffle(*shuffle, width)) return bits;
  if (width <= kWord) return std::nullopt;
  return LaneBits{{withoutBitcasts(value), nullptr}, width, 0, width, 0};
}

bool isOfElements(const llvm::BinaryOperator& operation) {
  switch (operation.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      return true;
    default:
      return false;
  }
}

// The operation that all values are, if it is one on elements; else null.
llvm::BinaryOperator* commonOperation(llvm::ArrayRef<Value*> values) {
  auto* first = llvm::dyn_cast<llvm::BinaryOperator>(values[0]);
  if (first == nullptr || !isOfElements(*first)) return nullptr;
  const bool alike = llvm::all_of(values, [&](Value* value) {
    auto* other = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return other != nullptr && other->getOpcode() == first->getOpcode();
  });
  return alike ? first : nullptr;
}

llvm::SmallVector<Value*, 4> operandsOf(llvm::ArrayRef<Value*> values, unsigned operand) {
  llvm::SmallVector<Value*, 4> operands;
  for (Value* value : values)
    operands.push_back(llvm::cast<llvm::BinaryOperator>(value)->getOperand(operand));
  return operands;
}

// The base of which value k is word k, if there is one.
std::optional<LaneBase> commonBase(llvm::ArrayRef<Value*> values) {
  std::optional<LaneBase> base;
  for (auto [k, value] : llvm::enumerate(values)) {
    const std::optional<LaneWord> word = laneWordOf(value);
    if (!word || word->count != values.size() || word->index != k) return std::nullopt;
    if (base && word->base != *base) return std::nullopt;
    base = word->base;
  }
  return base;
}

// The constant that all values are, if there is one: a number for each lane.
llvm::Constant* commonConstant(llvm::ArrayRef<Value*> values) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(values[0]);
  return llvm::all_equal(values) ? constant : nullptr;
}

// What values that are phis of one block are, coming from `edge`.
llvm::SmallVector<Value*, 4> incoming(llvm::ArrayRef<Value*> values, unsigned edge) {
  const auto* first = llvm::cast<llvm::PHINode>(values[0]);
  llvm::SmallVector<Value*, 4> result;
  for (Value* value : values)
    result.push_back(
        llvm::cast<llvm::PHINode>(value)->getIncomingValueForBlock(first->getIncomingBlock(edge)));
  return result;
}

// Whether value k is word k of the base that one path has, or another one: each has loaded its own.
bool areMerged(llvm::ArrayRef<Value*> values) {
  const auto* first = llvm::dyn_cast<llvm::PHINode>(values[0]);
  if (first == nullptr || !llvm::all_of(values, [&](Value* value) {
        auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
        return phi != nullptr && phi->getParent() == first->getParent();
      }))
    return false;
  for (unsigned edge = 0; edge < first->getNumIncomingValues(); ++edge)
    if (!commonBase(incoming(values, edge))) return false;
  return true;
}

bool areOfAllWords(llvm::ArrayRef<Value*> values, unsigned depth) {
  if (commonBase(values) || commonConstant(values) != nullptr || areMerged(values)) return true;
  return depth > 0 && commonOperation(values) != nullptr &&
         areOfAllWords(operandsOf(values, 0), depth - 1) &&
         areOfAllWords(operandsOf(values, 1), depth - 1);
}

}  // namespace

std::optional<LaneWord> laneWordOf(Value* value) {
  if (value->getType()->getScalarSizeInBits() != kWord) return std::nullopt;
  const std::optional<LaneBits> bits = bitsOf(value, kMaxBitsDepth);
  if (!bits || bits->count != kWord || bits->first % kWord != 0 || bits->of % kWord != 0)
    return std::nullopt;
  const unsigned count = bits->of / kWord;
  if (count < 2 || !llvm::isPowerOf2_32(count)) return std::nullopt;
  return LaneWord{bits->base, count, bits->first / kWord};
}

std::optional<LaneWord> firstLaneWordOf(Value* value) {
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    if (std::optional<LaneWord> word = laneWordOf(value)) return word;
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (operation == nullptr || !isOfElements(*operation)) return std::nullopt;
    value = operation->getOperand(llvm::isa<llvm::Constant>(operation->getOperand(0)) ? 1 : 0);
  }
  return std::nullopt;
}

bool areOfAllWords(llvm::ArrayRef<Value*> values) { return areOfAllWords(values, kMaxDepth); }

Value* emitOnAllWords(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> values) {
  const auto elements = static_cast<unsigned>(values.size()) * lanesIn(values[0]);
  auto* type = FixedVectorType::get(builder.getInt32Ty(), elements);
  if (std::optional<LaneBase> base = commonBase(values)) {
    Value* whole = base->second == nullptr
                       ? base->first
                       : llvm::concatenateVectors(builder, {base->first, base->second});
    return builder.CreateBitCast(whole, type);
  }
  if (areMerged(values)) {
    auto* first = llvm::cast<llvm::PHINode>(values[0]);
    const unsigned edges = first->getNumIncomingValues();
    auto* merged = llvm::PHINode::Create(type, edges, "", first->getIterator());
    for (unsigned edge = 0; edge < edges; ++edge) {
      llvm::BasicBlock* from = first->getIncomingBlock(edge);
      const int known = merged->getBasicBlockIndex(from);  // of two edges, the value is one
      llvm::IRBuilder<> at_end(from->getTerminator());
      merged->addIncoming(known < 0 ? emitOnAllWords(at_end, incoming(values, edge))
                                    : merged->getIncomingValue(static_cast<unsigned>(known)),
                          from);
    }
    return merged;
  }
  if (llvm::Constant* constant = commonConstant(values)) {
    const auto words = static_cast<int>(values.size()), lanes = static_cast<int>(lanesIn(constant));
    return builder.CreateShuffleVector(constant, llvm::createReplicatedMask(words, lanes));
  }
  const llvm::BinaryOperator* operation = commonOperation(values);
  Value* a = emitOnAllWords(builder, operandsOf(values, 0));
  Value* b = emitOnAllWords(builder, operandsOf(values, 1));
  return builder.CreateBinOp(operation->getOpcode(), a, b);
}

}  // namespace jit
