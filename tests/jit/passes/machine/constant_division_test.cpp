// SPDX-License-Identifier: Apache-2.0

// Which divisions as floats become divisions of integers, and that quotients stay the same.
#include "jit/passes/machine/constant_division.h"

#include <gtest/gtest.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr size_t kLanes = 8;

// Divides %x plus the first eight words, in the vector %a, by what `divide` says, to the vector %q.
std::string kernel(const std::string& divide) {
  return R"(
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
        %words = load ptr, ptr %dispatch
        %to = getelementptr i32, ptr %words, i64 8
        %some = load <8 x i32>, ptr %words, align 4
        %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
        %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
        %a = add <8 x i32> %xs, %some
        )" +
         divide + R"(
        store <8 x i32> %q, ptr %to, align 4
        ret void
      })";
}

std::string unsignedBy(const std::string& operation) {
  return "%f = uitofp <8 x i32> %a to <8 x double>\n%d = " + operation +
         "\n%q = fptoui <8 x double> %d to <8 x i32>";
}
std::string signedBy(const std::string& operation) {
  return "%f = sitofp <8 x i32> %a to <8 x double>\n%d = " + operation +
         "\n%q = fptosi <8 x double> %d to <8 x i32>";
}

// Whether no float is left; quotients are the same.
bool divides(const std::string& divide) {
  std::vector<std::vector<uint32_t>> results[2];
  bool changed = false;
  for (const bool pass : {false, true}) {
    IrModule module(kernel(divide));
    if (pass) {
      changed = divideByConstants(*module->getFunction("main"));
      EXPECT_EQ(changed, module.text().find("double") == std::string::npos) << module.text();
      EXPECT_EQ(module.complaints(), "") << module.text();
    }
    auto loaded = module.load("main");
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return false;
    }
    for (uint32_t x : {0u, 1000u, 0x7ffffff9u, 0xfffffff0u}) {
      KernelMemory memory(2 * kLanes, 0, 0);
      for (uint32_t lane = 0; lane < kLanes; ++lane) memory.words[lane] = lane * (lane + 1) / 4;
      memory.run(*loaded, {x, 0, 0});
      results[pass].push_back(memory.words);
    }
  }
  EXPECT_EQ(results[0], results[1]) << divide;
  return changed;
}

TEST(ConstantDivision, UnsignedIntegers) {
  for (const char* divisor : {"1.0", "3.0", "256.0", "130.0", "4294967295.0"})
    EXPECT_TRUE(
        divides(unsignedBy("fdiv <8 x double> %f, splat (double " + std::string(divisor) + ")")))
        << divisor;
  EXPECT_TRUE(divides(unsignedBy("fmul <8 x double> %f, splat (double 3.906250e-03)")));
}

TEST(ConstantDivision, SignedIntegers) {
  for (const char* divisor : {"3.0", "-3.0", "256.0", "-2147483648.0"})
    EXPECT_TRUE(
        divides(signedBy("fdiv <8 x double> %f, splat (double " + std::string(divisor) + ")")))
        << divisor;
  EXPECT_TRUE(divides(signedBy("fmul <8 x double> %f, splat (double 5.0e-01)")));
}

}  // namespace
}  // namespace jit
