// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/machine/tile_unit.h"

#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/codegen/codegen.h"
#include "jit/passes/machine/function_parts.h"
#include "tests/jit/ir/ir_kernel.h"
#include "tests/support/amx_tiles.h"

namespace jit {
namespace {

using rt::tilesAreInUse;
using test::IrModule;
using test::KernelMemory;

// Words 0 to 255 += the products of bytes in words 256 to 511 and 512 to 767, as often as word 768
// says, in a function of their own. Ends early where word 769 is not 0.
constexpr char kProgram[] = R"(
  define internal void @multiply() noinline {
    call void @llvm.x86.tdpbusd(i8 0, i8 5, i8 7)
    ret void
  }
  define void @kernel(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z, i32 %count) {
  entry:
    %words = load ptr, ptr %dispatch
    %at.a = getelementptr i32, ptr %words, i32 256
    %at.b = getelementptr i32, ptr %words, i32 512
    %at.times = getelementptr i32, ptr %words, i32 768
    %at.stop = getelementptr i32, ptr %words, i32 769
    call void @llvm.x86.tilezero(i8 0)
    call void @llvm.x86.tileloadd64(i8 0, ptr %words, i64 64)
    call void @llvm.x86.tileloadd64(i8 5, ptr %at.a, i64 64)
    call void @llvm.x86.tileloadd64(i8 7, ptr %at.b, i64 64)
    %times = load i32, ptr %at.times
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %i.next, %iteration ]
    %stop = load i32, ptr %at.stop
    %stopped = icmp ne i32 %stop, 0
    br i1 %stopped, label %end.early, label %iteration
  iteration:
    call void @multiply()
    %i.next = add i32 %i, 1
    %more = icmp ult i32 %i.next, %times
    br i1 %more, label %loop, label %end
  end:
    call void @llvm.x86.tilestored64(i8 0, ptr %words, i64 64)
    ret void
  end.early:
    ret void
  }
  declare void @llvm.x86.tilezero(i8)
  declare void @llvm.x86.tileloadd64(i8, ptr, i64)
  declare void @llvm.x86.tilestored64(i8, ptr, i64)
  declare void @llvm.x86.tdpbusd(i8, i8, i8)
)";

void fill(std::vector<uint32_t>& words) {
  for (uint32_t i = 0; i < 768; ++i) words[i] = i * 0x9e3779b9u;
  words[768] = 3;
  words[769] = 0;
}

std::vector<uint32_t> expected() {
  std::vector<uint32_t> words(770);
  fill(words);
  for (uint32_t m = 0; m < 16; ++m) {
    for (uint32_t n = 0; n < 16; ++n) {
      for (uint32_t step = 0; step < 64; ++step) {
        const uint32_t a = words[256 + 16 * m + step / 4] >> (8 * (step % 4)) & 0xff;
        const auto b = static_cast<int8_t>(words[512 + 16 * (step / 4) + n] >> (8 * (step % 4)));
        words[16 * m + n] += 3 * a * static_cast<uint32_t>(int32_t{b});
      }
    }
  }
  return words;
}

void runAndCompare(IrModule& module, const Target& target, uint64_t scratch_bytes = 0) {
  ASSERT_EQ(module.complaints(), "") << module.text();
  auto kernel = module.load("kernel", target);
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  KernelMemory memory(770, 0, scratch_bytes);
  fill(memory.words);
  memory.run(*kernel);
  EXPECT_EQ(memory.words, expected());
  // Both of its ends release the tiles.
  memory.words[769] = 1;
  if (!target.emulates_tiles) {
    EXPECT_FALSE(tilesAreInUse());
  }
  memory.run(*kernel);
  if (!target.emulates_tiles) {
    EXPECT_FALSE(tilesAreInUse());
  }
}

TEST(TileInstructions, AreEmulatedEverywhere) {
  for (const rt::Isa isa : {rt::Isa::Reference, rt::hostIsa()}) {
    const Target target = makeTarget(isa, rt::Tiles::Emulated);
    IrModule module(kProgram);
    EXPECT_TRUE(emulateTiles(*module));
    EXPECT_FALSE(emulateTiles(*module));
    EXPECT_FALSE(configureTiles(*module->getFunction("kernel")));
    runAndCompare(module, target);
  }
}

TEST(TileInstructions, OfTheHardwareAreConfiguredAndReleased) {
  if (!rt::amxIsHere()) GTEST_SKIP() << "no AMX here";
  IrModule module(kProgram);
  EXPECT_TRUE(configureTiles(*module->getFunction("kernel")));
  runAndCompare(module, makeTarget(rt::Isa::Amx));
}

TEST(TileInstructions, TilesLiveOnFromPartToPart) {
  if (!rt::amxIsHere()) GTEST_SKIP() << "no AMX here";
  IrModule module(kProgram);
  const uint64_t scratch = splitIntoParts(*module->getFunction("kernel"), 64, 0,
                                          {.whole = 1, .whole_blocks = 1, .part = 1});
  ASSERT_NE(scratch, 0u) << "it has parts";
  EXPECT_TRUE(configureTiles(*module->getFunction("kernel")));
  runAndCompare(module, makeTarget(rt::Isa::Amx), scratch);
}

TEST(TileInstructions, MachineCode) {
  Target target = makeTarget(rt::Isa::Reference);
  target.feature_string += ",+amx-tile,+amx-int8";
  IrModule module(kProgram);
  configureTiles(*module->getFunction("kernel"));
  auto assembly = generateAssembly(*module, target);
  ASSERT_TRUE(bool(assembly));
  const std::string code = assembly->substr(assembly->find("\nkernel:"));
  auto count = [&](const std::string& mnemonic) {
    size_t found = 0;
    for (size_t at = 0; (at = code.find("\t" + mnemonic, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("ldtilecfg"), 1u) << code;
  EXPECT_EQ(count("tilerelease"), count("ret")) << code;
  EXPECT_EQ(count("tileloadd"), 3u) << code;
  EXPECT_LT(code.find("ldtilecfg"), code.find("tilezero")) << code;
}

TEST(TargetWithTiles, EmulatedOnesAreThereAtEveryCeiling) {
  for (const rt::Isa isa : {rt::Isa::Reference, rt::hostIsa()}) {
    const Target emulated = makeTarget(isa, rt::Tiles::Emulated);
    EXPECT_TRUE(emulated.emulates_tiles);
    EXPECT_TRUE(emulated.features.amx_tile && emulated.features.amx_int8 &&
                emulated.features.amx_bf16);
    EXPECT_FALSE(emulated.features.amx_fp16 || emulated.features.amx_fp8);
    EXPECT_EQ(emulated.feature_string.find("amx"), std::string::npos);
    const Target next = makeTarget(isa, rt::Tiles::EmulatedNext);
    EXPECT_TRUE(next.features.amx_bf16 && next.features.amx_fp16);
    EXPECT_EQ(next.feature_string, emulated.feature_string);
    EXPECT_TRUE(withoutHardwareTiles(next).features.amx_fp16);
  }
  const Target hardware = makeTarget(rt::hostIsa());
  EXPECT_FALSE(hardware.emulates_tiles);
  EXPECT_EQ(hardware.features.amx_tile, rt::hostCpuFeatures().amx_tile);
  const Target without = withoutHardwareTiles(hardware);
  EXPECT_FALSE(without.features.amx_tile || without.features.amx_bf16);
  EXPECT_EQ(without.feature_string.find("amx"), std::string::npos);
  EXPECT_EQ(without.features.avx512_bf16, hardware.features.avx512_bf16);
}

TEST(TargetWithTiles, LlvmKnowsAllFeatures) {
  testing::internal::CaptureStderr();
  for (const rt::Isa isa : {rt::Isa::Reference, rt::hostIsa()})
    EXPECT_TRUE(bool(createTargetMachine(makeTarget(isa))));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace jit
