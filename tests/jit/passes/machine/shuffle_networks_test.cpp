// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/shuffle_networks.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <string>
#include <vector>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr unsigned kRegisterBytes = 16;

// Reads `count` vectors, shuffles each with others in `levels` levels, and stores what comes of it
// behind them. `between` is done to each with one that was read.
std::string network(unsigned count, unsigned levels, const std::string& between = "") {
  const auto name = [](unsigned level, unsigned k) {
    return "%v" + std::to_string(level) + "." + std::to_string(k);
  };
  const auto at = [](unsigned k) {
    return "getelementptr <4 x i32>, ptr %words, i64 " + std::to_string(k);
  };
  std::string body;
  for (unsigned k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    body += "%from" + number + " = " + at(k) + "\n" + name(0, k) + " = load <4 x i32>, ptr %from" +
            number + "\n";
  }
  for (unsigned level = 1; level <= levels; ++level) {
    for (unsigned k = 0; k < count; ++k) {
      const std::string result = name(level, k);
      body += (between.empty() ? result : result + ".shuffled") + " = shufflevector <4 x i32> " +
              name(level - 1, k) + ", <4 x i32> " +
              name(level - 1, (k + (1 << level) - 1) % count) +
              ", <4 x i32> <i32 5, i32 0, i32 7, i32 2>\n";
      if (!between.empty())
        body += result + " = " + between + " " + result + ".shuffled, " + name(0, k) + "\n";
    }
  }
  for (unsigned k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    body += "%to" + number + " = " + at(count + k) + "\nstore <4 x i32> " + name(levels, k) +
            ", ptr %to" + number + "\n";
  }
  return "define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {\n"
         "%words = load ptr, ptr %dispatch\n" +
         body + "ret void\n}\n";
}

// How many values are hidden afterwards.
size_t hiddenIn(IrModule& module, unsigned register_bytes = kRegisterBytes) {
  llvm::Function& function = *module->getFunction("main");
  const bool changed = separateShuffleLevels(function, register_bytes);
  EXPECT_EQ(module.complaints(), "") << module.text();
  const size_t fences =
      llvm::count_if(llvm::instructions(function), [](const llvm::Instruction& instruction) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::arithmetic_fence;
      });
  EXPECT_EQ(changed, fences != 0) << module.text();
  return fences;
}

size_t hiddenOf(const std::string& text, unsigned register_bytes = kRegisterBytes) {
  IrModule module(text);
  return hiddenIn(module, register_bytes);
}

TEST(ShuffleNetworks, EverySecondLevelIsHidden) {
  EXPECT_EQ(hiddenOf(network(16, 3)), 16u);
  EXPECT_EQ(hiddenOf(network(16, 4)), 16u);
  EXPECT_EQ(hiddenOf(network(16, 5)), 32u);
}

TEST(ShuffleNetworks, FlatAndSmallOnesStay) {
  EXPECT_EQ(hiddenOf(network(16, 2)), 0u);
  EXPECT_EQ(hiddenOf(network(8, 3)), 0u);
}

TEST(ShuffleNetworks, OtherOperationsEndANetwork) {
  EXPECT_EQ(hiddenOf(network(16, 5, "xor <4 x i32>")), 0u);
}

TEST(ShuffleNetworks, VectorsThatAreNotRegistersStay) {
  EXPECT_EQ(hiddenOf(network(16, 5), 2 * kRegisterBytes), 0u);
}

TEST(ShuffleNetworks, ValuesStay) {
  constexpr unsigned kVectors = 16;
  std::vector<uint32_t> results[2];
  for (bool separated : {false, true}) {
    IrModule module(network(kVectors, 5));
    if (separated) {
      EXPECT_GT(hiddenIn(module), 0u);
    }
    auto loaded = module.load("main");
    ASSERT_TRUE(bool(loaded));
    KernelMemory memory(2 * 4 * kVectors, 0, 0);
    for (uint32_t k = 0; k < 4 * kVectors; ++k) memory.words[k] = 0x7f800000u + 3 * k;  // NaN too
    memory.run(*loaded);
    results[separated] = memory.words;
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace jit
