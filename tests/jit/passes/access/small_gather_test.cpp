// SPDX-License-Identifier: Apache-2.0

// That gathers of small elements read the same when they read words.
#include "jit/passes/access/small_gather.h"

#include <gmock/gmock.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

// Eight elements of `bits`, lane * %x elements behind byte 64 + %y, for the lanes below %z, into
// the first words, extended to 64 bits.
std::string kernel(const std::string& bits) {
  const std::string name = "v8i" + bits, type = "<8 x i" + bits + ">";
  return "declare " + type + " @llvm.masked.gather." + name + ".v8p0(<8 x ptr>, i32, <8 x i1>, " +
         type + R"()
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
        %words = load ptr, ptr %dispatch
        %offset = add i32 %y, 64
        %middle = getelementptr i8, ptr %words, i32 %offset
        %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
        %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
        %index = mul <8 x i32> %xs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
        %wide = sext <8 x i32> %index to <8 x i64>
        %pointers = getelementptr i)" +
         bits + R"(, ptr %middle, <8 x i64> %wide
        %z1 = insertelement <8 x i32> poison, i32 %z, i64 0
        %zs = shufflevector <8 x i32> %z1, <8 x i32> poison, <8 x i32> zeroinitializer
        %mask = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %zs
        %loaded = call )" +
         type + " @llvm.masked.gather." + name + ".v8p0(<8 x ptr> %pointers, i32 1, <8 x i1> " +
         "%mask, " + type + " splat (i" + bits + R"( 77))
        %extended = zext )" +
         type + R"( %loaded to <8 x i64>
        store <8 x i64> %extended, ptr %words, align 4
        ret void
      })";
}

std::vector<std::vector<uint32_t>> results(const std::string& text, bool widen, bool& changed) {
  IrModule module(text);
  changed = widen && widenSmallGathers(*module->getFunction("main"));
  EXPECT_EQ(module.complaints(), "");
  std::vector<std::vector<uint32_t>> all;
  auto loaded = module.load("main");
  if (!loaded) {
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return all;
  }
  for (uint32_t x : {1u, 3u, 9u, ~0u})
    for (uint32_t y : {0u, 2u, 4u})
      for (uint32_t z : {0u, 3u, 8u}) {
        KernelMemory memory(64, 0, 0);
        for (uint32_t w = 0; w < 64; ++w) memory.words[w] = 0x04030201u * (w + 1);
        memory.run(*loaded, {x, y, z});
        all.push_back(memory.words);
      }
  return all;
}

TEST(SmallGather, ReadsTheSameElements) {
  for (const char* bits : {"8", "16"}) {
    bool changed = false;
    const auto expected = results(kernel(bits), false, changed);
    EXPECT_EQ(results(kernel(bits), true, changed), expected) << bits;
    EXPECT_TRUE(changed);
  }
}

}  // namespace
}  // namespace jit::simt
