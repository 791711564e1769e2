// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/aligned_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr char kLanes[] = "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>";

// Rewrites `%r = <operation>` of %i = %first + 0, 1, ..., 7, where %first is x << `shift`, and
// says whether anything changed; the results stay.
bool simplifies(const std::string& operation, unsigned shift, const std::string& lanes = kLanes) {
  std::vector<uint32_t> results[2];
  bool changed = false;
  for (int after : {0, 1}) {
    IrModule module(R"(
      define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
        %words = load ptr, ptr %dispatch
        %first = shl i32 %x, )" +
                    std::to_string(shift) + R"(
        %first0 = insertelement <8 x i32> poison, i32 %first, i32 0
        %splat = shufflevector <8 x i32> %first0, <8 x i32> poison, <8 x i32> zeroinitializer
        %i = add <8 x i32> %splat, )" +
                    lanes + R"(
        %r = )" + operation +
                    R"(
        store <8 x i32> %r, ptr %words, align 4
        ret void
      })");
    if (after) changed = simplifyAlignedLanes(*module->getFunction("kernel"));
    EXPECT_EQ(module.complaints(), "");
    auto kernel = module.load("kernel");
    if (!kernel) {
      ADD_FAILURE() << llvm::toString(kernel.takeError());
      return false;
    }
    for (uint32_t x : {0u, 1u, 7u, 0x1234567u, ~0u}) {
      KernelMemory memory(8, 0, 0);
      memory.run(*kernel, {x, 0, 0});
      results[after].insert(results[after].end(), memory.words.begin(), memory.words.end());
    }
  }
  EXPECT_EQ(results[0], results[1]);
  return changed;
}

TEST(AlignedLanes, QuotientsAreUniform) {
  EXPECT_TRUE(simplifies("lshr <8 x i32> %i, splat (i32 3)", 3));
  EXPECT_TRUE(simplifies("lshr <8 x i32> %i, splat (i32 5)", 4));
}

TEST(AlignedLanes, RemaindersCountUp) {
  EXPECT_TRUE(simplifies("and <8 x i32> %i, splat (i32 7)", 3));
  EXPECT_TRUE(simplifies("and <8 x i32> %i, splat (i32 63)", 5));
}

bool simplifiesComparison(const std::string& predicate, const std::string& limit,
                          unsigned shift = 3) {
  return simplifies("zext <8 x i1> %c to <8 x i32>", shift,
                    std::string(kLanes) + "\n%c = icmp " + predicate +
                        " <8 x i32> %i, splat (i32 " + limit + ")");
}

TEST(AlignedLanes, AllLanesAreBelowLimitsOrNone) {
  for (const char* predicate : {"ult", "uge", "slt", "sge"}) {
    for (const char* limit : {"56", "8", "-2147483648"})
      EXPECT_TRUE(simplifiesComparison(predicate, limit)) << predicate << limit;
    EXPECT_FALSE(simplifiesComparison(predicate, "55")) << predicate;
    EXPECT_FALSE(simplifiesComparison(predicate, "60")) << predicate;
    EXPECT_FALSE(simplifiesComparison(predicate, "56", 2)) << predicate;
  }
  for (const char* predicate : {"ugt", "ule", "sgt", "sle"}) {
    for (const char* limit : {"55", "7", "-1"})
      EXPECT_TRUE(simplifiesComparison(predicate, limit)) << predicate << limit;
    EXPECT_FALSE(simplifiesComparison(predicate, "56")) << predicate;
    EXPECT_FALSE(simplifiesComparison(predicate, "59")) << predicate;
  }
  for (const char* predicate : {"eq", "ne"})
    EXPECT_FALSE(simplifiesComparison(predicate, "56")) << predicate;
}

TEST(AlignedLanes, LanesThatCarryStay) {
  EXPECT_FALSE(simplifies("lshr <8 x i32> %i, splat (i32 3)", 2));
  EXPECT_FALSE(simplifies("lshr <8 x i32> %i, splat (i32 2)", 3));
  EXPECT_FALSE(simplifies("and <8 x i32> %i, splat (i32 3)", 3));
  EXPECT_FALSE(simplifies("and <8 x i32> %i, splat (i32 62)", 5));
  EXPECT_FALSE(simplifies("lshr <8 x i32> %i, splat (i32 3)", 3,
                          "<i32 -1, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"));
}

}  // namespace
}  // namespace jit::simt
