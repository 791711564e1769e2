// SPDX-License-Identifier: Apache-2.0

// That bounds tests of progressions give the same masks when they become comparisons of lanes.
#include "jit/simt/lane_bounds.h"

#include <gtest/gtest.h>

#include "tests/jit/llvm/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

// Stores 1 or 0 for each of `lanes` invocations: x * step - 64 + lane * step < y - 1, unsigned,
// with the subtraction of a bounds test, which stays at 0.
std::string kernel(int step, const std::string& limit, unsigned lanes = 8) {
  std::string numbers;
  for (unsigned l = 0; l < lanes; ++l) numbers += (l == 0 ? "i32 " : ", i32 ") + std::to_string(l);
  const std::string n = std::to_string(lanes);
  std::string text = R"(
      declare i64 @llvm.usub.sat.i64(i64, i64)
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
        %words = load ptr, ptr %dispatch
        %x1 = insertelement <N x i32> poison, i32 %x, i64 0
        %xs = shufflevector <N x i32> %x1, <N x i32> poison, <N x i32> zeroinitializer
        %index = add <N x i32> %xs, <NUMBERS>
        %wide = sext <N x i32> %index to <N x i64>
        %scaled = mul <N x i64> %wide, splat (i64 STEP)
        %offset = add <N x i64> %scaled, splat (i64 -64)
        LIMIT
        %limit = call i64 @llvm.usub.sat.i64(i64 %size, i64 1)
        %l1 = insertelement <N x i64> poison, i64 %limit, i64 0
        %limits = shufflevector <N x i64> %l1, <N x i64> poison, <N x i32> zeroinitializer
        %inside = icmp ult <N x i64> %offset, %limits
        %result = zext <N x i1> %inside to <N x i32>
        store <N x i32> %result, ptr %words, align 4
        ret void
      })";
  auto replace = [&](const std::string& name, const std::string& value) {
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), value);
  };
  replace("NUMBERS", numbers);
  replace("<N x", "<" + n + " x");
  replace("STEP", std::to_string(step));
  replace("LIMIT", limit);
  return text;
}

constexpr char kSmallLimit[] = "%size = zext i32 %y to i64";
constexpr char kAnyLimit[] = "%wide_y = sext i32 %y to i64\n%size = add i64 %wide_y, 0";

// Whether the comparison was replaced; the results must not change.
bool simplifies(const std::string& text, unsigned lanes = 8) {
  auto run = [&](bool simplify, bool& changed) {
    IrModule module(text);
    changed = simplify && simplifyLaneBounds(*module->getFunction("main"));
    EXPECT_EQ(module.complaints(), "");
    std::vector<std::vector<uint32_t>> results;
    auto loaded = module.load("main");
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return results;
    }
    for (uint32_t x : {0u, 3u, 15u, 16u, 17u, 200u, 0x7ffffff8u, 0x80000000u, 0xfffffff0u, ~0u})
      for (uint32_t y : {0u, 1u, 2u, 3u, 4u, 5u, 17u, 64u, 100u, 0x7fffffffu, 0x80000000u, ~0u}) {
        KernelMemory memory(lanes, 0, 0);
        memory.run(*loaded, {x, y, 0});
        results.push_back(memory.words);
      }
    return results;
  };
  bool changed = false;
  const auto expected = run(false, changed);
  EXPECT_EQ(run(true, changed), expected) << text;
  return changed;
}

TEST(LaneBounds, AreTheSameLanes) {
  for (int step : {1, 3, 4, 16, 12}) EXPECT_TRUE(simplifies(kernel(step, kSmallLimit))) << step;
}

// Numbers of that many lanes are no bytes.
TEST(LaneBounds, AreTheSameLanesOfAWideStream) {
  for (unsigned lanes : {128u, 200u, 256u})
    EXPECT_TRUE(simplifies(kernel(4, kSmallLimit, lanes), lanes)) << lanes;
}

TEST(LaneBounds, LimitsThatMayBeNegativeAreLeftAlone) {
  EXPECT_FALSE(simplifies(kernel(4, kAnyLimit)));
}

TEST(LaneBounds, DescendingOffsetsAreLeftAlone) {
  EXPECT_FALSE(simplifies(kernel(-4, kSmallLimit)));
}

}  // namespace
}  // namespace jit::simt
