// SPDX-License-Identifier: Apache-2.0

#include "jit/coopmat/k_loop.h"

#include <gtest/gtest.h>

#include "jit/matrix/shapes.h"
#include "tests/jit/coopmat/gemm_check.h"

namespace jit::coopmat {
namespace {

using enum Component;
using test::checkGemm;
using test::GemmKernel;

constexpr MulAdd kF16{16, 16, 16, F16, F16, F32, F32};
constexpr MulAdd kHalf{16, 16, 16, F16, F16, F16, F16};
constexpr MulAdd kS8{16, 16, 32, S8, S8, S32, S32};

class KLoopTest : public testing::TestWithParam<rt::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() > rt::hostIsa()) {
      GTEST_SKIP() << "this machine does not reach " << rt::isaName(GetParam());
    }
    target_ = makeTarget(GetParam());
  }
  Target target_;
};

TEST_P(KLoopTest, EveryShape) {
  for (const Shape& shape : shapes()) {
    MulAdd op{shape.m, shape.n, shape.k, shape.a, shape.b, shape.c, shape.result, shape.saturating};
    checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 2},
                        .blocks_down = 2,
                        .blocks_across = 2,
                        .steps = 5});
  }
}

// The model is a chain of scalar multiply-adds, so all instruction sets have its bits.
TEST_P(KLoopTest, ExactNumericsAreTheSameEverywhere) {
  target_.exact = true;
  for (const Shape& shape : shapes()) {
    if (!isFloat(shape.a)) continue;
    MulAdd op{shape.m, shape.n, shape.k, shape.a, shape.b, shape.c, shape.result, shape.saturating};
    for (bool tiny : {false, true}) {
      checkGemm(target_, {.kernel = {.op = op, .a_tiles = 1, .b_tiles = 2, .starts_at_c = true},
                          .steps = 3,
                          .tiny = tiny});
    }
  }
}

TEST_P(KLoopTest, KBlocksAndTheirRests) {
  for (uint32_t steps : {0, 1, 15, 16, 17, 40}) {
    for (const MulAdd& op : {kF16, kHalf, kS8}) {
      checkGemm(target_, {.kernel = {.op = op, .a_tiles = 1, .b_tiles = 3}, .steps = steps});
    }
  }
}

// Enough blocks and steps for panels to be found again, and for K blocks that are not full.
TEST_P(KLoopTest, BlocksShareWhatTheyPacked) {
  for (const MulAdd& op : {kF16, kHalf, kS8}) {
    for (uint32_t tiles : {1, 2}) {
      for (bool shares : {false, true}) {
        checkGemm(target_, {.kernel = {.op = op, .a_tiles = tiles, .b_tiles = tiles},
                            .blocks_down = 3,
                            .blocks_across = 3,
                            .steps = 37,
                            .shares_panels = shares});
      }
    }
  }
}

// Copies of different tiles are at the same address, so they must not be found again.
TEST_P(KLoopTest, BlocksShareWhatIsNoCopy) {
  for (const MulAdd& op : {kF16, kHalf, kS8}) {
    GemmKernel kernel{.op = op, .a_tiles = 2, .b_tiles = 2, .copies_tiles = true};
    checkGemm(target_, {.kernel = kernel, .blocks_down = 3, .blocks_across = 3, .steps = 37});
    // A K block has room for one step or two.
    kernel.op.k = 512;
    kernel.a_layout = kernel.b_layout = Layout::Column;
    checkGemm(target_,
              {.kernel = kernel, .blocks_down = 3, .blocks_across = 3, .steps = 5, .cut = 77});
  }
}

// What is loaded is found again, values are packed where they are.
TEST_P(KLoopTest, BlocksShareWhatIsNoValue) {
  for (const MulAdd& op : {kF16, kHalf, kS8}) {
    for (bool a_is_value : {false, true}) {
      GemmKernel kernel{.op = op,
                        .a_tiles = 2,
                        .b_tiles = 2,
                        .a_is_value = a_is_value,
                        .b_is_value = !a_is_value};
      checkGemm(target_, {.kernel = kernel, .blocks_down = 3, .blocks_across = 3, .steps = 37});
      kernel.copies_tiles = true;
      checkGemm(target_, {.kernel = kernel, .blocks_down = 3, .blocks_across = 3, .steps = 13});
    }
    checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .a_is_value = true, .b_is_value = true},
                        .blocks_down = 2,
                        .blocks_across = 2,
                        .steps = 9});
  }
}

TEST_P(KLoopTest, StartsWithAMatrix) {
  for (const MulAdd& op : {kF16, kHalf, kS8}) {
    checkGemm(target_,
              {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 1, .starts_at_c = true}, .steps = 3});
  }
}

TEST_P(KLoopTest, LoopThatWritesPacksAtOnce) {
  for (const MulAdd& op : {kF16, kHalf, kS8}) {
    GemmKernel kernel{.op = op, .a_tiles = 2, .b_tiles = 3, .stores_in_loop = true};
    checkGemm(target_, {.kernel = kernel, .steps = 19});
    kernel.a_layout = kernel.b_layout = Layout::Column;
    checkGemm(target_, {.kernel = kernel, .steps = 5, .padding = 8, .cut = 77});
  }
}

TEST_P(KLoopTest, LoopThatTestsAtItsEnd) {
  checkGemm(target_, {.kernel = {.op = kF16, .a_tiles = 2, .b_tiles = 2, .tests_at_end = true},
                      .steps = 20});
}

TEST_P(KLoopTest, SeveralStepsInAnIteration) {
  checkGemm(target_, {.kernel = {.op = kF16, .a_tiles = 2, .b_tiles = 2, .steps_per_iteration = 3},
                      .steps = 21});
}

TEST_P(KLoopTest, ColumnLayoutsAndLimits) {
  for (const MulAdd& op : {kF16, kS8}) {
    GemmKernel kernel{.op = op,
                      .a_tiles = 2,
                      .b_tiles = 2,
                      .a_layout = Layout::Column,
                      .b_layout = Layout::Column,
                      .c_layout = Layout::Column,
                      .starts_at_c = true};
    checkGemm(target_, {.kernel = kernel, .steps = 3, .padding = 16, .cut = 133});
    kernel.a_layout = kernel.b_layout = kernel.c_layout = Layout::Row;
    checkGemm(target_, {.kernel = kernel, .steps = 3, .padding = 16, .cut = 133});
  }
}

TEST_P(KLoopTest, LargeMatrices) {
  for (const MulAdd& small : {kF16, kHalf, kS8}) {
    MulAdd op = small;
    op.m = 64;
    op.n = 112;
    op.k = 64;
    for (Layout layout : {Layout::Row, Layout::Column}) {
      GemmKernel kernel{.op = op, .a_layout = layout, .b_layout = layout, .starts_at_c = true};
      checkGemm(target_, {.kernel = kernel, .blocks_across = 2, .steps = 5, .padding = 16});
      kernel.stores_in_loop = true;
      checkGemm(target_, {.kernel = kernel, .steps = 3, .cut = 1001});
    }
    checkGemm(target_, {.kernel = {.op = op, .a_tiles = 2, .b_tiles = 2}, .steps = 3});
  }
}

INSTANTIATE_TEST_SUITE_P(All, KLoopTest,
                         testing::Values(rt::Isa::Reference, rt::Isa::Avx2, rt::Isa::Avx512),
                         [](const auto& info) { return std::string(rt::isaName(info.param)); });

}  // namespace
}  // namespace jit::coopmat
