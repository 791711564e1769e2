// SPDX-License-Identifier: Apache-2.0

// Which invocation holds which component, against what was measured and what is documented.
#include "jit/matrix/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "jit/matrix/shapes.h"

namespace jit::coopmat {
namespace {

using enum Component;

MappedMatrix matrixOf(const Shape& row, Use use, uint32_t invocations) {
  switch (use) {
    case Use::A:
      return {row.a, row.m, row.k, use, invocations};
    case Use::B:
      return {row.b, row.k, row.n, use, invocations};
    case Use::Accumulator:
      return {row.c, row.m, row.n, use, invocations};
  }
  return {};
}

std::string describe(const MappedMatrix& m) {
  const std::string_view uses[] = {"A", "B", "accumulator"};
  return std::string(info(m.component).text) + " " + std::string(uses[static_cast<int>(m.use)]) +
         " " + std::to_string(m.rows) + "x" + std::to_string(m.columns) + " of " +
         std::to_string(m.invocations) + " invocations";
}

// How many components each element is; phantoms are counted behind the last.
std::vector<uint32_t> holders(Mapping mapping, const MappedMatrix& matrix) {
  const uint32_t elements = matrix.rows * matrix.columns, components = length(mapping, matrix);
  std::vector<uint32_t> count(elements + 1);
  for (uint32_t t = 0; t < matrix.invocations; ++t)
    for (uint32_t i = 0; i < components; ++i)
      ++count[element(mapping, matrix, t, i).value_or(elements)];
  return count;
}

TEST(LayoutTest, EachElementIsHeldOnce) {
  for (Mapping mapping : {Mapping::Native, Mapping::Nvidia, Mapping::Ptx}) {
    for (const Shape& row : shapes()) {
      for (Use use : {Use::A, Use::B, Use::Accumulator}) {
        for (uint32_t invocations : {8u, 16u, 32u, 64u}) {
          const MappedMatrix matrix = matrixOf(row, use, invocations);
          SCOPED_TRACE(describe(matrix));
          const uint32_t elements = matrix.rows * matrix.columns;
          EXPECT_EQ(length(mapping, matrix),
                    std::max(1u, (elements + invocations - 1) / invocations));
          std::vector<uint32_t> count = holders(mapping, matrix);
          count.pop_back();
          EXPECT_EQ(count, std::vector<uint32_t>(elements, 1));
        }
      }
    }
  }
}

TEST(LayoutTest, NativePhantomsAreTheLast) {
  const MappedMatrix matrix{F16, 5, 7, Use::A, 8};
  EXPECT_EQ(length(Mapping::Native, matrix), 5u);
  EXPECT_EQ(holders(Mapping::Native, matrix).at(35), 5u);
  EXPECT_EQ(element(Mapping::Native, matrix, 2, 4), 34u);
  EXPECT_EQ(element(Mapping::Native, matrix, 3, 4), std::nullopt);
  EXPECT_EQ(element(Mapping::Native, matrix, 0, 5), std::nullopt);
  EXPECT_EQ(length(Mapping::Native, {F32, 2, 2, Use::A, 32}), 1u);
}

// A number put together from bits: "t2 i0" is twice bit 2 of the invocation's number, and bit 0 of
// the component's.
class Bits {
 public:
  explicit Bits(const char* text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) bits_.push_back({word[0] == 't', word[1] - '0'});
  }
  uint32_t operator()(uint32_t invocation, uint32_t component) const {
    uint32_t number = 0;
    for (const auto& [of_invocation, bit] : bits_)
      number = number * 2 + ((of_invocation ? invocation : component) >> bit & 1);
    return number;
  }

 private:
  std::vector<std::pair<bool, int>> bits_;
};

TEST(LayoutTest, NvidiaIsAsMeasured) {
  struct Measured {
    MappedMatrix matrix;
    uint32_t length;
    const char *row, *column;
  };
  const Measured all[] = {
#define MEASURED(component, use, rows, columns, scope, invocations, length, row, column) \
  {{component, rows, columns, Use::use, invocations, Scope::scope}, length, row, column},
#include "tests/jit/matrix/h200_layouts.def"
  };
  for (const Measured& m : all) {
    SCOPED_TRACE(describe(m.matrix));
    ASSERT_EQ(length(Mapping::Nvidia, m.matrix), m.length);
    const Bits row(m.row), column(m.column);
    for (uint32_t t = 0; t < m.matrix.invocations; ++t) {
      for (uint32_t i = 0; i < m.length; ++i) {
        const uint32_t measured = row(t, i) * m.matrix.columns + column(t, i);
        if (element(Mapping::Nvidia, m.matrix, t, i) != measured)
          FAIL() << "component " << i << " of invocation " << t;
      }
    }
  }
}

// PTX ISA 9.0, 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction"
// and 9.7.14.5.15 "ldmatrix": `g` is groupID (%laneid >> 2), `t` threadID_in_group (%laneid % 4),
// `i` counts the elements of a fragment.
TEST(LayoutTest, PtxIsAsDocumented) {
  using Function = uint32_t (*)(uint32_t g, uint32_t t, uint32_t i);
  struct Fragment {
    const char* name;
    std::vector<Component> components;
    Use use;
    uint32_t rows, columns;
    Function row, column;
  };
#define OF(expression) \
  [](uint32_t g, uint32_t t, uint32_t i) { return (void)g, (void)t, (void)i, uint32_t(expression); }
  const Fragment all[] = {
      {"m8n8k16 A", {S8, U8}, Use::A, 8, 16, OF(g), OF(4 * t + i)},
      {"m8n8k4 A", {F64}, Use::A, 8, 4, OF(g), OF(t)},
      {"m16n8k4 A", {F32, F64}, Use::A, 16, 4, OF(i == 0 ? g : g + 8), OF(t)},
      {"m16n8k8 A", {F16, BF16}, Use::A, 16, 8, OF(i < 2 ? g : g + 8), OF(2 * t + (i & 1))},
      {"m16n8k8 A",
       {F32, F64},
       Use::A,
       16,
       8,
       OF(i == 0 || i == 2 ? g : g + 8),
       OF(i < 2 ? t : t + 4)},
      {"m16n8k16 A",
       {F16, BF16},
       Use::A,
       16,
       16,
       OF(i < 2 || (4 <= i && i < 6) ? g : g + 8),
       OF(i < 4 ? 2 * t + (i & 1) : 2 * t + (i & 1) + 8)},
      {"m16n8k16 A", {F64}, Use::A, 16, 16, OF(i % 2 == 0 ? g : g + 8), OF(t + 4 * (i / 2))},
      {"m16n8k16 A",
       {S8, U8, E4M3, E5M2},
       Use::A,
       16,
       16,
       OF(i < 4 ? g : g + 8),
       OF(4 * t + (i & 3))},
      {"m16n8k32 A",
       {S8, U8, E4M3, E5M2},
       Use::A,
       16,
       32,
       OF(i < 4 || (8 <= i && i < 12) ? g : g + 8),
       OF(i < 8 ? 4 * t + (i & 3) : 4 * t + (i & 3) + 16)},
      {"m8n8k16 B", {S8, U8}, Use::B, 16, 8, OF(4 * t + i), OF(g)},
      {"m8n8k4 B", {F64}, Use::B, 4, 8, OF(t), OF(g)},
      {"m16n8k4 B", {F32, F64}, Use::B, 4, 8, OF(t), OF(g)},
      {"m16n8k8 B", {F16, BF16}, Use::B, 8, 8, OF(2 * t + i), OF(g)},
      {"m16n8k8 B", {F32, F64}, Use::B, 8, 8, OF(i == 0 ? t : t + 4), OF(g)},
      {"m16n8k16 B",
       {F16, BF16},
       Use::B,
       16,
       8,
       OF(i < 2 ? 2 * t + (i & 1) : 2 * t + (i & 1) + 8),
       OF(g)},
      {"m16n8k16 B", {S8, U8, E4M3, E5M2}, Use::B, 16, 8, OF(4 * t + i), OF(g)},
      {"m16n8k16 B", {F64}, Use::B, 16, 8, OF(t + 4 * i), OF(g)},
      {"m16n8k32 B",
       {S8, U8, E4M3, E5M2},
       Use::B,
       32,
       8,
       OF(i < 4 ? 4 * t + (i & 3) : 4 * t + (i & 3) + 16),
       OF(g)},
      {"m8n8 C", {F64, S32, U32}, Use::Accumulator, 8, 8, OF(g), OF(2 * t + i)},
      {"m16n8 C",
       {F16, F32, F64, S32, U32},
       Use::Accumulator,
       16,
       8,
       OF(i < 2 ? g : g + 8),
       OF(2 * t + (i & 1))},
      {"ldmatrix m8n8 b16", {F16, BF16, U16}, Use::A, 8, 8, OF(g), OF(2 * t + i)},
      {"ldmatrix m16n16 b8", {S8, U8}, Use::A, 16, 16, OF(i < 4 ? g : g + 8), OF(4 * t + (i & 3))},
  };
#undef OF
  for (const Fragment& f : all) {
    for (Component component : f.components) {
      SCOPED_TRACE(std::string(f.name) + ", " + std::string(info(component).text));
      const MappedMatrix matrix{component, f.rows, f.columns, f.use, 32};
      ASSERT_EQ(length(Mapping::Ptx, matrix), f.rows * f.columns / 32);
      for (uint32_t lane = 0; lane < 32; ++lane) {
        for (uint32_t i = 0; i < length(Mapping::Ptx, matrix); ++i) {
          const uint32_t row = f.row(lane >> 2, lane % 4, i),
                         column = f.column(lane >> 2, lane % 4, i);
          ASSERT_EQ(element(Mapping::Ptx, matrix, lane, i), row * f.columns + column)
              << "element " << i << " of lane " << lane;
        }
      }
    }
  }
}

// What is larger than one mma is one fragment after the other: A by rows of fragments, then along
// K; accumulators and B along N.
TEST(LayoutTest, PtxPutsFragmentsSideBySide) {
  const MappedMatrix a{F16, 32, 32, Use::A, 32}, part_a{F16, 16, 16, Use::A, 32};
  const MappedMatrix b{F16, 16, 16, Use::B, 32}, part_b{F16, 16, 8, Use::B, 32};
  const MappedMatrix c{F32, 16, 16, Use::Accumulator, 32}, part_c{F32, 16, 8, Use::Accumulator, 32};
  auto expect = [](const MappedMatrix& whole, const MappedMatrix& part) {
    SCOPED_TRACE(describe(whole));
    const uint32_t size = length(Mapping::Ptx, part), across = whole.columns / part.columns;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t i = 0; i < length(Mapping::Ptx, whole); ++i) {
        const uint32_t in = *element(Mapping::Ptx, part, lane, i % size), fragment = i / size;
        const uint32_t row = fragment / across * part.rows + in / part.columns;
        const uint32_t column = fragment % across * part.columns + in % part.columns;
        ASSERT_EQ(element(Mapping::Ptx, whole, lane, i), row * whole.columns + column);
      }
    }
  };
  expect(a, part_a);
  expect(b, part_b);
  expect(c, part_c);
}

TEST(LayoutTest, NativeWhereThereAreNoWholeBlocks) {
  auto isNative = [](Mapping mapping, const MappedMatrix& matrix) {
    for (uint32_t t = 0; t < matrix.invocations; ++t)
      for (uint32_t i = 0; i < length(mapping, matrix); ++i)
        if (element(mapping, matrix, t, i) != element(Mapping::Native, matrix, t, i)) return false;
    return true;
  };
  for (Mapping mapping : {Mapping::Nvidia, Mapping::Ptx}) {
    EXPECT_FALSE(isNative(mapping, {F16, 16, 16, Use::A, 32}));
    EXPECT_TRUE(isNative(mapping, {F16, 16, 16, Use::A, 16}));
    EXPECT_TRUE(isNative(mapping, {F16, 16, 16, Use::A, 64}));
    EXPECT_FALSE(isNative(mapping, {F16, 16, 16, Use::A, 64, Scope::Workgroup}));
    EXPECT_TRUE(isNative(mapping, {F16, 12, 16, Use::A, 32}));
    EXPECT_TRUE(isNative(mapping, {F16, 16, 12, Use::A, 32}));
    EXPECT_TRUE(isNative(mapping, {S8, 16, 8, Use::A, 32}));
    EXPECT_FALSE(isNative(mapping, {S8, 16, 8, Use::Accumulator, 32}));
  }
  // Of 24 rows no mma has a fragment.
  EXPECT_TRUE(isNative(Mapping::Ptx, {F16, 24, 16, Use::A, 32}));
  EXPECT_FALSE(isNative(Mapping::Nvidia, {F16, 24, 16, Use::A, 32}));
}

}  // namespace
}  // namespace jit::coopmat
