// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/lower.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <tuple>

#include "jit/matrix/shapes.h"
#include "tests/jit/coopmat/component_value.h"
#include "tests/jit/coopmat/gemm_check.h"

namespace jit::coopmat {
namespace {

using enum Component;
using test::checkGemm;
using test::TestMatrix;

class LowerTest : public testing::TestWithParam<rt::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() > rt::hostIsa()) {
      GTEST_SKIP() << "this machine does not reach " << rt::isaName(GetParam());
    }
    target_ = makeTarget(GetParam());
  }

  // Loads a matrix and stores it again; in between it is a value, or in a variable.
  void copy(Component component, uint32_t rows, uint32_t columns, Layout from, Layout to,
            uint64_t cut, bool in_variable = false) {
    SCOPED_TRACE(std::string(info(component).text) + " cut " + std::to_string(cut));
    TestMatrix source(component, rows, columns, from, 12);
    TestMatrix target(component, rows, columns, to, 4);
    source.fill(7);
    test::JitModule module(target_);
    llvm::Function* function = module.subgroupFunction("copy");
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
    const MatrixType type{component, rows, columns};
    // Limits as run-time values: one function serves whole and cut matrices.
    llvm::Value* lacking = builder.CreateZExt(function->getArg(3), builder.getInt64Ty());
    auto limit = [&](const TestMatrix& matrix) {
      return builder.CreateSub(builder.getInt64(matrix.bytes.size()), lacking);
    };
    llvm::Value* matrix = createLoad(builder, type, function->getArg(0),
                                     builder.getInt64(source.stride_bytes), limit(source), from);
    if (in_variable) {
      llvm::AllocaInst* variable = builder.CreateAlloca(matrix->getType());
      builder.CreateStore(matrix, variable);
      matrix = builder.CreateLoad(matrix->getType(), variable);
    }
    createStore(builder, matrix, type, function->getArg(1), builder.getInt64(target.stride_bytes),
                limit(target), to);
    builder.CreateRetVoid();
    ASSERT_EQ(module.lower(), "");
    auto* run = reinterpret_cast<test::SubgroupFunction>(module.compile("copy"));
    std::vector<std::byte> frame(module.frame.bytes() + 128);
    auto aligned = (reinterpret_cast<uintptr_t>(frame.data()) + 63) / 64 * 64;
    run(source.bytes.data(), target.bytes.data(), reinterpret_cast<void*>(aligned),
        static_cast<uint32_t>(cut), 0, 0, 0);
    for (uint32_t r = 0; r < rows; ++r) {
      for (uint32_t c = 0; c < columns; ++c) {
        bool is_stored = target.offset(r, c) + bytesOf(component) <= target.bytes.size() - cut;
        double expected = is_stored ? source.at(r, c, source.bytes.size() - cut) : 0;
        ASSERT_EQ(target.at(r, c), expected) << r << "," << c;
      }
    }
  }

  // The transpose of a matrix that was loaded.
  void turn(Component component, uint32_t rows, uint32_t columns) {
    SCOPED_TRACE(std::string(info(component).text) + " " + std::to_string(rows) + "x" +
                 std::to_string(columns));
    TestMatrix source(component, rows, columns, Layout::Row, 0);
    TestMatrix target(component, columns, rows, Layout::Row, 0);
    source.fill(7);
    test::JitModule module(target_);
    llvm::Function* function = module.subgroupFunction("turn");
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
    const MatrixType type{component, rows, columns};
    const MatrixType turned{component, columns, rows};
    llvm::Value* unlimited = builder.getInt64(~uint64_t{0});
    llvm::Value* matrix = createLoad(builder, type, function->getArg(0),
                                     builder.getInt64(source.stride_bytes), unlimited, Layout::Row);
    createStore(builder, createTranspose(builder, type, matrix), turned, function->getArg(1),
                builder.getInt64(target.stride_bytes), unlimited, Layout::Row);
    builder.CreateRetVoid();
    ASSERT_EQ(module.lower(), "");
    auto* run = reinterpret_cast<test::SubgroupFunction>(module.compile("turn"));
    std::vector<std::byte> frame(module.frame.bytes() + 128);
    auto aligned = (reinterpret_cast<uintptr_t>(frame.data()) + 63) / 64 * 64;
    run(source.bytes.data(), target.bytes.data(), reinterpret_cast<void*>(aligned), 0, 0, 0, 0);
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t c = 0; c < columns; ++c)
        ASSERT_EQ(target.at(c, r), source.at(r, c)) << r << "," << c;
  }

  Target target_;
};

TEST_P(LowerTest, LoadsAndStores) {
  for (Component component : {F16, F32, S8, U32, BF16, F64, E5M2}) {
    for (Layout from : {Layout::Row, Layout::Column}) {
      for (Layout to : {Layout::Row, Layout::Column}) {
        for (uint64_t cut : {0, 61, 400}) copy(component, 16, 16, from, to, cut);
      }
    }
  }
}

TEST_P(LowerTest, LoadsToAndStoresFromVariables) {
  for (Component component : {F16, F32, S8, F64}) {
    for (Layout from : {Layout::Row, Layout::Column}) {
      for (Layout to : {Layout::Row, Layout::Column}) {
        for (uint64_t cut : {0, 61, 400}) copy(component, 16, 16, from, to, cut, true);
      }
    }
  }
}

TEST_P(LowerTest, OtherSizes) {
  copy(S8, 16, 32, Layout::Row, Layout::Column, 0);
  copy(S8, 32, 16, Layout::Column, Layout::Row, 17);
  copy(F16, 5, 3, Layout::Column, Layout::Row, 0);
  copy(F32, 8, 24, Layout::Row, Layout::Column, 9);
  copy(S8, 24, 16, Layout::Column, Layout::Column, 0);
}

TEST_P(LowerTest, LargeMatrices) {
  for (Component component : {F16, F32, S8, F64}) {
    for (Layout from : {Layout::Row, Layout::Column}) {
      for (Layout to : {Layout::Row, Layout::Column}) {
        for (uint64_t cut : {0, 61, 4000}) copy(component, 64, 48, from, to, cut);
      }
    }
  }
  copy(F32, 16, 272, Layout::Column, Layout::Row, 5);
  copy(S8, 1024, 128, Layout::Row, Layout::Row, 0);
}

// The whole of a product's operands and results in memory, several parts of K.
TEST_P(LowerTest, LargeMultiplyAddsOutsideOfLoops) {
  std::set<std::tuple<Component, Component, Component, bool>> done;
  for (const Shape& shape : shapes()) {
    if (!done.insert({shape.a, shape.b, shape.result, shape.saturating}).second) continue;
    MulAdd op{48, 80, 96, shape.a, shape.b, shape.c, shape.result, shape.saturating};
    checkGemm(
        target_,
        {.kernel = {.op = op, .starts_at_c = true}, .steps = 2, .padding = 8, .schedules = false});
  }
}

TEST_P(LowerTest, LargeMultiplyAddsOfOtherShapes) {
  for (auto [m, n, k] :
       {std::tuple(16, 16, 128), {16, 128, 16}, {128, 16, 16}, {32, 48, 32}, {128, 256, 64}}) {
    MulAdd op{uint32_t(m), uint32_t(n), uint32_t(k), F16, F16, F32, F32};
    test::GemmKernel kernel{.op = op, .starts_at_c = true};
    checkGemm(target_, {.kernel = kernel, .steps = 2, .schedules = false});
    kernel.a_layout = kernel.b_layout = kernel.c_layout = Layout::Column;
    checkGemm(target_,
              {.kernel = kernel, .steps = 1, .padding = 4, .cut = 333, .schedules = false});
  }
}

TEST_P(LowerTest, Transposes) {
  for (Component component : {F16, F32, S8, U32, BF16, F64, E5M2}) turn(component, 16, 16);
  turn(F32, 16, 8);
  turn(S8, 8, 32);
  turn(F16, 5, 3);
  turn(F64, 24, 6);
  turn(S8, 24, 40);
  turn(S8, 2, 2);
  turn(F32, 1, 7);
  turn(S8, 7, 1);
}

TEST_P(LowerTest, MultiplyAddsOutsideOfLoops) {
  for (const Shape& shape : shapes()) {
    MulAdd op{shape.m, shape.n, shape.k, shape.a, shape.b, shape.c, shape.result, shape.saturating};
    checkGemm(target_, {.kernel = {.op = op, .a_tiles = 1, .b_tiles = 2, .starts_at_c = true},
                        .steps = 3,
                        .schedules = false});
  }
}

INSTANTIATE_TEST_SUITE_P(All, LowerTest,
                         testing::Values(rt::Isa::Reference, rt::Isa::Avx2, rt::Isa::Avx512),
                         [](const auto& info) { return std::string(rt::isaName(info.param)); });

TEST(LowerFailureTest, OperationWithoutAMicrokernelIsRefused) {
  test::JitModule module(makeTarget(rt::hostIsa()));
  llvm::Function* function = module.subgroupFunction("refused");
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.context(), "entry", function));
  MulAdd op{16, 16, 16, F16, S8, F32, F32};
  auto zero = [&](Component component, uint32_t rows, uint32_t columns) {
    return llvm::Constant::getNullValue(vectorType({component, rows, columns}, builder));
  };
  createMulAdd(builder, op, zero(F16, 16, 16), zero(S8, 16, 16), zero(F32, 16, 16));
  builder.CreateRetVoid();
  EXPECT_EQ(module.lower(),
            "no microkernel multiplies 16x16x16 float16_t * int8_t + float -> float, subgroup");
}

}  // namespace
}  // namespace jit::coopmat
