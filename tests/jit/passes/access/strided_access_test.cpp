// SPDX-License-Identifier: Apache-2.0

// Which gathers and scatters become loads and stores of whole structures, and that they read and
// write the same places. Eight invocations, 32-bit elements in 256 words of memory.
#include "jit/passes/access/strided_access.h"

#include <gmock/gmock.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr char kAll[] = "splat (i1 true)";
constexpr size_t kWords = 256;

std::string number(uint64_t n) { return std::to_string(n); }

// A kernel in which %at are pointers `stride` words apart from word 16 + %x on, and %input the
// words 192 to 199; `accesses` are those of part n at the pointers %at<n>.
std::string kernel(uint64_t stride, const std::string& accesses, uint64_t parts = 4) {
  std::string text = R"(
      declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
      declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32, <8 x i1>)
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
        %words = load ptr, ptr %dispatch
        %middle = getelementptr i32, ptr %words, i64 16
        %from = getelementptr i32, ptr %words, i64 192
        %input = load <8 x i32>, ptr %from, align 4
        %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
        %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
        %index = add <8 x i32> %xs, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
        %wide = sext <8 x i32> %index to <8 x i64>
        %offset0 = mul <8 x i64> %wide, splat (i64 )" +
                     number(4 * stride) + R"()
        %some = icmp ult <8 x i32> %index, splat (i32 5)
        )";
  for (uint64_t p = 0; p < parts; ++p) {
    if (p != 0)
      text +=
          "%offset" + number(p) + " = add <8 x i64> %offset0, splat (i64 " + number(4 * p) + ")\n";
    text += "%at" + number(p) + " = getelementptr i8, ptr %middle, <8 x i64> %offset" + number(p) +
            "\n";
  }
  return text + accesses + "ret void }";
}

// Part n, loaded and stored to the words from 200 + 8 n on.
std::string gather(uint64_t part, const std::string& mask) {
  const std::string n = number(part);
  return "%v" + n + " = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %at" + n +
         ", i32 4, <8 x i1> " + mask + ", <8 x i32> zeroinitializer)\n";
}
std::string keep(uint64_t part) {
  const std::string n = number(part);
  return "%to" + n + " = getelementptr i32, ptr %words, i64 " + number(200 + 8 * part) +
         "\nstore <8 x i32> %v" + n + ", ptr %to" + n + ", align 4\n";
}
std::string scatter(uint64_t part, const std::string& mask) {
  const std::string n = number(part);
  return "%s" + n + " = add <8 x i32> %input, splat (i32 " + number(1000 * part) +
         ")\ncall void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %s" + n + ", <8 x ptr> %at" + n +
         ", i32 4, <8 x i1> " + mask + ")\n";
}

// The function's text after coalescing; memory is the same as without.
std::string coalesced(const std::string& kernel_text, bool masked_access = true,
                      bool large_objects = true) {
  auto run = [&](bool coalesces, std::string& text) {
    IrModule module(kernel_text);
    if (coalesces)
      coalesceStridedAccesses(*module->getFunction("main"), masked_access, large_objects);
    text = module.text();
    text.erase(0, text.find("define"));
    text.resize(text.find("\n}"));
    EXPECT_EQ(module.complaints(), "") << text;
    std::vector<std::vector<uint32_t>> results;
    auto loaded = module.load("main");
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return results;
    }
    for (uint32_t x : {0u, 1u, 5u, 0xfffffffeu}) {
      KernelMemory memory(kWords, 0, 0);
      for (uint32_t w = 0; w < kWords; ++w) memory.words[w] = 100 + w;
      memory.run(*loaded, {x, 0, 0});
      results.push_back(memory.words);
    }
    return results;
  };
  std::string before, after;
  const auto expected = run(false, before);
  EXPECT_EQ(run(true, after), expected) << after;
  return after;
}

bool has(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }
// Whether gathers or scatters are left.
bool isLeft(const std::string& text) {
  return has(text, "@llvm.masked.gather") || has(text, "@llvm.masked.scatter");
}

TEST(StridedAccess, WholeStructuresNeedNoMask) {
  for (uint64_t parts : {2, 3, 4}) {
    std::string gathers, stores, scatters;
    for (uint64_t p = 0; p < parts; ++p) {
      gathers += gather(p, kAll);
      stores += keep(p);
      scatters += scatter(p, kAll);
    }
    for (bool masked : {false, true}) {
      const std::string loads = coalesced(kernel(parts, gathers + stores), masked);
      EXPECT_FALSE(isLeft(loads)) << loads;
      EXPECT_FALSE(has(loads, "@llvm.masked.load")) << loads;
      const std::string written = coalesced(kernel(parts, scatters), masked);
      EXPECT_FALSE(isLeft(written)) << written;
      EXPECT_FALSE(has(written, "@llvm.masked.store")) << written;
    }
  }
}

TEST(StridedAccess, PartsAndMasksNeedMaskedAccess) {
  const std::string three =
      gather(0, kAll) + gather(1, kAll) + gather(2, kAll) + keep(0) + keep(1) + keep(2);
  const std::string one = gather(1, kAll) + keep(1);
  const std::string some = gather(0, "%some") + gather(1, "%some") + keep(0) + keep(1);
  for (const std::string& text : {kernel(4, three), kernel(2, one), kernel(2, some)}) {
    const std::string loads = coalesced(text);
    EXPECT_FALSE(isLeft(loads)) << loads;
    EXPECT_TRUE(has(loads, "@llvm.masked.load")) << loads;
  }
  const std::string stores = scatter(2, "%some") + scatter(0, "%some");
  const std::string written = coalesced(kernel(4, stores));
  EXPECT_FALSE(isLeft(written)) << written;
  EXPECT_TRUE(has(written, "@llvm.masked.store")) << written;
}

size_t scattersIn(const std::string& text) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find("@llvm.masked.scatter", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

TEST(StridedAccess, PartsOfOneWordAreOneScatter) {
  const std::string stores = scatter(1, "%some") + scatter(0, "%some");
  for (uint64_t stride : {2, 3, 16}) {
    const std::string written = coalesced(kernel(stride, stores), false);
    EXPECT_EQ(scattersIn(written), 1u) << written;
    EXPECT_TRUE(has(written, "@llvm.masked.scatter.v8i64")) << written;
  }
}

// Places that differ by what is added before the index is widened.
TEST(StridedAccess, WidenedIndices) {
  const std::string lane = "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>";
  for (const std::string sum : {"or disjoint", "add nuw", "add"}) {
    for (const bool large : {false, true}) {
      const std::string written =
          coalesced(kernel(2, "%even = shl nuw nsw <8 x i32> " + lane + ", splat (i32 1)\n" +
                                  "%odd = " + sum + " <8 x i32> %even, splat (i32 1)\n" +
                                  "%even64 = zext nneg <8 x i32> %even to <8 x i64>\n"
                                  "%odd64 = zext nneg <8 x i32> %odd to <8 x i64>\n"
                                  "%at4 = getelementptr i32, ptr %middle, <8 x i64> %even64\n"
                                  "%at5 = getelementptr i32, ptr %middle, <8 x i64> %odd64\n" +
                                  scatter(4, "%some") + scatter(5, "%some")),
                    false, large);
      // What wraps around alone leaves an object that is not large.
      EXPECT_EQ(scattersIn(written), sum == "add" && large ? 2u : 1u) << written;
    }
  }
}

TEST(StridedAccess, OrderOfReadsAndWritesStays) {
  // A write between two reads, and a read between two writes.
  coalesced(kernel(2, gather(0, kAll) + scatter(1, kAll) + gather(1, kAll) + keep(0) + keep(1)));
  coalesced(kernel(2, scatter(0, kAll) + gather(0, kAll) + scatter(1, kAll) + keep(0)));
  coalesced(kernel(2, gather(0, kAll) + keep(0) + gather(1, kAll) + keep(1)));
}

}  // namespace
}  // namespace jit::simt
