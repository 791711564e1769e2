// SPDX-License-Identifier: Apache-2.0

// What lane_shape.h claims of results, against every lane's own: over all numbers of a few bits,
// many weights, and all sets of live lanes that a bound allows.
#include "jit/analysis/lane_shape.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace jit::simt {
namespace {

constexpr unsigned kBits = 3, kLanes = 1 << kBits;

uint64_t mask(unsigned width) { return (uint64_t{1} << width) - 1; }
int64_t asSigned(uint64_t v, unsigned width) {
  return (v >> (width - 1) & 1) != 0 ? static_cast<int64_t>(v) - (int64_t{1} << width)
                                     : static_cast<int64_t>(v);
}

// One value as it may be when the code runs: what lane 0 has, what each bit of the lane's number
// adds to it, and, where a bit is `any`, what each lane has.
struct Instance {
  std::vector<uint64_t> lanes;
};

std::string describe(const LaneShape& s) {
  std::string text =
      "u" + std::to_string(s.width) + " modulo 2^" + std::to_string(s.modulus) + " weights";
  for (unsigned b = 0; b < kBits; ++b)
    text += (s.any >> b & 1) != 0       ? " any"
            : (s.runtime >> b & 1) != 0 ? " runtime"
                                        : " " + std::to_string(static_cast<int64_t>(s.weights[b]));
  return text + " known " + std::to_string(s.known) + " bits " + std::to_string(s.residue) +
         " most " + std::to_string(s.most);
}

// Random shapes and instances of them.
class Source {
 public:
  explicit Source(uint32_t seed) : random_(seed) {}

  uint64_t number(uint64_t most) {
    return std::uniform_int_distribution<uint64_t>(0, most)(random_);
  }

  LaneShape shape(unsigned width) {
    LaneShape s = uniformShape(width);
    if (number(5) == 0) return constantShape(width, number(mask(width)));
    const bool counts = number(1) == 0;
    const unsigned scale = static_cast<unsigned>(number(2));
    for (unsigned b = 0; b < kBits; ++b) {
      const uint64_t kind = number(9);
      if (kind == 0) {
        s.any |= static_cast<uint16_t>(1 << b);
      } else if (kind == 1) {
        s.runtime |= static_cast<uint16_t>(1 << b);
      } else if (kind < 8) {
        const uint64_t w = counts ? uint64_t{1} << (b + scale) : number(mask(width));
        s.weights[b] = static_cast<uint64_t>(asSigned(w & mask(width), width));
      }
    }
    s.known = static_cast<uint8_t>(number(width));
    s.residue = number(1) == 0 ? 0 : number(mask(width)) & mask(s.known);
    if (number(1) == 0) s.most = number(mask(width));
    return s;
  }

  Instance instance(const LaneShape& s) {
    auto rest = [&] { return (number(mask(s.width)) << s.known | s.residue) & mask(s.width); };
    uint64_t first = rest(), runtime[kBits] = {};
    for (unsigned b = 0; b < kBits; ++b)
      if ((s.runtime >> b & 1) != 0) runtime[b] = number(mask(s.width)) << s.known;
    std::vector<uint64_t> any(kLanes);
    for (unsigned l = 0; l < kLanes; ++l) any[l] = rest();
    Instance result;
    for (unsigned l = 0; l < kLanes; ++l) {
      uint64_t value = s.any != 0 ? any[l & s.any] : first;
      for (unsigned b = 0; b < kBits; ++b)
        if ((l >> b & 1) != 0) value += s.weights[b] + runtime[b];
      result.lanes.push_back(value & mask(s.width));
    }
    return result;
  }

 private:
  std::mt19937 random_;
};

// Checks that `lanes`, of which `live` may be looked at, are what `s` claims. Lane 0's is what the
// operation makes of the operands' lane 0, live or not.
::testing::AssertionResult isAs(const LaneShape& s, const std::vector<uint64_t>& lanes,
                                uint32_t live) {
  const uint64_t modulo = mask(s.modulus);
  auto failure = [&](const std::string& what) {
    std::string text = what + " of " + describe(s) + ":";
    for (uint64_t lane : lanes) text += " " + std::to_string(lane);
    return ::testing::AssertionFailure() << text << ", live " << live;
  };
  for (unsigned l = 0; l < kLanes; ++l) {
    if ((live >> l & 1) == 0) continue;
    if (lanes[l] > s.most) return failure("most");
    uint64_t constant = 0;
    for (unsigned b = 0; b < kBits; ++b)
      if ((l >> b & 1) != 0) constant += s.weights[b];
    if (((lanes[l] - constant - s.residue) & mask(s.known)) != 0) return failure("known bits");
    // From lane 0 where nothing is `any`.
    if (s.any == 0 && s.runtime == 0 && ((lanes[l] - constant - lanes[0]) & modulo) != 0)
      return failure("weights");
    for (unsigned m = 0; m < l; ++m) {
      if ((live >> m & 1) == 0 || ((l ^ m) & (s.any | s.runtime)) != 0) continue;
      uint64_t other = 0;
      for (unsigned b = 0; b < kBits; ++b)
        if ((m >> b & 1) != 0) other += s.weights[b];
      if (((lanes[l] - constant - lanes[m] + other) & modulo) != 0)
        return failure("weights of a run");
    }
  }
  // What a runtime bit adds is the same wherever it is added.
  for (unsigned b = 0; b < kBits; ++b) {
    if ((s.runtime >> b & 1) == 0 || s.any != 0) continue;
    const uint64_t added = lanes[1 << b] - lanes[0];
    for (unsigned l = 0; l < kLanes; ++l)
      if ((l >> b & 1) == 0 && (live >> l & 1) != 0 && (live >> (l | 1 << b) & 1) != 0 &&
          ((lanes[l | 1 << b] - lanes[l] - added) & modulo) != 0)
        return failure("runtime weight");
  }
  return ::testing::AssertionSuccess();
}

uint32_t liveLanes(const LaneShape& s, const Instance& instance) {
  uint32_t live = 0;
  for (unsigned l = 0; l < kLanes; ++l)
    if (instance.lanes[l] <= s.most) live |= 1u << l;
  return live;
}

struct Operation {
  const char* name;
  std::function<LaneShape(const LaneShape&, const LaneShape&, unsigned)> shape;
  // Of one lane, in the width; none where the result is not defined.
  std::function<std::optional<uint64_t>(uint64_t, uint64_t, unsigned)> lane;
  bool constant_operand;
};

std::optional<uint64_t> signedDivision(uint64_t a, uint64_t b, unsigned w, int what) {
  const int64_t x = asSigned(a, w), y = asSigned(b, w);
  if (y == 0) return std::nullopt;
  const int64_t remainder = x % y;
  if (what == 0) return static_cast<uint64_t>(x / y);
  if (what == 2 && remainder != 0 && (remainder < 0) != (y < 0))
    return static_cast<uint64_t>(remainder + y);
  return static_cast<uint64_t>(remainder);
}

const std::vector<Operation>& operations() {
  using S = const LaneShape&;
  static const std::vector<Operation> all{
      {"add", [](S a, S b, unsigned) { return add(a, b); },
       [](uint64_t a, uint64_t b, unsigned) { return a + b; }, false},
      {"subtract", [](S a, S b, unsigned) { return subtract(a, b); },
       [](uint64_t a, uint64_t b, unsigned) { return a - b; }, false},
      {"multiply", [](S a, S b, unsigned) { return multiply(a, b); },
       [](uint64_t a, uint64_t b, unsigned) { return a * b; }, false},
      {"complement", [](S a, S, unsigned) { return complement(a); },
       [](uint64_t a, uint64_t, unsigned) { return ~a; }, false},
      {"multiply by a constant", [](S a, S b, unsigned) { return multiply(a, b); },
       [](uint64_t a, uint64_t b, unsigned) { return a * b; }, true},
      {"shiftLeft", [](S a, S b, unsigned) { return shiftLeft(a, b); },
       [](uint64_t a, uint64_t b, unsigned w) { return a << (b & (w - 1)); }, true},
      {"shiftLeft by a variable", [](S a, S b, unsigned) { return shiftLeft(a, b); },
       [](uint64_t a, uint64_t b, unsigned w) { return a << (b & (w - 1)); }, false},
      {"shiftRight", [](S a, S b, unsigned) { return shiftRight(a, b, false); },
       [](uint64_t a, uint64_t b, unsigned w) { return a >> (b & (w - 1)); }, true},
      {"shiftRight of signed", [](S a, S b, unsigned) { return shiftRight(a, b, true); },
       [](uint64_t a, uint64_t b, unsigned w) {
         return static_cast<uint64_t>(asSigned(a, w) >> (b & (w - 1)));
       },
       true},
      {"and", [](S a, S b, unsigned) { return bitAnd(a, b); },
       [](uint64_t a, uint64_t b, unsigned) { return a & b; }, true},
      {"and with low bits",
       [](S a, S b, unsigned w) { return bitAnd(constantShape(w, b.residue & 7), a); },
       [](uint64_t a, uint64_t b, unsigned) { return a & b & 7; }, true},
      {"or", [](S a, S b, unsigned) { return bitOr(a, b, false); },
       [](uint64_t a, uint64_t b, unsigned) { return a | b; }, false},
      {"exclusive or", [](S a, S b, unsigned) { return bitOr(a, b, true); },
       [](uint64_t a, uint64_t b, unsigned) { return a ^ b; }, true},
      {"divide", [](S a, S b, unsigned) { return divide(a, b, false); },
       [](uint64_t a, uint64_t b, unsigned) {
         return b == 0 ? std::nullopt : std::optional(a / b);
       },
       true},
      {"remainder", [](S a, S b, unsigned) { return remainder(a, b, false); },
       [](uint64_t a, uint64_t b, unsigned) {
         return b == 0 ? std::nullopt : std::optional(a % b);
       },
       true},
      {"divide signed", [](S a, S b, unsigned) { return divide(a, b, true); },
       [](uint64_t a, uint64_t b, unsigned w) { return signedDivision(a, b, w, 0); }, true},
      {"remainder signed", [](S a, S b, unsigned) { return remainder(a, b, true); },
       [](uint64_t a, uint64_t b, unsigned w) { return signedDivision(a, b, w, 1); }, true},
      {"modulo signed", [](S a, S b, unsigned) { return remainder(a, b, true); },
       [](uint64_t a, uint64_t b, unsigned w) { return signedDivision(a, b, w, 2); }, true},
      {"truncate", [](S a, S, unsigned w) { return truncate(a, w - 2); },
       [](uint64_t a, uint64_t, unsigned) { return a; }, false},
      {"extend", [](S a, S, unsigned w) { return extend(a, w + 4, false); },
       [](uint64_t a, uint64_t, unsigned) { return a; }, false},
      {"extend signed", [](S a, S, unsigned w) { return extend(a, w + 4, true); },
       [](uint64_t a, uint64_t, unsigned w) { return static_cast<uint64_t>(asSigned(a, w)); },
       false},
  };
  return all;
}

class LaneShapes : public testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Operations, LaneShapes, testing::Range<size_t>(0, operations().size()));

TEST_P(LaneShapes, ClaimWhatLanesHave) {
  const Operation& operation = operations()[GetParam()];
  SCOPED_TRACE(operation.name);
  Source source(static_cast<uint32_t>(GetParam()));
  unsigned told = 0;
  for (int i = 0; i < 12000; ++i) {
    const unsigned width = 6 + static_cast<unsigned>(source.number(2));
    const LaneShape a = source.shape(width);
    const LaneShape b =
        operation.constant_operand
            ? constantShape(width, source.number(source.number(1) == 0 ? 8 : mask(width)))
            : source.shape(width);
    const LaneShape result = operation.shape(a, b, width);
    if (result.width == 0) continue;
    told += result.any == 0 && result.varying() != 0;
    for (int k = 0; k < 12; ++k) {
      const Instance x = source.instance(a), y = source.instance(b);
      uint32_t live = liveLanes(a, x) & liveLanes(b, y);
      std::vector<uint64_t> lanes(kLanes);
      for (unsigned l = 0; l < kLanes; ++l) {
        const auto lane = operation.lane(x.lanes[l], y.lanes[l], width);
        lanes[l] = lane.value_or(0) & mask(result.width);
        if (!lane) live &= ~(1u << l);
      }
      ASSERT_TRUE(isAs(result, lanes, live)) << "\na: " << describe(a) << "\nb: " << describe(b)
                                             << "\nof " << x.lanes[0] << " and " << y.lanes[0];
    }
  }
  EXPECT_GT(told, 20u) << "hardly any result was linear";
}

TEST(LaneShapes, JoinsHoldForBoth) {
  Source source(1);
  for (int i = 0; i < 20000; ++i) {
    const LaneShape a = source.shape(7), b = source.shape(7);
    const LaneShape both = join(a, b);
    for (const LaneShape& one : {a, b}) {
      for (int k = 0; k < 8; ++k) {
        const Instance x = source.instance(one);
        ASSERT_TRUE(isAs(both, x.lanes, liveLanes(one, x))) << describe(a) << "\n" << describe(b);
      }
    }
    EXPECT_EQ(join(both, a).any, both.any);
    EXPECT_EQ(join(both, a).weights, both.weights);
  }
}

TEST(LaneShapes, ComparisonsThatAgreeDo) {
  Source source(2);
  unsigned agreed = 0;
  for (int i = 0; i < 60000; ++i) {
    LaneShape a = source.shape(6), b = source.shape(6);
    a.any = a.runtime = b.any = b.runtime = 0;
    if (source.number(3) == 0) b.weights = a.weights;
    if (source.number(1) == 0) b.weights = {};
    if (source.number(1) == 0) std::swap(a, b);
    for (Relation relation : {Relation::Equal, Relation::Less, Relation::LessOrEqual}) {
      if (!agrees(relation, a, b)) continue;
      ++agreed;
      for (int k = 0; k < 8; ++k) {
        const Instance x = source.instance(a), y = source.instance(b);
        const uint32_t live = liveLanes(a, x) & liveLanes(b, y);
        auto holds = [&](unsigned l, bool is_signed) {
          const int64_t p = is_signed ? asSigned(x.lanes[l], 6) : static_cast<int64_t>(x.lanes[l]);
          const int64_t q = is_signed ? asSigned(y.lanes[l], 6) : static_cast<int64_t>(y.lanes[l]);
          return relation == Relation::Equal ? p == q : relation == Relation::Less ? p < q : p <= q;
        };
        for (unsigned l = 1; l < kLanes; ++l) {
          if ((live >> l & 1) == 0) continue;
          ASSERT_EQ(holds(l, false), holds(0, false)) << describe(a) << "\n" << describe(b);
          ASSERT_EQ(holds(l, true), holds(0, true)) << describe(a) << "\n" << describe(b);
        }
      }
    }
  }
  EXPECT_GT(agreed, 1000u);
}

// What shaders do: an index taken apart into row and column.
TEST(LaneShapes, RowsAndColumnsAreKnown) {
  const LaneShape index = countingShape(32, 5, 5, 255);
  EXPECT_TRUE(divide(index, constantShape(32, 32), false).isUniform());
  const LaneShape row = divide(index, constantShape(32, 16), false);
  const LaneShape column = remainder(index, constantShape(32, 16), false);
  EXPECT_EQ(row.any, 0);
  EXPECT_EQ(row.weights[4], 1u);
  EXPECT_EQ(row.varying(), 1 << 4);
  EXPECT_EQ(column.varying(), 15);
  const LaneShape address = add(multiply(row, uniformShape(32)), column);
  EXPECT_EQ(address.runtime, 1 << 4);
  EXPECT_EQ(address.weights[3], 8u);
  // Of 24, in runs of 8.
  EXPECT_EQ(divide(index, constantShape(32, 24), false).any, 3 << 3);
  EXPECT_EQ(remainder(index, constantShape(32, 24), false).weights[2], 4u);
  EXPECT_EQ(remainder(index, constantShape(32, 24), false).any, 3 << 3);
  EXPECT_EQ(divide(index, constantShape(32, 32), true),
            divide(index, constantShape(32, 32), false));
}

TEST(LaneShapes, WideningKeepsWhatCannotWrap) {
  EXPECT_TRUE(extend(countingShape(32, 5, 5, ~0u), 64, false).exact());
  const LaneShape next = add(countingShape(32, 5, 5, ~0u), constantShape(32, 1));
  EXPECT_EQ(extend(next, 64, false).modulus, 32);
  // (u + 4 * lane) / 4
  const LaneShape u = uniformShape(32);
  const LaneShape four = multiply(countingShape(32, 5, 32, 31), constantShape(32, 4));
  const LaneShape quarter = shiftRight(add(u, four), constantShape(32, 2), false);
  EXPECT_EQ(quarter.modulus, 30);
  EXPECT_EQ(quarter.weights[4], 16u);
}

}  // namespace
}  // namespace jit::simt
