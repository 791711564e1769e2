// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/function_parts.h"

#include <gtest/gtest.h>

#include "jit/passes/machine/large_blocks.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;

// Loops, phis that come in from several parts, a variable, values that live long, and a way back
// to code before them. Descriptor set 0 is an array of words.
std::string program() {
  std::string text = R"(
    define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
    entry:
      %variable = alloca [8 x i32], align 64
      %words = load ptr, ptr %dispatch
      %first = load i32, ptr %words
      %vector = insertelement <16 x i32> zeroinitializer, i32 %first, i32 3
      br label %outer
    outer:
      %i = phi i32 [ 0, %entry ], [ %i.next, %outer.end ]
      %sum = phi i32 [ %first, %entry ], [ %sum.next, %outer.end ]
      %other = phi i32 [ 7, %entry ], [ %sum, %outer.end ]
      %slot = and i32 %i, 7
      %place = getelementptr i32, ptr %variable, i32 %slot
      store i32 %sum, ptr %place
      br label %inner
    inner:
      %k = phi i32 [ 0, %outer ], [ %k.next, %inner.end ]
      %s = phi i32 [ %sum, %outer ], [ %s.next, %inner.end ]
      %odd = trunc i32 %s to i1
      br i1 %odd, label %then, label %else
)";
  for (const char* block : {"then", "else"}) {
    const std::string b(block);
    text += b + ":\n  %" + b + "0 = add i32 %s, %k\n";
    for (int k = 0; k < 40; ++k)
      text += "  %" + b + std::to_string(k + 1) + " = " + (k % 3 ? "add" : "mul") + " i32 %" + b +
              std::to_string(k) + ", " + (k % 5 ? std::to_string(2 * k + 3) : "%other") + "\n";
    text += "  br label %inner.end\n";
  }
  return text + R"(
    inner.end:
      %s.new = phi i32 [ %then40, %then ], [ %else40, %else ]
      %s.next = xor i32 %s.new, %i
      %k.next = add i32 %k, 1
      %more = icmp ult i32 %k.next, 5
      br i1 %more, label %inner, label %outer.end
    outer.end:
      %back = load i32, ptr %place
      %lane = extractelement <16 x i32> %vector, i32 3
      %sum.a = add i32 %s.next, %back
      %sum.next = add i32 %sum.a, %lane
      %at = getelementptr i32, ptr %words, i32 %i
      store i32 %sum.next, ptr %at
      %i.next = add i32 %i, 1
      %again = icmp ult i32 %i.next, 12
      br i1 %again, label %outer, label %exit
    exit:
      %last = getelementptr i32, ptr %words, i32 13
      store i32 %other, ptr %last
      ret void
    })";
}

std::vector<uint32_t> run(IrModule& module, uint64_t scratch_bytes) {
  auto kernel = module.load("kernel");
  EXPECT_TRUE(bool(kernel));
  if (!kernel) return {};
  KernelMemory memory(16, 64, scratch_bytes);
  memory.words[0] = 12345;
  memory.run(*kernel);
  EXPECT_TRUE(memory.guardsAreIntact());
  return memory.words;
}

size_t functions(IrModule& module) {
  size_t count = 0;
  for (llvm::Function& function : *module) count += !function.isDeclaration();
  return count;
}

TEST(FunctionParts, ASmallKernelStaysAsItIs) {
  IrModule module(program());
  const std::string before = module.text();
  EXPECT_EQ(splitIntoParts(*module->getFunction("kernel"), 16, 192), 192u);
  EXPECT_EQ(module.text(), before);
}

TEST(FunctionParts, PartsComputeWhatTheWholeDoes) {
  IrModule whole(program());
  const std::vector<uint32_t> expected = run(whole, 64);
  ASSERT_NE(expected[11], 0u);
  for (uint64_t part : {1, 5, 12, 30, 60, 90}) {
    SCOPED_TRACE(part);
    IrModule module(program());
    const uint64_t scratch =
        splitIntoParts(*module->getFunction("kernel"), 16, 100, {.whole = 50, .part = part});
    ASSERT_EQ(module.complaints(), "") << module.text();
    EXPECT_GT(functions(module), 2u);
    EXPECT_GT(scratch, 128u);
    EXPECT_EQ(run(module, scratch), expected);
  }
}

TEST(FunctionParts, ManyBlocksAreAsMuchAsManyInstructions) {
  const size_t blocks = IrModule(program())->getFunction("kernel")->size();
  for (const size_t most : {blocks, blocks - 1}) {
    IrModule module(program());
    splitIntoParts(*module->getFunction("kernel"), 16, 192, {.whole_blocks = most, .part = 30});
    EXPECT_EQ(functions(module) > 1, most < blocks);
    EXPECT_EQ(module.complaints(), "");
  }
}

// A switch whose cases share targets, and whose targets have phis.
std::string choices(unsigned cases) {
  std::string table, phi = "[ 1000, %entry ]";
  for (unsigned k = 0; k < cases; ++k) {
    const unsigned number = k * 37 % 4001;
    const bool direct = k % 3 == 0;
    table += "i32 " + std::to_string(number) + ", label %" +
             (direct ? "merge" : "way" + std::to_string(k % 5)) + "\n";
    if (direct) phi += ", [ 1000, %entry ]";
  }
  std::string ways;
  for (int k = 0; k < 5; ++k) {
    ways += "way" + std::to_string(k) + ":\n  br label %merge\n";
    phi += ", [ " + std::to_string(k) + ", %way" + std::to_string(k) + " ]";
  }
  return "define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {\nentry:\n"
         "  %words = load ptr, ptr %dispatch\n  %value = load i32, ptr %words\n"
         "  switch i32 %value, label %merge [" +
         table + "]\n" + ways + "merge:\n  %v = phi i32 " + phi +
         "\n  store i32 %v, ptr %words\n  ret void\n}";
}

TEST(LargeSwitches, ChooseAsTheWholeDoes) {
  IrModule whole(choices(500)), parts(choices(500));
  splitLargeSwitches(*parts->getFunction("kernel"));
  ASSERT_EQ(parts.complaints(), "") << parts.text();
  for (llvm::BasicBlock& block : *parts->getFunction("kernel"))
    EXPECT_LE(block.getTerminator()->getNumSuccessors(), 65u);
  auto expected = whole.load("kernel"), found = parts.load("kernel");
  ASSERT_TRUE(expected && found);
  for (uint32_t value : {0u, 1u, 37u, 74u, 111u, 148u, 3999u, 4000u, 4001u, ~0u}) {
    KernelMemory a(1, 64, 64), b(1, 64, 64);
    a.words[0] = b.words[0] = value;
    a.run(*expected);
    b.run(*found);
    EXPECT_EQ(a.words, b.words) << value;
  }
}

TEST(LargeSwitches, AreLeftAloneWhereTheyAreSmall) {
  IrModule module(choices(60));
  const std::string before = module.text();
  splitLargeSwitches(*module->getFunction("kernel"));
  EXPECT_EQ(module.text(), before);
}

}  // namespace
}  // namespace jit
