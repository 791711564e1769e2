// SPDX-License-Identifier: Apache-2.0

#include "jit/emit/expected_lanes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <utility>

namespace jit::spirv {

namespace {

bool isZero(const llvm::Value* v) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v);
  return constant != nullptr && constant->isZero();
}

unsigned bitsOf(const ExpectedLanes& a) { return a.first->getType()->getIntegerBitWidth(); }

llvm::Value* frozen(llvm::IRBuilder<>& ir, llvm::Value* v) {
  return llvm::isa<llvm::ConstantInt>(v) ? v : ir.CreateFreeze(v);
}

// How far apart the first and the last lane are at least.
llvm::APInt reachOf(const ExpectedLanes& a) {
  llvm::APInt reach(64, 0);
  for (const llvm::Value* weight : a.weights)
    if (const auto* step = llvm::dyn_cast<llvm::ConstantInt>(weight))
      reach += step->getValue().sextOrTrunc(64).abs();
  return reach;
}

// Whether lanes are apart by a constant divisor or more, so that they never have one quotient.
bool reachesFurther(const ExpectedLanes& a, const llvm::Value* divisor) {
  const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(divisor);
  return limit != nullptr && reachOf(a).uge(limit->getValue().zextOrTrunc(64));
}

// Whether a mask is there to take low bits out of a number, as ~(n - 1) is, or to take them.
bool clearsLowBits(const llvm::Value* mask) {
  using namespace llvm::PatternMatch;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(mask))
    return !constant->getValue()[0];
  return match(mask, m_Not(m_Value())) || match(mask, m_Neg(m_Value()));
}

// Ranges are computed in twice as many bits, or more.
constexpr unsigned kMaxRangeBits = 64;

unsigned rangeBits(unsigned bits) { return bits <= 32 ? 64 : 128; }

llvm::ConstantInt* number(const llvm::Value* like, int64_t n) {
  return llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(like->getType()), n,
                                /*IsSigned=*/true);
}

}  // namespace

bool ExpectedLanes::moves() const {
  return !llvm::all_of(weights, [](const llvm::Value* w) { return isZero(w); });
}

llvm::Value* LaneRules::both(llvm::Value* a, llvm::Value* b) {
  if (a == nullptr || b == nullptr || a == b) return a == nullptr ? b : a;
  return ir_.CreateAnd(a, b);
}

llvm::Value* LaneRules::wide(llvm::Value* v, bool is_signed) {
  llvm::Type* type = ir_.getIntNTy(rangeBits(v->getType()->getIntegerBitWidth()));
  return is_signed ? ir_.CreateSExt(v, type) : ir_.CreateZExt(v, type);
}

ExpectedLanes LaneRules::uniform(llvm::Value* value, unsigned bits) const {
  ExpectedLanes result{.first = value};
  result.weights.assign(bits, llvm::Constant::getNullValue(value->getType()));
  return result;
}

std::optional<LaneRules::Range> LaneRules::range(const ExpectedLanes& a, bool is_signed) {
  const unsigned bits = bitsOf(a);
  if (bits > kMaxRangeBits || bits == 1) return std::nullopt;
  llvm::Value* least = wide(a.first, is_signed);
  llvm::Value* greatest = least;
  for (llvm::Value* weight : a.weights) {
    if (isZero(weight)) continue;
    // Steps are signed whatever the number is.
    llvm::Value* step = wide(weight, true);
    llvm::Value* zero = number(step, 0);
    llvm::Value* is_negative = ir_.CreateICmpSLT(step, zero);
    least = ir_.CreateAdd(least, ir_.CreateSelect(is_negative, step, zero));
    greatest = ir_.CreateAdd(greatest, ir_.CreateSelect(is_negative, zero, step));
  }
  llvm::Value* fits = nullptr;
  if (a.moves()) {
    const unsigned wide_bits = rangeBits(bits);
    const auto low = is_signed ? llvm::APInt::getSignedMinValue(bits).sext(wide_bits)
                               : llvm::APInt::getZero(wide_bits);
    const auto high = is_signed ? llvm::APInt::getSignedMaxValue(bits).zext(wide_bits)
                                : llvm::APInt::getMaxValue(bits).zext(wide_bits);
    fits = ir_.CreateAnd(ir_.CreateICmpSGE(least, ir_.getInt(low)),
                         ir_.CreateICmpSLE(greatest, ir_.getInt(high)));
  }
  return Range{least, greatest, fits};
}

LaneRules::Result LaneRules::add(const ExpectedLanes& a, const ExpectedLanes& b) {
  ExpectedLanes result{ir_.CreateAdd(a.first, b.first), {}, both(a.holds, b.holds)};
  for (size_t k = 0; k < a.weights.size(); ++k)
    result.weights.push_back(ir_.CreateAdd(a.weights[k], b.weights[k]));
  return result;
}

LaneRules::Result LaneRules::subtract(const ExpectedLanes& a, const ExpectedLanes& b) {
  ExpectedLanes result{ir_.CreateSub(a.first, b.first), {}, both(a.holds, b.holds)};
  for (size_t k = 0; k < a.weights.size(); ++k)
    result.weights.push_back(ir_.CreateSub(a.weights[k], b.weights[k]));
  return result;
}

LaneRules::Result LaneRules::subtractFrom(int64_t constant, const ExpectedLanes& a) {
  llvm::Value* from = llvm::ConstantInt::getSigned(a.first->getType(), constant);
  return subtract(uniform(from, static_cast<unsigned>(a.weights.size())), a);
}

LaneRules::Result LaneRules::multiply(const ExpectedLanes& a, const ExpectedLanes& b) {
  if (a.moves() && b.moves()) return std::nullopt;
  const ExpectedLanes &moving = a.moves() ? a : b, &factor = a.moves() ? b : a;
  ExpectedLanes result{ir_.CreateMul(a.first, b.first), {}, both(a.holds, b.holds)};
  for (llvm::Value* weight : moving.weights)
    result.weights.push_back(isZero(weight) ? weight : ir_.CreateMul(weight, factor.first));
  return result;
}

LaneRules::Result LaneRules::extremum(const ExpectedLanes& a, const ExpectedLanes& b, bool greatest,
                                      bool is_signed) {
  if (a.moves() && b.moves()) return std::nullopt;
  const ExpectedLanes &moving = a.moves() ? a : b, &limit = a.moves() ? b : a;
  const auto lanes = range(moving, is_signed);
  if (!lanes) return std::nullopt;
  llvm::Value* bound = wide(limit.first, is_signed);
  llvm::Value* holds = both(both(a.holds, b.holds), lanes->fits);
  const Predicate before = greatest
                               ? (is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT)
                               : (is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT);
  llvm::Value* first = ir_.CreateSelect(ir_.CreateICmp(before, a.first, b.first), a.first, b.first);
  ExpectedLanes result{first, moving.weights, holds};
  if (moving.moves())
    result.holds = both(holds, greatest ? ir_.CreateICmpSGE(lanes->least, bound)
                                        : ir_.CreateICmpSLE(lanes->greatest, bound));
  return result;
}

LaneRules::Result LaneRules::absolute(const ExpectedLanes& a) {
  const auto lanes = range(a, true);
  if (!lanes) return std::nullopt;
  ExpectedLanes result = a;
  result.holds =
      both(both(a.holds, lanes->fits), ir_.CreateICmpSGE(lanes->least, number(lanes->least, 0)));
  return result;
}

// Quotient and remainder of lane 0, in half as many bits as ranges have; `holds`: no lane has
// another quotient.
std::optional<std::pair<llvm::Value*, llvm::Value*>> LaneRules::divided(const ExpectedLanes& a,
                                                                        const ExpectedLanes& by,
                                                                        bool is_signed,
                                                                        llvm::Value*& holds) {
  if (by.moves() || reachesFurther(a, by.first)) return std::nullopt;
  const auto lanes = range(a, is_signed);
  if (!lanes) return std::nullopt;
  llvm::Value* first = frozen(ir_, wide(a.first, is_signed));
  llvm::Value* divisor = frozen(ir_, wide(by.first, is_signed));
  llvm::Value* zero = number(divisor, 0);
  llvm::Value* is_positive = ir_.CreateICmpSGT(divisor, zero);
  llvm::Value* safe = ir_.CreateSelect(is_positive, divisor, number(divisor, 1));
  // Operands that are not negative divide alike with and without a sign, in half as many bits.
  llvm::Type* half = ir_.getIntNTy(first->getType()->getIntegerBitWidth() / 2);
  llvm::Value* half_first = ir_.CreateTrunc(first, half);
  llvm::Value* half_divisor = ir_.CreateTrunc(safe, half);
  llvm::Value* half_quotient = ir_.CreateUDiv(half_first, half_divisor);
  llvm::Value* half_rest = ir_.CreateSub(half_first, ir_.CreateMul(half_quotient, half_divisor));
  llvm::Value* rest = ir_.CreateZExt(half_rest, first->getType());
  llvm::Value* below = ir_.CreateSub(lanes->least, first);
  llvm::Value* above = ir_.CreateSub(lanes->greatest, first);
  holds = both(both(a.holds, by.holds), both(lanes->fits, is_positive));
  holds = both(holds, ir_.CreateICmpSGE(lanes->least, number(lanes->least, 0)));
  holds = both(holds, ir_.CreateICmpSGE(first, zero));
  holds = both(holds, ir_.CreateICmpSGE(ir_.CreateAdd(rest, below), zero));
  holds = both(holds, ir_.CreateICmpSLT(ir_.CreateAdd(rest, above), safe));
  return std::pair(half_quotient, half_rest);
}

// Lanes in runs, of which each has a quotient of its own by 2^n: weights that are multiples of it
// pass, and what is less never carries, which is what there is to test.
std::optional<LaneRules::Runs> LaneRules::inRuns(const ExpectedLanes& a, unsigned n,
                                                 bool is_signed) {
  if (n == 0 || n >= std::min(bitsOf(a), 63u) || bitsOf(a) > kMaxRangeBits) return std::nullopt;
  const int64_t divisor = int64_t{1} << n;
  Runs runs;
  int64_t low = 0;
  for (llvm::Value* weight : a.weights) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(weight);
    if (constant == nullptr || constant->getSExtValue() < 0) return std::nullopt;
    const int64_t step = constant->getSExtValue();
    const bool passes = step % divisor == 0;
    if (!passes) low += step;
    if (low >= divisor) return std::nullopt;
    runs.quotients.push_back(number(weight, passes ? step / divisor : 0));
    runs.rests.push_back(number(weight, passes ? 0 : step));
  }
  const auto lanes = range(a, is_signed);
  if (!lanes) return std::nullopt;
  llvm::Value* rest = ir_.CreateAnd(lanes->least, number(lanes->least, divisor - 1));
  runs.holds = both(a.holds, lanes->fits);
  runs.holds = both(runs.holds, ir_.CreateICmpSGE(lanes->least, number(lanes->least, 0)));
  runs.holds = both(runs.holds, ir_.CreateICmpSLT(rest, number(rest, divisor - low)));
  return runs;
}

// Of a constant divisor, where lanes reach further than it.
static std::optional<unsigned> runBits(const ExpectedLanes& a, const llvm::Value* divisor) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
  if (constant == nullptr || !constant->getValue().isPowerOf2() || constant->isNegative() ||
      !reachesFurther(a, divisor))
    return std::nullopt;
  return constant->getValue().logBase2();
}

LaneRules::Result LaneRules::quotient(const ExpectedLanes& a, const ExpectedLanes& by,
                                      bool is_signed) {
  if (const auto n = runBits(a, by.first); n && !by.moves()) {
    const auto runs = inRuns(a, *n, is_signed);
    if (!runs) return std::nullopt;
    return ExpectedLanes{ir_.CreateLShr(a.first, *n), runs->quotients, both(runs->holds, by.holds)};
  }
  llvm::Value* holds = nullptr;
  const auto parts = divided(a, by, is_signed, holds);
  if (!parts) return std::nullopt;
  ExpectedLanes result = uniform(ir_.CreateTrunc(parts->first, a.first->getType()),
                                 static_cast<unsigned>(a.weights.size()));
  result.holds = holds;
  return result;
}

LaneRules::Result LaneRules::remainder(const ExpectedLanes& a, const ExpectedLanes& by,
                                       bool is_signed) {
  if (const auto n = runBits(a, by.first); n && !by.moves()) {
    const auto runs = inRuns(a, *n, is_signed);
    if (!runs) return std::nullopt;
    llvm::Value* mask = ir_.CreateSub(by.first, llvm::ConstantInt::get(by.first->getType(), 1));
    return ExpectedLanes{ir_.CreateAnd(a.first, mask), runs->rests, both(runs->holds, by.holds)};
  }
  llvm::Value* holds = nullptr;
  const auto parts = divided(a, by, is_signed, holds);
  if (!parts) return std::nullopt;
  return ExpectedLanes{ir_.CreateTrunc(parts->second, a.first->getType()), a.weights, holds};
}

LaneRules::Result LaneRules::bitwise(Bitwise operation, const ExpectedLanes& a,
                                     const ExpectedLanes& b) {
  if (a.moves() && b.moves()) return std::nullopt;
  const ExpectedLanes &moving = a.moves() ? a : b, &fixed = a.moves() ? b : a;
  llvm::Value* first = operation == Bitwise::And  ? ir_.CreateAnd(a.first, b.first)
                       : operation == Bitwise::Or ? ir_.CreateOr(a.first, b.first)
                                                  : ir_.CreateXor(a.first, b.first);
  ExpectedLanes result{first, moving.weights, both(a.holds, b.holds)};
  if (!moving.moves()) return result;
  const auto lanes = range(moving, /*is_signed=*/false);
  if (!lanes) return std::nullopt;
  const bool keeps = operation == Bitwise::And && !clearsLowBits(fixed.first);
  if (operation == Bitwise::And && !keeps)
    result.weights = uniform(first, static_cast<unsigned>(moving.weights.size())).weights;
  // Low bits of lanes in runs.
  if (const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(fixed.first);
      operation == Bitwise::And && mask != nullptr && mask->getValue().isMask() &&
      !mask->isMinusOne() && reachOf(moving).ugt(mask->getZExtValue())) {
    const auto runs = inRuns(moving, mask->getValue().countr_one(), /*is_signed=*/false);
    if (!runs) return std::nullopt;
    return ExpectedLanes{first, runs->rests, both(result.holds, runs->holds)};
  }
  // Lanes that are so far apart differ in these bits at least.
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(fixed.first)) {
    const uint64_t reach = reachOf(moving).getLimitedValue();
    const uint64_t sure = reach == 0 ? 0 : ~uint64_t{0} >> llvm::countl_zero(reach);
    if ((constant->getZExtValue() & sure) != (keeps ? sure : 0)) return std::nullopt;
  }
  // Lanes differ below the first bit that must be the same in all.
  llvm::Value* other = wide(fixed.first, false);
  if (keeps) other = ir_.CreateNot(other);
  llvm::Value* below = ir_.CreateSub(ir_.CreateAnd(other, ir_.CreateNeg(other)), number(other, 1));
  llvm::Value* differ = ir_.CreateXor(lanes->least, lanes->greatest);
  result.holds = both(both(result.holds, lanes->fits), ir_.CreateICmpULE(differ, below));
  return result;
}

LaneRules::Result LaneRules::shiftRight(const ExpectedLanes& a, const ExpectedLanes& amount,
                                        bool is_signed) {
  const auto lanes = range(a, is_signed);
  if (amount.moves() || !lanes) return std::nullopt;
  const unsigned bits = bitsOf(a);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount.first)) {
    const auto n = static_cast<unsigned>(constant->getLimitedValue(bits));
    if (reachOf(a).uge(uint64_t{1} << n)) {
      const auto runs = inRuns(a, n, is_signed);
      if (!runs) return std::nullopt;
      return ExpectedLanes{ir_.CreateLShr(a.first, n), runs->quotients,
                           both(runs->holds, amount.holds)};
    }
  }
  llvm::Value* by = frozen(ir_, wide(amount.first, false));
  llvm::Value* fits = both(lanes->fits, ir_.CreateICmpULT(by, number(by, bits)));
  by = ir_.CreateZExtOrTrunc(by, lanes->least->getType());
  by = ir_.CreateAnd(by, number(by, rangeBits(bits) - 1));
  auto shifted = [&](llvm::Value* v) {
    return is_signed ? ir_.CreateAShr(v, by) : ir_.CreateLShr(v, by);
  };
  llvm::Value* least = shifted(lanes->least);
  ExpectedLanes result =
      uniform(ir_.CreateTrunc(shifted(wide(a.first, is_signed)), a.first->getType()),
              static_cast<unsigned>(a.weights.size()));
  result.holds = both(both(both(a.holds, amount.holds), fits),
                      ir_.CreateICmpEQ(least, shifted(lanes->greatest)));
  return result;
}

LaneRules::Result LaneRules::shiftLeft(const ExpectedLanes& a, const ExpectedLanes& amount) {
  if (amount.moves()) return std::nullopt;
  llvm::Type* type = a.first->getType();
  const unsigned bits = bitsOf(a);
  llvm::Value* by = frozen(ir_, amount.first);
  llvm::Value* fits = ir_.CreateICmpULT(by, number(by, bits));
  by = ir_.CreateSelect(fits, by, number(by, 0));
  by = ir_.CreateZExtOrTrunc(by, type);
  ExpectedLanes factor = uniform(ir_.CreateShl(llvm::ConstantInt::get(type, 1), by),
                                 static_cast<unsigned>(a.weights.size()));
  factor.holds = both(amount.holds, fits);
  return multiply(a, factor);
}

}  // namespace jit::spirv
