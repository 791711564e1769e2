// SPDX-License-Identifier: Apache-2.0

// The order of reductions and scans, told by an operation for which every order differs. The values
// are constants, so the builder computes the results.
#include "jit/simt/lane_scan.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>

#include <vector>

namespace jit::simt {
namespace {

class LaneScan : public testing::Test {
 protected:
  // Neither associative nor commutative.
  static uint32_t join(uint32_t a, uint32_t b) { return 3 * a + 5 * b + 1; }
  llvm::Value* emitJoin(llvm::Value* a, llvm::Value* b) {
    auto times = [&](llvm::Value* v, uint32_t factor) {
      return simt.ir.CreateMul(v, llvm::ConstantInt::get(v->getType(), factor));
    };
    return simt.ir.CreateAdd(simt.ir.CreateAdd(times(a, 3), times(b, 5)),
                             llvm::ConstantInt::get(a->getType(), 1));
  }

  static std::vector<uint32_t> elements(llvm::Value* v) {
    auto* constant = llvm::cast<llvm::ConstantDataVector>(v);
    std::vector<uint32_t> values;
    for (uint32_t l = 0; l < constant->getNumElements(); ++l)
      values.push_back(static_cast<uint32_t>(constant->getElementAsInteger(l)));
    return values;
  }
  llvm::Value* vector() { return llvm::ConstantDataVector::get(context, values); }

  llvm::LLVMContext context;
  SimtBuilder simt{context, 16};
  std::vector<uint32_t> values{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
};

TEST_F(LaneScan, ReductionByHalves) {
  llvm::Value* all = reduceLanes(simt, vector(), [&](auto* a, auto* b) { return emitJoin(a, b); });
  std::vector<uint32_t> model = values;
  for (uint32_t half = 8; half > 0; half /= 2)
    for (uint32_t l = 0; l < half; ++l) model[l] = join(model[l], model[l + half]);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(all)->getZExtValue(), model[0]);
}

// Each value takes part once, also in a width that is no power of two.
TEST_F(LaneScan, ReductionOfOtherWidths) {
  for (uint32_t width : {8u, 24u, 40u, 96u, 104u, 128u, 1000u}) {
    SimtBuilder wide(context, width);
    std::vector<uint32_t> numbers;
    uint32_t model = 0;
    for (uint32_t l = 0; l < width; ++l) model += numbers.emplace_back(l * l + 3);
    llvm::Value* all = reduceLanes(wide, llvm::ConstantDataVector::get(context, numbers),
                                   [&](auto* a, auto* b) { return wide.ir.CreateAdd(a, b); });
    EXPECT_EQ(llvm::cast<llvm::ConstantInt>(all)->getZExtValue(), model) << width;
  }
}

TEST_F(LaneScan, Clusters) {
  for (uint32_t cluster : {1u, 2u, 4u, 8u, 16u}) {
    llvm::Value* all = reduceClusters(simt, vector(), cluster,
                                      [&](auto* a, auto* b) { return simt.ir.CreateAdd(a, b); });
    std::vector<uint32_t> model(16);
    for (uint32_t l = 0; l < 16; ++l)
      for (uint32_t k = 0; k < cluster; ++k) model[l] += values[l / cluster * cluster + k];
    EXPECT_EQ(elements(all), model) << cluster;
  }
}

TEST_F(LaneScan, ScansTakeWhatLiesBelow) {
  auto add = [&](llvm::Value* a, llvm::Value* b) { return simt.ir.CreateAdd(a, b); };
  llvm::Constant* zero = simt.ir.getInt32(0);
  std::vector<uint32_t> up_to(16), below(16);
  uint32_t sum = 0;
  for (uint32_t l = 0; l < 16; ++l) {
    below[l] = sum;
    up_to[l] = sum += values[l];
  }
  EXPECT_EQ(elements(scanLanes(simt, vector(), zero, add)), up_to);
  const Scan scan = scanBelow(simt, vector(), zero, add);
  EXPECT_EQ(elements(scan.before), below);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(scan.total)->getZExtValue(), sum);
}

TEST_F(LaneScan, ShiftBringsTheFillIn) {
  std::vector<uint32_t> model(16, 77);
  for (uint32_t l = 3; l < 16; ++l) model[l] = values[l - 3];
  EXPECT_EQ(elements(shiftLanesUp(simt, vector(), 3, simt.ir.getInt32(77))), model);
}

}  // namespace
}  // namespace jit::simt
