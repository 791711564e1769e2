// SPDX-License-Identifier: Apache-2.0

// Which gathers and scatters become vector loads and stores, and that they read and write the
// same places. Vectors of eight 32-bit elements in 80 words of memory, unless said otherwise.
#include "jit/passes/access/contiguous_access.h"

#include <gmock/gmock.h>

#include "tests/jit/ir/ir_kernel.h"

namespace jit::simt {
namespace {

using test::IrModule;
using test::KernelMemory;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLanes[] = "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>";
constexpr char kWideLanes[] = "<i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>";
constexpr char kAll[] = "splat (i1 true)";
constexpr size_t kWords = 80;

// A kernel with this body: %words is the memory, %middle its word 16, %x, %y and %z are i32
// arguments, %xs a vector of %x, and %input the words 48 to 55. %pointers and %mask are what the
// access uses.
std::string kernel(const std::string& body, const std::string& access) {
  return R"(
      declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
      declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32, <8 x i1>)
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
        %words = load ptr, ptr %dispatch
        %middle = getelementptr i32, ptr %words, i64 16
        %from = getelementptr i32, ptr %words, i64 48
        %to = getelementptr i32, ptr %words, i64 56
        %input = load <8 x i32>, ptr %from, align 4
        %x1 = insertelement <8 x i32> poison, i32 %x, i64 0
        %xs = shufflevector <8 x i32> %x1, <8 x i32> poison, <8 x i32> zeroinitializer
        )" +
         body + access + R"(
        ret void
      })";
}

std::string gather(const std::string& mask, const std::string& otherwise = "zeroinitializer") {
  return R"(
        %loaded = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %pointers, i32 4, <8 x i1> )" +
         mask + ", <8 x i32> " + otherwise + R"()
        store <8 x i32> %loaded, ptr %to, align 4)";
}

std::string scatter(const std::string& mask) {
  return R"(
        call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %input, <8 x ptr> %pointers, i32 4, <8 x i1> )" +
         mask + ")";
}

// The function's text after coalescing. Runs it before and after, with each of `xs` as %x: the
// memory must be the same.
std::string coalesced(const std::string& body, const std::string& access,
                      const std::vector<uint32_t>& xs = {0, 1, 5}) {
  auto run = [&](bool coalesces, std::string& text) {
    IrModule module(kernel(body, access));
    const bool changed = coalesces && coalesceContiguousAccesses(*module->getFunction("main"));
    text = module.text();
    text.erase(0, text.find("define"));
    text.resize(text.find("\n}"));
    EXPECT_EQ(module.complaints(), "") << text;
    EXPECT_EQ(changed, coalesces && text.find("@llvm.masked.gather") == std::string::npos &&
                           text.find("@llvm.masked.scatter") == std::string::npos)
        << text;
    std::vector<std::vector<uint32_t>> results;
    auto loaded = module.load("main");
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return results;
    }
    for (uint32_t x : xs) {
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

// What the access became.
std::string form(const std::string& text) {
  for (const char* intrinsic : {"gather", "scatter", "load", "store"})
    if (text.find("@llvm.masked." + std::string(intrinsic)) != std::string::npos)
      return std::string("masked ") + intrinsic;
  if (text.find("= load i32") != std::string::npos) return "splat";
  return text.find("store <8 x i32> %input") != std::string::npos ? "store" : "load";
}

// Pointers to %middle plus the words in `index`, an i32 vector that `body` makes.
std::string signedWords(const std::string& body) {
  return body + R"(
        %wide = sext <8 x i32> %index to <8 x i64>
        %pointers = getelementptr i32, ptr %middle, <8 x i64> %wide)";
}

std::string add(const char* vector) { return std::string("%index = add <8 x i32> %xs, ") + vector; }

std::string indexBelow(const std::string& limit) {
  return "\n%mask = icmp ult <8 x i32> %index, splat (i32 " + limit + ")";
}

TEST(ContiguousAccess, UnitStride) {
  const std::string unit = signedWords(add(kLanes));
  EXPECT_EQ(form(coalesced(unit, gather(kAll))), "load");
  EXPECT_EQ(form(coalesced(unit, scatter(kAll))), "store");
}

TEST(ContiguousAccess, MasksAreKept) {
  const std::string unit = signedWords(add(kLanes)) + indexBelow("6");
  EXPECT_EQ(form(coalesced(unit, gather("%mask"))), "masked load");
  EXPECT_EQ(form(coalesced(unit, gather("%mask", "splat (i32 7)"))), "masked load");
  EXPECT_EQ(form(coalesced(unit, scatter("%mask"))), "masked store");
}

TEST(ContiguousAccess, OnePlaceForAllIsReadOnce) {
  const std::string one = signedWords("%index = add <8 x i32> %xs, splat (i32 3)");
  EXPECT_EQ(form(coalesced(one, gather(kAll))), "splat");
}

TEST(ContiguousAccess, SeesThroughArithmetic) {
  const std::string lanes(kLanes);
  for (const std::string& index : {
           "%index = sub <8 x i32> " + lanes + ", %xs",
           "%four = shl <8 x i32> %xs, splat (i32 3)\n"
           "%index = or disjoint <8 x i32> %four, " +
               lanes,
           "%five = mul <8 x i32> %xs, splat (i32 5)\n%index = add <8 x i32> " + lanes + ", %five",
           "%square = mul <8 x i32> %xs, %xs\n%index = add <8 x i32> " + lanes + ", %square",
           "%twice = mul <8 x i32> " + lanes + ", splat (i32 2)\n" +
               "%index = sub <8 x i32> %twice, " + lanes,
           "%long = add <8 x i64> " + std::string(kWideLanes) + ", splat (i64 4294967296)\n" +
               "%index = trunc <8 x i64> %long to <8 x i32>",
       })
    EXPECT_EQ(form(coalesced(signedWords(index), gather(kAll), {0, 1})), "load") << index;
}

TEST(ContiguousAccess, ConstantPlaces) {
  EXPECT_EQ(form(coalesced("%pointers = getelementptr i32, ptr %middle, <8 x i64> <i64 3, i64 4, "
                           "i64 5, i64 6, i64 7, i64 8, i64 9, i64 10>",
                           gather(kAll))),
            "load");
}

TEST(ContiguousAccess, BytesAndChainsOfOffsets) {
  const std::string bytes = "%bytes = shl <8 x i64> " + std::string(kWideLanes) +
                            ", splat (i64 2)\n"
                            "%pointers = getelementptr i8, ptr %middle, <8 x i64> %bytes";
  EXPECT_EQ(form(coalesced(bytes, gather(kAll))), "load");
  const std::string chain = R"(
      %xw = zext <8 x i32> %xs to <8 x i64>
      %rows = getelementptr [4 x i32], ptr %middle, <8 x i64> %xw
      %pointers = getelementptr i32, <8 x ptr> %rows, <8 x i64> )" +
                            std::string(kWideLanes);
  EXPECT_EQ(form(coalesced(chain, scatter(kAll))), "store");
}

TEST(ContiguousAccess, PhysicalAddresses) {
  const std::string addresses = R"(
      %address = ptrtoint ptr %middle to i64
      %a1 = insertelement <8 x i64> poison, i64 %address, i64 0
      %as = shufflevector <8 x i64> %a1, <8 x i64> poison, <8 x i32> zeroinitializer
      %bytes = mul <8 x i64> )" +
                                std::string(kWideLanes) + R"(, splat (i64 4)
      %each = add <8 x i64> %as, %bytes
      %pointers = inttoptr <8 x i64> %each to <8 x ptr>)";
  EXPECT_EQ(form(coalesced(addresses, gather(kAll))), "load");
}

TEST(ContiguousAccess, UnsignedIndicesThatWrapPointBeforeTheStart) {
  // Those before the start are far outside, and masked off.
  const std::string wrapping = add(kLanes) + R"(
      %wide = zext <8 x i32> %index to <8 x i64>
      %pointers = getelementptr i32, ptr %middle, <8 x i64> %wide)" +
                               indexBelow("30");
  const std::vector<uint32_t> xs{0, 9, 0xfffffffc, 0xffffffff, 0xfffffff9, 0x7fffffff};
  EXPECT_EQ(form(coalesced(wrapping, gather("%mask"), xs)), "masked load");
  EXPECT_EQ(form(coalesced(wrapping, scatter("%mask"), xs)), "masked store");
}

TEST(ContiguousAccess, IndicesThatAllPointIntoTheBufferDoNotWrap) {
  auto text = [](const std::string& base, const std::string& mask) {
    return coalesced(add(kLanes) + base + R"(
      %wide = zext <8 x i32> %index to <8 x i64>
      %pointers = getelementptr i32, ptr %base, <8 x i64> %wide)" +
                         indexBelow("30"),
                     gather(mask));
  };
  const std::string in_buffer = "\n%base = getelementptr i32, ptr %words, i64 2";
  EXPECT_THAT(text(in_buffer, kAll), Not(HasSubstr("select")));
  EXPECT_THAT(text(in_buffer, "%mask"), HasSubstr("select"));
  // Objects behind physical addresses, and behind pointers that move, may be larger.
  const std::string physical = R"(
      %address = ptrtoint ptr %words to i64
      %base = inttoptr i64 %address to ptr)";
  EXPECT_THAT(text(physical, kAll), HasSubstr("select"));
  const std::string moved = R"(
      %by = sext i32 %x to i64
      %base = getelementptr i32, ptr %words, i64 %by)";
  EXPECT_THAT(text(moved, kAll), HasSubstr("select"));
}

TEST(ContiguousAccess, NonNegativeIndicesAreWidenedAsTheyAre) {
  const std::string body = add(kLanes) + R"(
      %wide = zext nneg <8 x i32> %index to <8 x i64>
      %pointers = getelementptr i32, ptr %middle, <8 x i64> %wide)";
  const std::string text = coalesced(body, gather(kAll));
  EXPECT_EQ(form(text), "load");
  EXPECT_THAT(text, Not(HasSubstr("select")));
}

}  // namespace
}  // namespace jit::simt
