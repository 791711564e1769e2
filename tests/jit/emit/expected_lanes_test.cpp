// SPDX-License-Identifier: Apache-2.0

// What the rules of expected_lanes.h make of constants, which fold, against every lane's own
// results: where the condition holds, all lanes have what lane 0's value and the weights say.
#include "jit/emit/expected_lanes.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <random>

namespace jit::spirv {
namespace {

constexpr unsigned kLaneBits = 3, kLanes = 1 << kLaneBits;
constexpr int kTrials = 40'000;  // for each rule

unsigned width = 0;  // of numbers, in bits: of the running test
uint64_t mask() { return ~uint64_t{0} >> (64 - width); }

int64_t asSigned(uint64_t v) { return static_cast<int64_t>(v << (64 - width)) >> (64 - width); }

using Lanes = std::array<uint64_t, kLanes>;
using Rule = std::function<LaneRules::Result(LaneRules&, llvm::ArrayRef<ExpectedLanes>)>;
// Of one lane; nothing where the operation has no result.
using Model = std::function<std::optional<uint64_t>(llvm::ArrayRef<uint64_t>)>;

uint64_t constant(const llvm::Value* v) { return llvm::cast<llvm::ConstantInt>(v)->getZExtValue(); }

Lanes lanesOf(const ExpectedLanes& a, uint64_t mask) {
  Lanes lanes{};
  for (unsigned l = 0; l < kLanes; ++l) {
    lanes[l] = constant(a.first);
    for (unsigned b = 0; b < kLaneBits; ++b)
      if ((l >> b & 1) != 0) lanes[l] += constant(a.weights[b]);
    lanes[l] &= mask;
  }
  return lanes;
}

class ExpectedLanesTest : public testing::TestWithParam<unsigned> {
 protected:
  ExpectedLanesTest() : module_("test", context_), ir_(context_) {
    width = GetParam();
    auto* function = llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), false),
                                            llvm::Function::InternalLinkage, "f", module_);
    ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function));
  }

  // Small numbers, and those near to where wider ones wrap around.
  uint64_t some() {
    const uint64_t around = random_() % 4 == 0 ? uint64_t{random_() % 4} << (width - 2) : 0;
    return (around + random_() % 128 - (around == 0 ? 0 : 64)) & mask();
  }

  // Numbers that go on in even steps as indices do, uniform ones, and any.
  ExpectedLanes number() {
    llvm::Type* type = ir_.getIntNTy(width);
    ExpectedLanes a{llvm::ConstantInt::get(type, some()), {}, nullptr};
    const unsigned kind = random_() % 4;
    const uint64_t step = random_() % 4;
    for (unsigned b = 0; b < kLaneBits; ++b) {
      const uint64_t weight = kind == 0 ? 0 : kind == 1 ? some() : step << b;
      a.weights.push_back(llvm::ConstantInt::get(type, (kind == 3 ? 0 - weight : weight) & mask()));
    }
    return a;
  }

  // How often a rule's condition held, of results that are numbers of `mask`.
  int check(size_t operands, const Rule& rule, const Model& model,
            std::optional<uint64_t> result_mask = std::nullopt) {
    const uint64_t kept = result_mask.value_or(mask());
    int held = 0;
    for (int trial = 0; trial < kTrials && !testing::Test::HasFailure(); ++trial) {
      llvm::SmallVector<ExpectedLanes, 3> x;
      for (size_t k = 0; k < operands; ++k) x.push_back(number());
      LaneRules rules(ir_);
      const LaneRules::Result result = rule(rules, x);
      if (!result || (result->holds != nullptr && constant(result->holds) == 0)) continue;
      ++held;
      const Lanes got = lanesOf(*result, kept);
      for (unsigned l = 0; l < kLanes; ++l) {
        llvm::SmallVector<uint64_t, 3> values;
        for (const ExpectedLanes& operand : x) values.push_back(lanesOf(operand, mask())[l]);
        const std::optional<uint64_t> expected = model(values);
        EXPECT_TRUE(expected && got[l] == (*expected & kept))
            << "lane " << l << " of trial " << trial << " has " << got[l] << " from "
            << testing::PrintToString(std::vector<uint64_t>(values.begin(), values.end()));
      }
    }
    return held;
  }

  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::IRBuilder<> ir_;
  std::mt19937 random_{1};
};

TEST_P(ExpectedLanesTest, Sums) {
  EXPECT_EQ(check(
                2, [](LaneRules& r, auto x) { return r.add(x[0], x[1]); },
                [](auto v) { return v[0] + v[1]; }),
            kTrials);
  EXPECT_EQ(check(
                2, [](LaneRules& r, auto x) { return r.subtract(x[0], x[1]); },
                [](auto v) { return v[0] - v[1]; }),
            kTrials);
  for (int64_t constant : {0, -1})
    EXPECT_EQ(check(
                  1, [=](LaneRules& r, auto x) { return r.subtractFrom(constant, x[0]); },
                  [=](auto v) { return static_cast<uint64_t>(constant) - v[0]; }),
              kTrials);
  EXPECT_GT(check(
                2, [](LaneRules& r, auto x) { return r.multiply(x[0], x[1]); },
                [](auto v) { return v[0] * v[1]; }),
            kTrials / 4);
}

TEST_P(ExpectedLanesTest, Extremes) {
  for (bool greatest : {false, true})
    for (bool is_signed : {false, true})
      EXPECT_GT(
          check(
              2, [&](LaneRules& r, auto x) { return r.extremum(x[0], x[1], greatest, is_signed); },
              [&](auto v) {
                const bool less = is_signed ? asSigned(v[0]) < asSigned(v[1]) : v[0] < v[1];
                return less == greatest ? v[1] : v[0];
              }),
          kTrials / 20);
  EXPECT_GT(check(
                1, [](LaneRules& r, auto x) { return r.absolute(x[0]); },
                [](auto v) { return asSigned(v[0]) < 0 ? 0 - v[0] : v[0]; }),
            kTrials / 10);
}

TEST_P(ExpectedLanesTest, QuotientsAndRemainders) {
  for (bool is_signed : {false, true}) {
    auto divide = [&](auto v, bool quotient) -> std::optional<uint64_t> {
      if (v[1] == 0) return std::nullopt;
      if (!is_signed) return quotient ? v[0] / v[1] : v[0] % v[1];
      const int64_t a = asSigned(v[0]), b = asSigned(v[1]);
      if (b == -1) return quotient ? 0 - v[0] : 0;  // the least number has no quotient of its own
      return static_cast<uint64_t>(quotient ? a / b : a % b);
    };
    EXPECT_GT(check(
                  2, [&](LaneRules& r, auto x) { return r.quotient(x[0], x[1], is_signed); },
                  [&](auto v) { return divide(v, true); }),
              kTrials / 50);
    EXPECT_GT(check(
                  2, [&](LaneRules& r, auto x) { return r.remainder(x[0], x[1], is_signed); },
                  [&](auto v) { return divide(v, false); }),
              kTrials / 50);
  }
}

// Four lanes have one quotient by 4 where lane 0's number is a multiple of it.
TEST_P(ExpectedLanesTest, RunsOfLanes) {
  llvm::Type* type = ir_.getIntNTy(width);
  const auto number = [&](uint64_t v) { return llvm::ConstantInt::get(type, v); };
  LaneRules rules(ir_);
  for (uint64_t first : {20, 21, 100, 124}) {
    for (bool is_signed : {false, true}) {
      const ExpectedLanes a{number(first), {number(1), number(2), number(4)}, nullptr};
      const bool fits = first % 4 == 0 && first + 7 <= mask() >> (is_signed ? 1 : 0);
      const auto quotient = rules.quotient(a, rules.uniform(number(4), kLaneBits), is_signed);
      const auto rest = rules.remainder(a, rules.uniform(number(4), kLaneBits), is_signed);
      ASSERT_TRUE(quotient && rest);
      EXPECT_EQ(constant(quotient->holds) != 0, fits) << first;
      EXPECT_EQ(constant(rest->holds) != 0, fits) << first;
      EXPECT_EQ(constant(quotient->weights[2]), 1u);
      EXPECT_EQ(constant(rest->weights[1]), 2u);
    }
  }
}

TEST_P(ExpectedLanesTest, Bits) {
  using Bitwise = LaneRules::Bitwise;
  const std::pair<Bitwise, uint64_t (*)(uint64_t, uint64_t)> operations[] = {
      {Bitwise::And, [](uint64_t a, uint64_t b) { return a & b; }},
      {Bitwise::Or, [](uint64_t a, uint64_t b) { return a | b; }},
      {Bitwise::Xor, [](uint64_t a, uint64_t b) { return a ^ b; }},
  };
  for (const auto& [operation, apply] : operations)
    EXPECT_GT(check(
                  2,
                  [operation = operation](LaneRules& r, auto x) {
                    return r.bitwise(operation, x[0], x[1]);
                  },
                  [apply = apply](auto v) { return apply(v[0], v[1]); }),
              kTrials / 20);
  for (bool is_signed : {false, true})
    EXPECT_GT(check(
                  2, [&](LaneRules& r, auto x) { return r.shiftRight(x[0], x[1], is_signed); },
                  [&](auto v) -> std::optional<uint64_t> {
                    if (v[1] >= width) return std::nullopt;
                    return is_signed ? static_cast<uint64_t>(asSigned(v[0]) >> v[1]) : v[0] >> v[1];
                  }),
              kTrials / 200);
  EXPECT_GT(check(
                2, [&](LaneRules& r, auto x) { return r.shiftLeft(x[0], x[1]); },
                [&](auto v) -> std::optional<uint64_t> {
                  return v[1] >= width ? std::nullopt : std::optional(v[0] << v[1]);
                }),
            kTrials / 200);
}

TEST_P(ExpectedLanesTest, ComparisonsAndChoices) {
  using llvm::CmpInst;
  const std::pair<CmpInst::Predicate, bool (*)(uint64_t, uint64_t)> predicates[] = {
      {CmpInst::ICMP_EQ, [](uint64_t a, uint64_t b) { return a == b; }},
      {CmpInst::ICMP_NE, [](uint64_t a, uint64_t b) { return a != b; }},
      {CmpInst::ICMP_ULT, [](uint64_t a, uint64_t b) { return a < b; }},
      {CmpInst::ICMP_UGE, [](uint64_t a, uint64_t b) { return a >= b; }},
      {CmpInst::ICMP_SGT, [](uint64_t a, uint64_t b) { return asSigned(a) > asSigned(b); }},
      {CmpInst::ICMP_SLE, [](uint64_t a, uint64_t b) { return asSigned(a) <= asSigned(b); }},
  };
  for (const auto& [predicate, holds] : predicates) {
    const auto compare = [predicate = predicate](LaneRules& r, auto x) {
      return r.compare(predicate, x[0], x[1]);
    };
    EXPECT_GT(
        check(2, compare, [&](auto v) { return uint64_t{holds(v[0], v[1])}; }, 1), kTrials / 20);
    // The less or greater one of two, as shaders spell it.
    EXPECT_GT(check(
                  2,
                  [&](LaneRules& r, auto x) -> LaneRules::Result {
                    const LaneRules::Result condition = compare(r, x);
                    return condition ? r.select(*condition, x[0], x[1]) : std::nullopt;
                  },
                  [&](auto v) { return holds(v[0], v[1]) ? v[0] : v[1]; }),
              kTrials / 50);
  }
  EXPECT_GT(check(
                3,
                [](LaneRules& r, auto x) -> LaneRules::Result {
                  const auto a = r.compare(CmpInst::ICMP_ULT, x[0], x[1]);
                  const auto b = r.compare(CmpInst::ICMP_ULT, x[1], x[2]);
                  if (!a || !b) return std::nullopt;
                  const auto not_both = r.negated(*r.logical(*a, *b, true));
                  return r.logical(*not_both, *a, false);
                },
                [](auto v) {
                  const bool a = v[0] < v[1], b = v[1] < v[2];
                  return uint64_t{!(a && b) || a};
                },
                1),
            kTrials / 50);
}

TEST_P(ExpectedLanesTest, Conversions) {
  for (bool is_signed : {false, true}) {
    auto check_to = [&](unsigned bits) {
      return check(
          1, [&](LaneRules& r, auto x) { return r.convert(x[0], ir_.getIntNTy(bits), is_signed); },
          [&](auto v) { return is_signed ? static_cast<uint64_t>(asSigned(v[0])) : v[0]; },
          ~uint64_t{0} >> (64 - bits));
    };
    EXPECT_EQ(check_to(5), kTrials);
    if (width < 40) {
      EXPECT_GT(check_to(40), kTrials / 4);
    }
  }
}

// Numbers that ranges have room for twice, and the widest ones.
INSTANTIATE_TEST_SUITE_P(Widths, ExpectedLanesTest, testing::Values(7u, 64u));

}  // namespace
}  // namespace jit::spirv
