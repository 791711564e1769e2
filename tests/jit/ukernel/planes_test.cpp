// SPDX-License-Identifier: Apache-2.0

// f16 in two planes of bf16: all 65536 of them, and which K blocks are multiplied without tiles.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "jit/ir/helper_function.h"
#include "jit/ukernel/packed_gemm.h"
#include "tests/jit/coopmat/component_value.h"
#include "tests/jit/coopmat/gemm_kernel.h"
#include "tests/jit/coopmat/jit_module.h"

namespace jit::ukernel {
namespace {

constexpr uint32_t kHalves = 0x10000;

struct Planes {
  std::vector<uint16_t> upper = std::vector<uint16_t>(kHalves);
  std::vector<uint16_t> lower = std::vector<uint16_t>(kHalves);
};

// How vectors of `count` are split: as they are, or from their elements with even and odd numbers.
struct Way {
  uint32_t count;
  bool interleaves;
};

Planes splitAll(const Target& target, const Way& way) {
  test::JitModule module(target);
  llvm::Function* function = module.subgroupFunction("split");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
  // void (halves, upper, lower)
  auto* type = llvm::FixedVectorType::get(builder.getHalfTy(), way.count);
  emitLoop(builder, builder.getInt64(2 * kHalves), 2 * way.count, [&](llvm::Value* at) {
    auto address = [&](unsigned argument) {
      return offsetBy(builder, function->getArg(argument), at);
    };
    llvm::Value* halves = builder.CreateAlignedLoad(type, address(0), llvm::Align(2));
    auto every = [&](int first) {
      llvm::SmallVector<int> elements;
      for (uint32_t i = 0; i < way.count; i += 2) elements.push_back(first + static_cast<int>(i));
      return builder.CreateShuffleVector(halves, elements);
    };
    const auto planes = way.interleaves
                            ? interleaveInPlanes(builder, every(0), every(1), Component::F16)
                            : widenToPlanes(builder, halves, Component::F16, Component::BF16, 2);
    for (unsigned plane : {0u, 1u})
      builder.CreateAlignedStore(planes[plane], address(1 + plane), llvm::Align(2));
  });
  builder.CreateRetVoid();
  auto* run = reinterpret_cast<test::SubgroupFunction>(module.compile("split"));
  std::vector<uint16_t> halves(kHalves);
  for (uint32_t bits = 0; bits < kHalves; ++bits) halves[bits] = static_cast<uint16_t>(bits);
  Planes planes;
  run(halves.data(), planes.upper.data(), planes.lower.data(), 0, 0, 0, 0);
  return planes;
}

double bf16(uint16_t bits) { return test::readComponent(Component::BF16, &bits); }

bool isZeroOrNormal(uint16_t bits) { return (bits & 0x7fff) == 0 || (bits & 0x7f80) != 0; }

TEST(PlanesTest, EveryHalfIsTheExactSumOfTwoBf16) {
  for (rt::Isa isa : {rt::Isa::Reference, rt::Isa::Avx2, rt::Isa::Avx512, rt::Isa::Amx}) {
    if (isa > rt::hostIsa()) continue;
    for (const Way& way : {Way{8, false}, Way{16, false}, Way{32, false}, Way{32, true}}) {
      SCOPED_TRACE(std::string(rt::isaName(isa)) + ", vectors of " + std::to_string(way.count));
      const Planes planes = splitAll(makeTarget(isa), way);
      for (uint32_t bits = 0; bits < kHalves; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        const double value = test::readComponent(Component::F16, &half);
        const uint16_t upper = planes.upper[bits], lower = planes.lower[bits];
        if (!std::isfinite(value)) {
          ASSERT_EQ(std::isnan(bf16(upper)), std::isnan(value)) << bits;
          ASSERT_EQ(std::signbit(bf16(upper)), std::signbit(value)) << bits;
          continue;
        }
        ASSERT_EQ(bf16(upper) + bf16(lower), value) << bits;
        ASSERT_EQ(std::signbit(bf16(upper)), std::signbit(value)) << bits;
        ASSERT_TRUE(bf16(lower) == 0 || std::signbit(bf16(lower)) == std::signbit(value)) << bits;
        ASSERT_LE(std::abs(bf16(lower)), std::abs(value) * 0x1p-7) << bits;
        ASSERT_TRUE(isZeroOrNormal(upper) && isZeroOrNormal(lower)) << bits;
      }
    }
  }
}

const Row& splitRow() {
  return *llvm::find_if(rows(),
                        [](const Row& row) { return row.arithmetic->packing({}).planes > 1; });
}

// Multiplies two K blocks of one step each onto zeros, in memory that is full of ones before. The
// operands are one after the other. Returns the accumulators, row by row.
std::vector<float> multiplyTwoBlocks(const test::TestMatrix& a, const test::TestMatrix& b) {
  const MulAdd op{16, 16, 16, Component::F16, Component::F16, Component::F32, Component::F32};
  test::JitModule module(makeTarget(rt::hostIsa(), rt::Tiles::Emulated));
  const PackedGemm gemm(splitRow(), op, 1, 1, 1);
  llvm::Function* function = module.subgroupFunction("product");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
  const HelperScope scope{module.module(), *function};
  llvm::Value* frame = function->getArg(2);
  gemm.emitZero(builder, frame);
  for (uint32_t block : {0u, 1u}) {
    auto memory = [&](unsigned argument, const test::TestMatrix& matrix, uint64_t offset) {
      return TileMemory{offsetBy(builder, function->getArg(argument), offset),
                        builder.getInt64(matrix.stride_bytes), builder.getInt64(-1)};
    };
    gemm.emitBeginKBlock(builder, frame);
    gemm.emitPackA(scope, builder, frame, 0, builder.getInt64(0),
                   memory(0, a, a.offset(0, block * op.k)), Layout::Row);
    gemm.emitPackB(scope, builder, frame, 0, builder.getInt64(0),
                   memory(1, b, b.offset(block * op.k, 0)), Layout::Row);
    gemm.emitMultiply(scope, builder, frame, {.steps = builder.getInt64(1)});
  }
  builder.CreateRetVoid();
  auto* run = reinterpret_cast<test::SubgroupFunction>(module.compile("product"));
  const size_t bytes = (gemm.bytes() + 63) / 64 * 64;
  std::unique_ptr<std::byte, decltype(&std::free)> memory(
      static_cast<std::byte*>(std::aligned_alloc(64, bytes)), &std::free);
  std::fill_n(memory.get(), bytes, std::byte{0xff});
  run(a.bytes.data(), const_cast<std::byte*>(b.bytes.data()), memory.get(), 0, 0, 0, 0);
  std::vector<float> accumulators(size_t{op.m} * op.n);
  for (uint32_t r = 0; r < op.m; ++r) {
    std::memcpy(&accumulators[size_t{r} * op.n],
                memory.get() + gemm.accumulatorOffset(0, 0) + r * gemm.accumulatorStride(),
                op.n * sizeof(float));
  }
  return accumulators;
}

// Row 1 of a K block from k = `first` on is 2^24 + 1 + 0 + 1, where tiles sum even and odd k for
// themselves and lose nothing.
class PlanesOfKBlocksTest : public testing::Test {
 protected:
  PlanesOfKBlocksTest() {
    for (uint32_t k = 0; k < 32; ++k)
      for (uint32_t n = 0; n < 16; ++n) b_.set(k, n, k % 16 == 0 ? 4096 : 1);
  }
  void setSum(uint32_t first) {
    a_.set(1, first, 4096);
    a_.set(1, first + 1, 1);
    a_.set(1, first + 3, 1);
  }
  float sum() const { return multiplyTwoBlocks(a_, b_)[16 + 5]; }

  test::TestMatrix a_{Component::F16, 16, 32, Layout::Row};
  test::TestMatrix b_{Component::F16, 32, 16, Layout::Row};
};

constexpr float kInOrder = 0x1p24f, kByTiles = 0x1p24f + 2;

TEST_F(PlanesOfKBlocksTest, FiniteOnesAreMultipliedByTiles) {
  setSum(0);
  EXPECT_EQ(sum(), kByTiles);
}

TEST_F(PlanesOfKBlocksTest, OnesWithInfinitiesAreNot) {
  setSum(16);
  a_.set(15, 31, std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum(), kInOrder);
  a_.set(15, 31, 0);
  b_.set(31, 15, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(sum(), kInOrder);
}

TEST_F(PlanesOfKBlocksTest, WhatComesAfterThemIs) {
  a_.set(15, 15, -std::numeric_limits<double>::infinity());
  b_.set(15, 15, std::numeric_limits<double>::quiet_NaN());
  setSum(16);
  EXPECT_EQ(sum(), kByTiles);
}

}  // namespace
}  // namespace jit::ukernel
