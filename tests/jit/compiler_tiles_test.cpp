// SPDX-License-Identifier: Apache-2.0

// When the compiler asks for tiles of the hardware, and what it does without them.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <set>

#include "jit/compiler.h"
#include "jit/kernel_binary.h"
#include "jit/spirv/capabilities.h"
#include "tests/jit/spirv/assembled_module.h"
#include "tests/support/amx_tiles.h"
#include "tests/support/tile_refusal.h"

namespace jit {
namespace {

constexpr uint32_t kHeader[] = {0x07230203, 0x00010600, 0, 10, 0};
constexpr uint32_t kShader = 1, kMatrices = 6022, kOldMatrices = 5357, kBfloatMatrices = 5118;

// The header and the beginning of a module, which is not looked at further for a key.
std::vector<uint32_t> declaring(const std::vector<uint32_t>& capabilities) {
  std::vector<uint32_t> words(std::begin(kHeader), std::end(kHeader));
  for (uint32_t capability : capabilities) {
    words.push_back(2 << 16 | 17);
    words.push_back(capability);
  }
  words.insert(words.end(), {3 << 16 | 14, 0, 3});  // OpMemoryModel
  return words;
}

TEST(DeclaredMatrices, AreFoundAmongCapabilities) {
  using spirv::declaresMatrices;
  EXPECT_FALSE(declaresMatrices(declaring({kShader})));
  EXPECT_TRUE(declaresMatrices(declaring({kShader, kMatrices})));
  EXPECT_TRUE(declaresMatrices(declaring({kOldMatrices})));
  EXPECT_TRUE(declaresMatrices(declaring({kBfloatMatrices})));
  std::vector<uint32_t> late = declaring({kShader});
  late.insert(late.end(), {2 << 16 | 17, kMatrices});
  EXPECT_FALSE(declaresMatrices(late)) << "behind the memory model";
}

TEST(DeclaredMatrices, AnyWordsWillDo) {
  using spirv::declaresMatrices;
  EXPECT_FALSE(declaresMatrices({}));
  EXPECT_FALSE(declaresMatrices(std::span(kHeader).first(3)));
  EXPECT_FALSE(declaresMatrices(kHeader));
  const std::vector<uint32_t> module = declaring({kShader, kMatrices});
  for (size_t length = 0; length < module.size(); ++length)
    EXPECT_EQ(declaresMatrices(std::span(module).first(length)), length >= 9) << length;
  for (const uint32_t first : {17u, 1u << 16 | 17, 0xffffu << 16 | 17, 3u << 16 | 17}) {
    std::vector<uint32_t> words(std::begin(kHeader), std::end(kHeader));
    words.insert(words.end(), {first, kMatrices, 0, 0});
    EXPECT_FALSE(declaresMatrices(words)) << first;
  }
  std::mt19937 engine(1);
  for (int i = 0; i < 10'000; ++i) {
    std::vector<uint32_t> words(engine() % 40);
    for (uint32_t& word : words)
      word = static_cast<uint32_t>(engine()) & (i % 2 ? 0x0007001f : ~0u);
    declaresMatrices(words);
  }
}

std::unique_ptr<Compiler> compilerFor(rt::Tiles tiles, std::vector<std::string>* warnings) {
  auto created = Compiler::create(
      {.isa = rt::hostIsa(), .tiles = tiles, .warn = [warnings](std::string_view warning) {
         if (warnings != nullptr) warnings->emplace_back(warning);
       }});
  return std::get<0>(std::move(created));
}

KernelRequest requestFor(std::span<const uint32_t> words) {
  return {.spirv = words, .entry_point = "main"};
}

TEST(CompilerTiles, EmulatedKernelsHaveKeysOfTheirOwn) {
  const std::vector<uint32_t> words = declaring({kMatrices});
  std::set<KernelKey> keys;
  for (const rt::Tiles tiles : {rt::Tiles::Emulated, rt::Tiles::EmulatedNext})
    keys.insert(compilerFor(tiles, nullptr)->keyOf(requestFor(words)));
  keys.insert(keyOf(requestFor(words), makeTarget(rt::hostIsa())));
  EXPECT_EQ(keys.size(), 3u);
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// By ARCH_GET_XCOMP_PERM.
bool isPermitted() {
  uint64_t permitted = 0;
  return syscall(SYS_arch_prctl, 0x1022, &permitted) == 0 && (permitted >> 18 & 1) != 0;
}

const std::vector<uint32_t>& emptyShader() {
  static const std::vector<uint32_t> words =
      spirv::assemble(spirv::shader("", "%entry = OpLabel\nOpReturn\nOpFunctionEnd"));
  return words;
}

// A kernel that says of itself that it needs tiles.
std::vector<std::byte> binaryWithTiles(Compiler& compiler) {
  std::vector<std::byte> binary;
  auto compiled = compiler.compile(requestFor(emptyShader()), {.binary = &binary});
  require(compiled.index() == 0, "the shader compiles");
  auto parts = readBinary(binary);
  require(bool(parts), "it is read");
  parts->kernel.uses_tiles = true;
  return writeBinary(parts->kernel, parts->object);
}

// In new processes, since what is granted stays so.
class CompilerTilesDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!rt::amxInProcessor()) GTEST_SKIP() << "no AMX here";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

[[noreturn]] void asksForMatricesOnly() {
  std::vector<std::string> warnings;
  auto compiler = compilerFor(rt::Tiles::Hardware, &warnings);
  const KernelKey empty = compiler->keyOf({});
  require(compiler->compile(requestFor(emptyShader())).index() == 0, "the shader compiles");
  require(!isPermitted(), "no permission for shaders without matrices");
  auto emulating = compilerFor(rt::Tiles::Emulated, &warnings);
  const std::vector<uint32_t> matrices = declaring({kMatrices});
  emulating->keyOf(requestFor(matrices));
  require(!isPermitted(), "none for emulated tiles");
  require(compiler->keyOf(requestFor(matrices)) ==
              keyOf(requestFor(matrices), makeTarget(rt::Isa::Amx)),
          "the key is that with tiles");
  require(isPermitted(), "the permission is there");
  require(compiler->keyOf({}) == empty, "the key of no module is what it was");
  require(compiler->load(binaryWithTiles(*compiler)).index() == 0, "a kernel with tiles loads");
  require(warnings.empty(), "no warning");
  std::exit(0);
}

TEST_F(CompilerTilesDeathTest, AsksForMatricesOnly) {
  EXPECT_EXIT(asksForMatricesOnly(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void doesWithoutWhereRefused() {
  require(rt::refuseTiles(), "the filter is there");
  std::vector<std::string> warnings;
  auto compiler = compilerFor(rt::Tiles::Hardware, &warnings);
  const std::vector<uint32_t> matrices = declaring({kMatrices});
  for (int i = 0; i < 2; ++i) {
    require(compiler->keyOf(requestFor(matrices)) ==
                keyOf(requestFor(matrices), withoutHardwareTiles(makeTarget(rt::Isa::Amx))),
            "the key is that without tiles");
  }
  require(compiler->keyOf(requestFor(matrices)) !=
              keyOf(requestFor(matrices), makeTarget(rt::Isa::Amx)),
          "which is another one");
  auto loaded = compiler->load(binaryWithTiles(*compiler));
  require(loaded.index() == 1, "a kernel with tiles does not load");
  require(std::get<1>(loaded).kind == CompileError::Kind::Unsupported, "as unsupported");
  require(warnings.size() == 1, "one warning");
  require(warnings[0].find("AMX tiles are not used") != std::string::npos &&
              warnings[0].find("Operation not permitted") != std::string::npos &&
              warnings[0].find("seccomp") != std::string::npos &&
              warnings[0].find("TESSERA_ISA=avx512") != std::string::npos,
          warnings[0].c_str());
  std::exit(0);
}

TEST_F(CompilerTilesDeathTest, DoesWithoutWhereRefused) {
  EXPECT_EXIT(doesWithoutWhereRefused(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace jit
