// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_unit.h"

#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "runtime/cpu_features.h"
#include "runtime/kernel_library/tile_products.h"
#include "tests/support/amx_tiles.h"
#include "tests/support/sanitizer.h"

namespace rt {
namespace {

constexpr uint32_t kOne = 0x3f800000;

using TileFunction = void (*)(uint64_t c, uint64_t a, uint64_t b);

std::byte* bytesOf(Tile& tile) { return reinterpret_cast<std::byte*>(&tile); }

// Row 0 of `a` times column 0 of `b`, added to `c`; zeros behind the groups that are given.
uint32_t dot(TileFunction function, uint32_t c, const std::vector<uint32_t>& a,
             const std::vector<uint32_t>& b) {
  Tile tiles[3] = {};
  tiles[0].row[0][0] = c;
  for (size_t k = 0; k < a.size(); ++k) {
    tiles[1].row[0][k] = a[k];
    tiles[2].row[k][0] = b[k];
  }
  for (uint64_t i = 0; i < 3; ++i) tileLoad(i, bytesOf(tiles[i]), 64);
  function(0, 1, 2);
  tileStore(0, bytesOf(tiles[0]), 64);
  return tiles[0].row[0][0];
}

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(TileUnit, LoadsAndStoresRows) {
  std::vector<uint32_t> memory(16 * 20);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<uint32_t>(i);
  tileLoad(5, reinterpret_cast<const std::byte*>(memory.data()), 80);
  Tile tile;
  tileStore(5, bytesOf(tile), 64);
  for (uint32_t row = 0; row < 16; ++row)
    for (uint32_t n = 0; n < 16; ++n) ASSERT_EQ(tile.row[row][n], row * 20 + n);
  tileZero(5);
  tileStore(5, reinterpret_cast<std::byte*>(memory.data()), 80);
  EXPECT_EQ(memory[0], 0u);
  EXPECT_EQ(memory[16], 16u) << "between the rows";
  EXPECT_EQ(memory[20 * 15 + 15], 0u);
}

TEST(TileUnit, EachThreadHasItsOwnTiles) {
  Tile tile = {};
  tile.row[3][4] = 7;
  tileLoad(2, bytesOf(tile), 64);
  std::thread([] { tileZero(2); }).join();
  Tile read;
  tileStore(2, bytesOf(read), 64);
  EXPECT_EQ(read.row[3][4], 7u);
}

TEST(TileUnit, EachElementOfAProduct) {
  Tile a, b, c;
  for (uint32_t i = 0; i < 16; ++i) {
    for (uint32_t j = 0; j < 16; ++j) {
      a.row[i][j] = i * 0x01020304 + j;
      b.row[i][j] = j * 0x04010203 + 7 * i;
      c.row[i][j] = i * 1000 + j;
    }
  }
  tileLoad(0, bytesOf(c), 64);
  tileLoad(6, bytesOf(a), 64);
  tileLoad(7, bytesOf(b), 64);
  tileDotUU(0, 6, 7);
  Tile result;
  tileStore(0, bytesOf(result), 64);
  for (uint32_t m = 0; m < 16; ++m) {
    for (uint32_t n = 0; n < 16; ++n) {
      uint32_t expected = c.row[m][n];
      for (uint32_t k = 0; k < 16; ++k)
        for (uint32_t byte = 0; byte < 4; ++byte)
          expected += (a.row[m][k] >> (8 * byte) & 0xff) * (b.row[k][n] >> (8 * byte) & 0xff);
      ASSERT_EQ(result.row[m][n], expected) << m << ", " << n;
    }
  }
}

TEST(TileUnit, Bytes) {
  EXPECT_EQ(dot(tileDotSS, 0, {0x80ff7f01}, {0x80027f03}), 16384u - 2 + 16129 + 3);
  EXPECT_EQ(dot(tileDotSU, 0, {0xff}, {0xff}), uint32_t(-255));
  EXPECT_EQ(dot(tileDotUS, 0, {0xff}, {0x80}), uint32_t(-255 * 128));
  EXPECT_EQ(dot(tileDotUU, 0xffffffff, {0xff}, {0xff}), 65024u) << "modulo 2^32";
  EXPECT_EQ(dot(tileDotSS, 0x7fffffff, {1}, {1}), 0x80000000u) << "and not saturating";
}

TEST(TileUnit, EvenAndOddStepsAreSummedForThemselves) {
  // 2^24 + 1 + 1 in binary32: the ones are lost one by one, and not in a sum of their own.
  const uint32_t large = 0x4b80, one = 0x3f80;
  EXPECT_EQ(dot(tileDotBf16, 0, {large, one, one}, {one, one, one}), bits(0x1p24f));
  EXPECT_EQ(dot(tileDotBf16, 0, {large | one << 16, one << 16}, {one | one << 16, one << 16}),
            bits(0x1p24f + 2));
  EXPECT_EQ(dot(tileDotBf16, bits(0x1p24f), {one, one}, {one, one}), bits(0x1p24f + 2))
      << "c is added at the end";
}

TEST(TileUnit, ProductsOfBf16AreFused) {
  // (1 + 2^-7)^2 - (1 + 2^-6) = 2^-14, which a rounding to 24 bits before would keep, too; in a sum
  // with 2^-30 it must be there.
  EXPECT_EQ(dot(tileDotBf16, 0, {0x3f81, 0xbf82, 0x3080}, {0x3f81, 0x3f80, 0x3f80}),
            bits(0x1p-14f + 0x1p-30f));
  // 2^-126 * (1 - 2^-8) + 2^-126, rounded once; the product itself is subnormal.
  EXPECT_EQ(dot(tileDotBf16, 0, {0x0080, 0x3f7f}, {0x3f80, 0x0080}), bits(0x1.ffp-126f));
}

TEST(TileUnit, SubnormalNumbersAreZeros) {
  EXPECT_EQ(dot(tileDotBf16, 0, {0x0001}, {0x7f00}), 0u) << "of an operand";
  EXPECT_EQ(dot(tileDotBf16, 1, {}, {}), 0u) << "in c";
  EXPECT_EQ(dot(tileDotBf16, 0, {0x2000}, {0x1f00}), 0u) << "as a result";
  EXPECT_EQ(dot(tileDotBf16, 0, {0x7f80}, {0x0001}), 0xffc00000u) << "infinity times zero";
  EXPECT_EQ(dot(tileDotF16, 0, {0x0001}, {0x3c00}), bits(0x1p-24f)) << "but not of a half";
  EXPECT_EQ(dot(tileDotF16, 0, {0x83ff}, {0x0001}), bits(-1023 * 0x1p-48f));
  EXPECT_EQ(dot(tileDotTf32, 0, {0x00400000}, {bits(0x1p126f)}), 0u);
}

TEST(TileUnit, ZerosAndInfinities) {
  const uint32_t minus = 0x80000000;
  EXPECT_EQ(dot(tileDotBf16, minus, {}, {}), 0u);
  EXPECT_EQ(dot(tileDotBf16, 0, {0x7f80}, {0xff80}), 0xff800000u);
  EXPECT_EQ(dot(tileDotBf16, 0, {0x7f7f}, {0x7f7f}), 0x7f800000u) << "overflow";
  EXPECT_EQ(dot(tileDotBf16, 0, {0x7f80 | 0xff80u << 16}, {0x3f80 | 0x3f80 << 16}), 0xffc00000u);
  EXPECT_EQ(dot(tileDotF16, 0, {0x7c00}, {0xbc00}), 0xff800000u);
}

TEST(TileUnit, WhichNan) {
  const uint32_t signalling = 0x7f81, quiet = 0xffc2, one = 0x3f80;
  EXPECT_EQ(dot(tileDotBf16, 0, {signalling}, {quiet}), 0x7fc10000u) << "that of a, quiet";
  EXPECT_EQ(dot(tileDotBf16, 0, {one}, {quiet}), 0xffc20000u);
  EXPECT_EQ(dot(tileDotBf16, 0, {signalling, quiet}, {one, one}), 0xffc20000u)
      << "the product's, not the sum's";
  EXPECT_EQ(dot(tileDotBf16, 0, {quiet | signalling << 16}, {one | one << 16}), 0xffc20000u)
      << "that of the even steps";
  EXPECT_EQ(dot(tileDotBf16, 0x7fa00001, {quiet}, {one}), 0x7fe00001u) << "that of c";
  EXPECT_EQ(dot(tileDotF16, 0, {0x7d01}, {0x3c00}), 0x7fe02000u);
  EXPECT_EQ(dot(tileDotTf32, 0, {0xff800001}, {kOne}), 0xffc00000u) << "not an infinity";
}

TEST(TileUnit, FloatsOf8Bits) {
  // E4M3: 0x38 is 1, 0x01 is 2^-9, 0x7e is 448, 0x7f a NaN. E5M2: 0x3c is 1, 0x01 is 2^-16, 0x7c
  // infinity.
  EXPECT_EQ(dot(tileDotHH, bits(0.5f), {0x38383838}, {0x38383838}), bits(4.5f));
  EXPECT_EQ(dot(tileDotBB, bits(0.5f), {0x3c3c3c3c}, {0x3c3c3c3c}), bits(4.5f));
  EXPECT_EQ(dot(tileDotBH, 0, {0xbc}, {0x7e}), bits(-448.0f));
  EXPECT_EQ(dot(tileDotHB, 0, {0x7e}, {0xbc}), bits(-448.0f));
  EXPECT_EQ(dot(tileDotHH, 0, {0x07}, {0x38}), bits(7 * 0x1p-9f));
  EXPECT_EQ(dot(tileDotBB, 0, {0x01}, {0x83}), bits(-3 * 0x1p-32f));
  EXPECT_EQ(dot(tileDotBB, 0, {0x7c}, {0xbc}), 0xff800000u);
  EXPECT_EQ(dot(tileDotHH, 0, {0x7f}, {0x38}), 0x7ff00000u);
  EXPECT_EQ(dot(tileDotHH, 0, {0xff}, {0x38}), 0xfff00000u);
  EXPECT_EQ(dot(tileDotBB, 0, {0x7d}, {0x3c}), 0x7fe00000u);
  // 2^30 + 2^-32 - 2^30: the pairs are (first, second) and (third, fourth).
  EXPECT_EQ(dot(tileDotBB, 0, {0x00f80178}, {0x00780178}), 0u);
  EXPECT_EQ(dot(tileDotBB, 0, {0x0100f878}, {0x01007878}), bits(0x1p-32f));
}

TEST(TileUnit, Tf32DropsThirteenBits) {
  EXPECT_EQ(dot(tileDotTf32, 0, {kOne | 0x1fff}, {kOne}), kOne) << "towards zero";
  EXPECT_EQ(dot(tileDotTf32, 0, {kOne | 0x2000}, {kOne | 0x2000}), bits(0x1.004p+0f * 0x1.004p+0f));
  EXPECT_EQ(dot(tileDotTf32, kOne | 1, {}, {}), kOne | 1) << "not of c";
}

TEST(TileUnit, MxcsrIsNeitherReadNorWritten) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(0x1f80 | 0x6000);  // towards zero
  const uint32_t sum = dot(tileDotBf16, bits(0x1p24f), {0x4040}, {0x3f80});
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(sum, bits(0x1p24f + 4)) << "to even";
  EXPECT_EQ(after, 0x1f80u | 0x6000) << "no flag of an exception";
}

// --- Random operands ---

enum class Content { Bytes, Bf16, F16, F8, Tf32 };

// A tile of numbers of the format: any bits; in other tiles all with about the same exponent, few
// bits of mantissa, and now and then a special one.
class Operands {
 public:
  explicit Operands(uint32_t seed) : engine_(seed) {}

  Tile tile(Content content) {
    Tile tile;
    choose();
    for (auto& row : tile.row) {
      for (uint32_t& group : row) {
        switch (content) {
          case Content::Bf16:
            group = number() >> 16 | (number() & 0xffff0000);
            break;
          case Content::Tf32:
            group = number();
            break;
          case Content::F16:
          case Content::F8:
          case Content::Bytes:
            group = draw();
            if (draw() % 4 == 0) group &= 0x0f0f0f0f;
            break;
        }
      }
    }
    return tile;
  }

 private:
  uint32_t draw() { return static_cast<uint32_t>(engine_()); }

  void choose() {
    any_bits_ = draw() % 8 == 0;
    constexpr uint32_t kCentres[] = {1, 8, 40, 63, 64, 66, 100, 126, 127, 128, 150, 190, 248};
    exponent_ = kCentres[draw() % std::size(kCentres)];
    spread_ = 1 + draw() % 7;
    mantissa_ = draw() % 2 == 0 ? 0x007fffff : 0x007f0000u << (draw() % 6);
    specials_ = draw() % 3 == 0 ? 0 : 1 + draw() % 60;
  }

  uint32_t number() {
    if (any_bits_) return draw();
    if (draw() % 1000 < specials_) {
      constexpr uint32_t kSpecials[] = {0,          0x00010000, 0x007fffff, 0x00800000, 0x7f7fffff,
                                        0x7f800000, 0x7f810000, 0x7fc30000, 0x7fffffff, 0x3f800000};
      return kSpecials[draw() % std::size(kSpecials)] | (draw() & 0x80000000);
    }
    const uint32_t exponent = std::min(exponent_ + draw() % spread_, 254u);
    return (draw() & 0x80000000) | exponent << 23 | (draw() & mantissa_ & 0x007fffff);
  }

  std::mt19937 engine_;
  bool any_bits_ = false;
  uint32_t exponent_ = 0, spread_ = 1, mantissa_ = 0, specials_ = 0;
};

struct Instruction {
  const char* name;
  TileProducts::Product TileProducts::* product;
  AmxProduct hardware;  // null: none that could be tried
  Content operands;
};

constexpr Instruction kInstructions[] = {
    {"TDPBSSD", &TileProducts::ss, amxDotSS, Content::Bytes},
    {"TDPBSUD", &TileProducts::su, amxDotSU, Content::Bytes},
    {"TDPBUSD", &TileProducts::us, amxDotUS, Content::Bytes},
    {"TDPBUUD", &TileProducts::uu, amxDotUU, Content::Bytes},
    {"TDPBF16PS", &TileProducts::bf16, amxDotBf16, Content::Bf16},
    {"TDPFP16PS", &TileProducts::f16, nullptr, Content::F16},
    {"TDPBF8PS", &TileProducts::bb, nullptr, Content::F8},
    {"TDPBHF8PS", &TileProducts::bh, nullptr, Content::F8},
    {"TDPHBF8PS", &TileProducts::hb, nullptr, Content::F8},
    {"TDPHF8PS", &TileProducts::hh, nullptr, Content::F8},
    {"TMMULTF32PS", &TileProducts::tf32, nullptr, Content::Tf32},
};

Tile run(const TileProducts& products, const Instruction& instruction, const Tile& c, const Tile& a,
         const Tile& b) {
  const FlushingScope flushing;
  Tile result = c;
  (products.*instruction.product)(result, a, b);
  return result;
}

std::string difference(const Tile& actual, const Tile& expected) {
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) {
      if (actual.row[m][n] == expected.row[m][n]) continue;
      char text[100];
      std::snprintf(text, sizeof text, "row %d, column %d: %08x instead of %08x", m, n,
                    actual.row[m][n], expected.row[m][n]);
      return text;
    }
  }
  return "";
}

// Of 512 to 2048 operands each, and 256 sums.
#if defined(NDEBUG) && !TESSERA_ADDRESS_SANITIZER
constexpr int kTiles = 4000;
#else
constexpr int kTiles = 400;
#endif

TEST(TileUnit, AllProcessorsComputeTheSame) {
  if (!hostCpuFeatures().avx2 || !hostCpuFeatures().fma) GTEST_SKIP() << "no AVX2 and FMA here";
  for (const Instruction& instruction : kInstructions) {
    Operands operands(1);
    for (int i = 0; i < kTiles / 8; ++i) {
      const Tile a = operands.tile(instruction.operands), b = operands.tile(instruction.operands);
      const Tile c = operands.tile(Content::Tf32);
      ASSERT_EQ(difference(run(kTileProducts, instruction, c, a, b),
                           run(kTileProductsFma, instruction, c, a, b)),
                "")
          << instruction.name << ", tile " << i;
    }
  }
}

TEST(TileUnit, HardwareComputesTheSame) {
  if (!amxIsHere()) GTEST_SKIP() << "no AMX here: the results are not held against the hardware's";
  for (const Instruction& instruction : kInstructions) {
    if (instruction.hardware == nullptr) continue;
    Operands operands(2);
    for (int i = 0; i < kTiles; ++i) {
      const Tile a = operands.tile(instruction.operands), b = operands.tile(instruction.operands);
      const Tile c = operands.tile(Content::Tf32);
      Tile expected = c;
      instruction.hardware(expected, a, b);
      const TileProducts& products = hostCpuFeatures().fma ? kTileProductsFma : kTileProducts;
      ASSERT_EQ(difference(run(products, instruction, c, a, b), expected), "")
          << instruction.name << ", tile " << i;
    }
  }
}

}  // namespace
}  // namespace rt
