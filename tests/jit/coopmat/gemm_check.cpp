// SPDX-License-Identifier: Apache-2.0

#include "tests/jit/coopmat/gemm_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "jit/ukernel/register_tile.h"
#include "runtime/panel_cache.h"
#include "tests/jit/coopmat/component_value.h"

namespace jit::test {
namespace {

struct GemmData {
  TestMatrix a, b, c, d;
  uint64_t cut;

  uint64_t limit(const TestMatrix& matrix) const { return matrix.bytes.size() - cut; }
};

GemmData makeData(const GemmCheck& check) {
  const GemmKernel& kernel = check.kernel;
  const coopmat::MulAdd& op = kernel.op;
  uint32_t m = op.m * kernel.a_tiles * check.blocks_down;
  uint32_t n = op.n * kernel.b_tiles * check.blocks_across;
  uint32_t k = op.k * check.steps;
  GemmData data{TestMatrix(op.a, m, k, kernel.a_layout, check.padding),
                TestMatrix(op.b, k, n, kernel.b_layout, check.padding),
                TestMatrix(op.result, m, n, kernel.c_layout, check.padding),
                TestMatrix(op.result, m, n, kernel.c_layout, check.padding), check.cut};
  // 2^-20 is subnormal in f16, 2^-72 squared in f32, 2^-535 squared in f64.
  const double scale = !check.tiny                       ? 1
                       : op.a == coopmat::Component::F16 ? 0x1p-20
                       : op.a == coopmat::Component::F64 ? 0x1p-535
                                                         : 0x1p-72;
  data.a.fill(1, scale);
  data.b.fill(2, scale);
  data.c.fill(3, scale * scale);
  if (check.fill) check.fill(data.a, data.b, data.c);
  // What is not stored to must stay.
  for (std::byte& byte : data.d.bytes) byte = std::byte{0x35};
  return data;
}

// All components, row by row; what lies beyond the limit is 0.
std::vector<double> valuesOf(const TestMatrix& matrix, uint64_t limit) {
  std::vector<double> values;
  for (uint32_t r = 0; r < matrix.rows; ++r) {
    for (uint32_t c = 0; c < matrix.columns; ++c) values.push_back(matrix.at(r, c, limit));
  }
  return values;
}

void compare(const GemmCheck& check, const GemmData& data, bool is_exact) {
  const coopmat::MulAdd& op = check.kernel.op;
  const std::vector<double> a = valuesOf(data.a, data.limit(data.a));
  const std::vector<double> b = valuesOf(data.b, data.limit(data.b));
  for (uint32_t r = 0; r < data.d.rows; ++r) {
    for (uint32_t c = 0; c < data.d.columns; ++c) {
      double expected = check.kernel.starts_at_c ? data.c.at(r, c, data.limit(data.c)) : 0;
      double exact = expected, magnitude = std::abs(expected);
      for (uint32_t step = 0; step < check.steps; ++step) {
        std::vector<double> left, right;
        for (uint32_t k = step * op.k; k < (step + 1) * op.k; ++k) {
          left.push_back(a[size_t{r} * data.a.columns + k]);
          right.push_back(b[size_t{k} * data.b.columns + c]);
          exact += left.back() * right.back();
          magnitude += std::abs(left.back() * right.back());
        }
        expected = modelMulAdd(op, left, right, expected);
      }
      double actual = data.d.at(r, c);
      bool is_stored = data.d.offset(r, c) + coopmat::bytesOf(op.result) <= data.limit(data.d);
      if (!is_stored) {
        std::byte untouched[8];
        std::fill(std::begin(untouched), std::end(untouched), std::byte{0x35});
        expected = readComponent(op.result, untouched);
      }
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(actual)) << actual << " at " << r << "," << c;
      } else if (is_exact || !is_stored || std::isinf(expected)) {
        ASSERT_EQ(actual, expected) << r << "," << c;
      } else if (op.result == coopmat::Component::F32) {
        const uint32_t depth = op.k * check.steps;
        ASSERT_NEAR(actual, exact, (depth + 1) * (0x1p-24 * magnitude + 0x1p-126)) << r << "," << c;
        if (!check.fill && !check.tiny) {
          ASSERT_NEAR(actual, expected, 0x1p-20 * magnitude) << r << "," << c;
        }
      } else {
        ASSERT_NEAR(actual, expected, 0x1p-20 * magnitude + 0x1p-7 * std::abs(expected))
            << r << "," << c;
      }
    }
  }
}

}  // namespace

bool addsInOrder(const ukernel::Row& row, const coopmat::MulAdd& op) {
  return coopmat::isInteger(op.result) ||
         (row.arithmetic->block == &ukernel::kVectorBlock && row.arithmetic != &ukernel::kDotBf16);
}

void checkGemm(const Target& target, const GemmCheck& check) {
  SCOPED_TRACE(ukernel::mangle(check.kernel.op) + " tiles " + std::to_string(check.kernel.a_tiles) +
               "x" + std::to_string(check.kernel.b_tiles) + " steps " +
               std::to_string(check.steps) + " at " + std::string(rt::isaName(target.isa)));
  GemmData data = makeData(check);
  JitModule module(target);
  llvm::Function* function = emitGemm(module, check.kernel, "gemm");
  if (check.schedules) {
    ASSERT_TRUE(module.schedule(*function));
  }
  ASSERT_EQ(module.lower(), "");
  auto* run = reinterpret_cast<SubgroupFunction>(module.compile("gemm"));
  std::unique_ptr<void, decltype(&std::free)> frame(
      std::aligned_alloc(64, module.frame.bytes() + 64), &std::free);
  GemmArgs args{data.a.bytes.data(), data.b.bytes.data(), data.c.bytes.data(), data.d.bytes.data(),
                data.a.stride_bytes, data.b.stride_bytes, data.d.stride_bytes, data.limit(data.a),
                data.limit(data.b),  data.limit(data.d),  check.steps};
  uint64_t shared = 0;
  rt::PanelCache panels;
  panels.begin(1, 2 * rt::PanelCache::kGranularity);
  if (check.shares_panels) rt::setPanelCache(&panels);
  for (uint32_t y = 0; y < check.blocks_down; ++y) {
    for (uint32_t x = 0; x < check.blocks_across; ++x) {
      run(&args, &shared, frame.get(), x, y, 0, 0);
    }
  }
  rt::setPanelCache(nullptr);
  const ukernel::Row* row = ukernel::select(check.kernel.op, target);
  compare(check, data, check.is_exact || addsInOrder(*row, check.kernel.op));
}

}  // namespace jit::test
