// SPDX-License-Identifier: Apache-2.0

// Every microkernel row that the machine runs, against a model in plain C++: packing from both
// layouts, strides, limits, grids of tiles, counts of steps.
#include "jit/ukernel/ukernel.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "jit/matrix/shapes.h"
#include "jit/ukernel/packed_gemm.h"
#include "tests/jit/coopmat/component_value.h"
#include "tests/jit/coopmat/gemm_check.h"
#include "tests/jit/coopmat/gemm_kernel.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::ukernel {
namespace {

using coopmat::Layout;
using test::TestMatrix;

// Operations that rows accept: the table's, and types and sizes besides.
std::vector<MulAdd> operations() {
  std::vector<MulAdd> operations;
  for (const coopmat::Shape& shape : coopmat::shapes()) {
    operations.push_back(
        {shape.m, shape.n, shape.k, shape.a, shape.b, shape.c, shape.result, shape.saturating});
  }
  using enum Component;
  operations.push_back({16, 16, 16, E4M3, E5M2, F64, F64});
  operations.push_back({16, 16, 16, E4M3, E5M2, F32, F32});
  operations.push_back({16, 16, 16, E5M2, E4M3, F32, F32});
  operations.push_back({16, 16, 16, F16, E4M3, F32, F32});
  operations.push_back({16, 16, 16, BF16, F16, F32, F32});
  operations.push_back({64, 48, 64, F16, F16, F32, F32});
  operations.push_back({64, 48, 64, F16, F16, F16, F16});
  operations.push_back({16, 16, 96, F16, F16, F16, F16});
  operations.push_back({24, 8, 160, F16, F16, F16, F16});
  operations.push_back({8, 16, 6, S8, S8, S32, S32});
  operations.push_back({16, 16, 6, S32, U16, S32, S32, true});
  operations.push_back({5, 7, 3, F32, F32, F32, F32});
  return operations;
}

// Of this machine, if need be with emulated tiles of its successors.
Target targetFor(const Row& row) {
  const Target target = makeTarget(rt::hostIsa());
  return row.runs(target) ? target : makeTarget(rt::hostIsa(), rt::Tiles::EmulatedNext);
}

struct Case {
  uint32_t a_tiles, b_tiles, steps;
  Layout a_layout, b_layout;
  uint32_t padding;
  uint64_t cut;  // bytes that the limit lacks at the end of A and B
  bool in_place = false;
};

constexpr Case kCases[] = {
    {1, 1, 1, Layout::Row, Layout::Row, 0, 0},
    {2, 3, 3, Layout::Column, Layout::Column, 0, 0},
    {3, 1, 2, Layout::Row, Layout::Column, 24, 0},
    {4, 4, 4, Layout::Column, Layout::Row, 64, 0},
    {1, 2, 2, Layout::Row, Layout::Row, 8, 37},
    {2, 1, 2, Layout::Column, Layout::Column, 8, 151},
};

// A row's product of whole matrices: A is a_tiles * m x steps * k.
class RowTest : public testing::TestWithParam<size_t> {
 protected:
  static void check(const Row& row, const MulAdd& op, const Case& shape, const Target& target) {
    SCOPED_TRACE(std::string(row.name) + " " + mangle(op) + " tiles " +
                 std::to_string(shape.a_tiles) + "x" + std::to_string(shape.b_tiles) + " steps " +
                 std::to_string(shape.steps));
    TestMatrix a(op.a, op.m * shape.a_tiles, op.k * shape.steps, shape.a_layout, shape.padding);
    TestMatrix b(op.b, op.k * shape.steps, op.n * shape.b_tiles, shape.b_layout, shape.padding);
    a.fill(1);
    b.fill(2);
    test::JitModule module(target);
    PackedGemm gemm(row, op, shape.a_tiles, shape.b_tiles, shape.steps);
    emit(module, gemm, op, shape, a, b);
    auto* run = reinterpret_cast<test::SubgroupFunction>(module.compile("product"));
    constexpr size_t kAlignment = 64;
    const size_t rounded = (gemm.bytes() + kAlignment - 1) / kAlignment * kAlignment;
    std::unique_ptr<std::byte, decltype(&std::free)> frame(
        static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)), &std::free);
    auto initial = [&](uint32_t r, uint32_t c) {
      return coopmat::isFloat(op.result) ? test::roundTo(op.result, r * 0.25 - c * 0.5)
                                         : double((r * 3 + c) % 100);
    };
    auto accumulator = [&](uint32_t r, uint32_t c) {
      return frame.get() + gemm.accumulatorOffset(r / op.m, c / op.n) +
             r % op.m * gemm.accumulatorStride() + c % op.n * coopmat::bytesOf(op.result);
    };
    for (uint32_t r = 0; r < a.rows; ++r) {
      for (uint32_t c = 0; c < b.columns; ++c) {
        test::writeComponent(op.result, accumulator(r, c), initial(r, c));
      }
    }
    const void* sources[2] = {a.bytes.data(), b.bytes.data()};
    run(sources, nullptr, frame.get(), 0, 0, 0, 0);
    compare(row, op, shape, a, b, initial, accumulator);
  }

 private:
  static uint64_t limitOf(const TestMatrix& matrix, const Case& shape) {
    return matrix.bytes.size() - shape.cut;
  }

  static void emit(test::JitModule& module, const PackedGemm& gemm, const MulAdd& op,
                   const Case& shape, const TestMatrix& a, const TestMatrix& b) {
    llvm::Function* function = module.subgroupFunction("product");
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
    HelperScope scope{module.module(), *function};
    llvm::Value* frame = function->getArg(2);
    auto memory = [&](unsigned index, const TestMatrix& matrix, uint32_t row, uint32_t column) {
      uint64_t offset = matrix.offset(row, column);
      llvm::Value* base = builder.CreateLoad(
          builder.getPtrTy(), offsetBy(builder, function->getArg(0), index * sizeof(void*)));
      uint64_t limit = limitOf(matrix, shape);
      return TileMemory{offsetBy(builder, base, offset), builder.getInt64(matrix.stride_bytes),
                        builder.getInt64(limit > offset ? limit - offset : 0)};
    };
    gemm.emitBegin(scope, builder, frame);
    gemm.emitBeginKBlock(builder, frame);
    for (uint32_t step = 0; step < shape.steps; ++step) {
      llvm::Value* at = builder.getInt64(step);
      if (shape.in_place) {
        for (uint32_t i = 0; i < shape.a_tiles; ++i)
          gemm.emitDescriptorA(builder, frame, i, at, memory(0, a, i * op.m, step * op.k));
        for (uint32_t j = 0; j < shape.b_tiles; ++j)
          gemm.emitDescriptorB(builder, frame, j, at, memory(1, b, step * op.k, j * op.n));
        continue;
      }
      for (uint32_t i = 0; i < shape.a_tiles; ++i) {
        gemm.emitPackA(scope, builder, frame, i, at, memory(0, a, i * op.m, step * op.k),
                       shape.a_layout);
      }
      for (uint32_t j = 0; j < shape.b_tiles; ++j) {
        gemm.emitPackB(scope, builder, frame, j, at, memory(1, b, step * op.k, j * op.n),
                       shape.b_layout);
      }
    }
    if (shape.in_place) {
      const InPlaceStrides strides{static_cast<uint32_t>(a.stride_bytes),
                                   static_cast<uint32_t>(b.stride_bytes)};
      gemm.emitMultiplyInPlace(scope, builder, frame, shape.steps, strides);
    } else {
      gemm.emitMultiply(scope, builder, frame, {.steps = builder.getInt64(shape.steps)});
      gemm.emitMultiply(scope, builder, frame, {.steps = builder.getInt64(0)});
    }
    gemm.emitEnd(scope, builder, frame);
    builder.CreateRetVoid();
  }

  template <typename Initial, typename Accumulator>
  static void compare(const Row& row, const MulAdd& op, const Case& shape, const TestMatrix& a,
                      const TestMatrix& b, Initial initial, Accumulator accumulator) {
    for (uint32_t r = 0; r < a.rows; ++r) {
      for (uint32_t c = 0; c < b.columns; ++c) {
        double expected = initial(r, c);
        double exact = expected, magnitude = std::abs(expected);
        for (uint32_t step = 0; step < shape.steps; ++step) {
          std::vector<double> left, right;
          for (uint32_t k = step * op.k; k < (step + 1) * op.k; ++k) {
            left.push_back(a.at(r, k, limitOf(a, shape)));
            right.push_back(b.at(k, c, limitOf(b, shape)));
            exact += left.back() * right.back();
            magnitude += std::abs(left.back() * right.back());
          }
          expected = test::modelMulAdd(op, left, right, expected);
        }
        double actual = test::readComponent(op.result, accumulator(r, c));
        if (test::addsInOrder(row, op)) {
          ASSERT_EQ(actual, expected) << r << "," << c;
        } else if (op.result == Component::F32) {
          // As in checkGemm.
          const uint32_t depth = op.k * shape.steps;
          ASSERT_NEAR(actual, exact, (depth + 1) * (0x1p-24 * magnitude + 0x1p-126))
              << r << "," << c;
          // The model's own roundings are more where K is longer.
          if (depth <= 64) {
            ASSERT_NEAR(actual, expected, 0x1p-20 * magnitude) << r << "," << c;
          }
        } else {
          ASSERT_NEAR(actual, expected, 0x1p-8 * magnitude) << r << "," << c;
        }
      }
    }
  }
};

TEST_P(RowTest, MultipliesLikeTheModel) {
  const Row& row = rows()[GetParam()];
  if (!row.runs(targetFor(row))) GTEST_SKIP() << "this machine cannot run " << row.name;
  // Two of the cases for each operation, all of them for each row.
  size_t next = 0;
  for (const MulAdd& op : operations()) {
    if (!row.arithmetic->accepts(op)) continue;
    for (int i = 0; i < 2; ++i) check(row, op, kCases[next++ % std::size(kCases)], targetFor(row));
  }
}

// Of tiles, on any machine.
TEST_P(RowTest, MultipliesLikeTheModelWithEmulatedTiles) {
  const Row& row = rows()[GetParam()];
  if (row.arithmetic->block != &kTileBlock) return;
  const Target target = makeTarget(rt::hostIsa(), rt::Tiles::EmulatedNext);
  if (!row.runs(target)) GTEST_SKIP() << "this LLVM lacks what " << row.name << " needs";
  size_t next = 0;
  for (const MulAdd& op : operations()) {
    if (row.arithmetic->accepts(op)) check(row, op, kCases[next++ % std::size(kCases)], target);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RowTest, testing::Range<size_t>(0, rows().size()),
                         [](const auto& info) { return std::string(rows()[info.param].name); });

constexpr Case kInPlace[] = {{1, 1, 1, Layout::Row, Layout::Row, 0, 0, true},
                             {2, 2, 3, Layout::Row, Layout::Row, 24, 0, true},
                             {4, 3, 4, Layout::Row, Layout::Row, 64, 0, true}};

bool isInPlace(const Row& row, const MulAdd& op, const Case& shape) {
  return row.arithmetic->accepts(op) &&
         PackedGemm::isFasterInPlace(row, op, shape.a_tiles, shape.b_tiles, shape.steps);
}

// Those that do not pack all that they multiply.
std::vector<size_t> rowsInPlace() {
  std::vector<size_t> numbers;
  for (size_t r = 0; r < rows().size(); ++r) {
    const bool any = std::ranges::any_of(operations(), [&](const MulAdd& op) {
      return std::ranges::any_of(
          kInPlace, [&](const Case& shape) { return isInPlace(rows()[r], op, shape); });
    });
    if (any) numbers.push_back(r);
  }
  return numbers;
}

// The components are multiplied as they are, and blocks are parts of tiles.
class InPlaceRowTest : public RowTest {};

TEST_P(InPlaceRowTest, MultipliesLikeTheModel) {
  const Row& row = rows()[GetParam()];
  if (!row.runs(makeTarget(rt::hostIsa()))) GTEST_SKIP() << "this machine cannot run " << row.name;
  for (const MulAdd& op : operations())
    for (const Case& shape : kInPlace)
      if (isInPlace(row, op, shape)) check(row, op, shape, targetFor(row));
}

INSTANTIATE_TEST_SUITE_P(All, InPlaceRowTest, testing::ValuesIn(rowsInPlace()),
                         [](const auto& info) { return std::string(rows()[info.param].name); });

TEST(SelectTest, ReferenceCeilingTakesTheReference) {
  Target target = makeTarget(rt::Isa::Reference);
  for (const MulAdd& op : operations()) {
    const Row* row = select(op, target);
    ASSERT_NE(row, nullptr) << mangle(op);
    EXPECT_EQ(row->name, "reference");
  }
}

// The row of f32 on a processor with AVX-512, some first-level cache and a name of LLVM's.
const Row* selectF32(uint64_t first_level_bytes, const char* cpu) {
  Target target = makeTarget(rt::Isa::Reference);
  target.features.avx512f = target.features.avx512bw = true;
  target.first_level_bytes = first_level_bytes;
  target.tune_cpu = cpu;
  using enum Component;
  return select({16, 16, 16, F32, F32, F32, F32}, target);
}

TEST(SelectTest, FourMicroPanelsWantTheirFirstLevelCache) {
  EXPECT_EQ(selectF32(48 << 10, "sapphirerapids")->micro_panels, 4u);
  EXPECT_EQ(selectF32(32 << 10, "skylake-avx512")->micro_panels, 2u);
  EXPECT_EQ(selectF32(0, "sapphirerapids")->micro_panels, 2u);  // not known
  EXPECT_EQ(selectF32(32 << 10, "znver4")->micro_panels, 2u);
  EXPECT_EQ(selectF32(48 << 10, "znver5")->micro_panels, 2u);
}

// How many calls of an intrinsic the function of a register tile of tiles has.
struct TileBlockCalls {
  size_t prefetches = 0, products = 0;
};
TileBlockCalls callsOf(RegisterTileCode code) {
  code.shape = {32, 2};
  code.a_stride = 64;
  test::JitModule module(makeTarget(rt::Isa::Reference, rt::Tiles::Emulated));
  const HelperScope scope{module.module(), *module.subgroupFunction("f")};
  using enum Component;
  const MulAdd op{16, 16, 16, BF16, BF16, F32, F32};
  const Row& row = *std::ranges::find(rows(), &kTileBf16, &Row::arithmetic);
  TileBlockCalls calls;
  for (const llvm::Instruction& i :
       llvm::instructions(*registerTileFunction(scope, row, op, code))) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call == nullptr) continue;
    calls.prefetches += call->getIntrinsicID() == llvm::Intrinsic::prefetch;
    calls.products += call->getIntrinsicID() == kTileBf16.multiplyTiles(op);
  }
  return calls;
}

// Four products an iteration, in a loop of four iterations and one for the rest.
TEST(TileBlockTest, AnnouncesStoresWhereItIsToldTo) {
  const TileBlockCalls quiet = callsOf({});
  EXPECT_EQ(quiet.prefetches, 0u);
  EXPECT_EQ(quiet.products, 20u);
  const TileBlockCalls stored = callsOf({.announces_stores = true});
  EXPECT_EQ(stored.prefetches, 20u) << "of two rows of two lines each iteration";
  EXPECT_EQ(stored.products, 20u);
}

TEST(RegisterTileTest, IsAsLargeAsRegistersAndRowsLike) {
  struct {
    uint64_t cache;
    uint32_t rows, micro_panels;
    RegisterTile expected;
  } const kExpected[] = {
      {32 << 10, 64, 4, {8, 2}}, {32 << 10, 48, 4, {12, 2}}, {32 << 10, 16, 1, {16, 1}},
      {48 << 10, 64, 4, {6, 4}}, {48 << 10, 64, 8, {6, 4}},  {48 << 10, 60, 4, {6, 4}},
      {48 << 10, 80, 4, {5, 4}}, {48 << 10, 64, 2, {8, 2}},  {48 << 10, 64, 1, {16, 1}},
      {48 << 10, 63, 5, {9, 3}},  // not four and one
      {48 << 10, 8, 4, {8, 2}},   // not six rows and two
  };
  for (const auto& [cache, rows, micro_panels, expected] : kExpected) {
    const RegisterTile tile =
        kVectorBlock.largest(*selectF32(cache, "sapphirerapids"), rows, micro_panels);
    EXPECT_EQ(tile.rows, expected.rows) << rows << " rows, " << micro_panels;
    EXPECT_EQ(tile.micro_panels, expected.micro_panels) << rows << " rows, " << micro_panels;
  }
}

TEST(SelectTest, EveryShapeHasARowAtEveryCeiling) {
  for (rt::Isa isa : {rt::Isa::Reference, rt::Isa::Avx2, rt::Isa::Avx512, rt::Isa::Amx}) {
    if (isa > rt::hostIsa()) continue;
    Target target = makeTarget(isa);
    for (const MulAdd& op : operations()) EXPECT_NE(select(op, target), nullptr) << mangle(op);
  }
}

TEST(SelectTest, NothingMixesFloatsAndIntegers) {
  MulAdd op{16, 16, 16, Component::F16, Component::S8, Component::F32, Component::F32};
  EXPECT_EQ(select(op, makeTarget(rt::hostIsa())), nullptr);
}

}  // namespace
}  // namespace jit::ukernel
