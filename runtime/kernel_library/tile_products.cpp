// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/tile_products.h"

#include <xmmintrin.h>

#include <bit>
#include <cmath>

// So that each of the functions at the end is compiled as a whole for its processor.
#define TESSERA_INLINE [[gnu::always_inline]] inline

namespace rt {
namespace {

constexpr int kLines = 16;    // rows of a tile
constexpr int kColumns = 16;  // numbers of 32 bits in a row: columns, or groups of K

constexpr uint32_t kSignBit = 0x80000000;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kQuietBit = 0x00400000;
constexpr uint32_t kDefaultNan = 0xffc00000;

// --- Integers ---

// Byte `place` of a group of four.
template <typename Byte>
TESSERA_INLINE uint32_t widenByte(uint32_t group, int place) {
  return static_cast<uint32_t>(int32_t{static_cast<Byte>(group >> (8 * place))});
}

template <typename ByteA, typename ByteB>
TESSERA_INLINE void dotBytes(Tile& c, const Tile& a, const Tile& b) {
  uint32_t wide[kColumns][4][kColumns];  // of b: group of K, byte, column
  for (int k = 0; k < kColumns; ++k)
    for (int place = 0; place < 4; ++place)
      for (int n = 0; n < kColumns; ++n) wide[k][place][n] = widenByte<ByteB>(b.row[k][n], place);
  for (int m = 0; m < kLines; ++m) {
    uint32_t sum[kColumns];
    for (int n = 0; n < kColumns; ++n) sum[n] = c.row[m][n];
    for (int k = 0; k < kColumns; ++k) {
      for (int place = 0; place < 4; ++place) {
        const uint32_t factor = widenByte<ByteA>(a.row[m][k], place);
        for (int n = 0; n < kColumns; ++n) sum[n] += factor * wide[k][place][n];
      }
    }
    for (int n = 0; n < kColumns; ++n) c.row[m][n] = sum[n];
  }
}

// --- Formats: what a number in a group of 32 bits is as binary32 ---

struct Bf16 {
  static constexpr int kPlaces = 2;
  TESSERA_INLINE static float widen(uint32_t group, int place) {
    return std::bit_cast<float>(group >> (16 * place) << 16);
  }
};

TESSERA_INLINE float widenHalf(uint32_t half) {
  const uint32_t sign = (half & 0x8000) << 16;
  const uint32_t magnitude = half & 0x7fff;
  // Of a subnormal number the mantissa counts steps of 2^-24; others get the larger bias.
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  const uint32_t finite = (magnitude << 13) + (112u << 23);
  const uint32_t other = magnitude << 13 | kInfinity;
  const uint32_t normal = magnitude < 0x7c00 ? finite : other;
  return std::bit_cast<float>(sign | (magnitude < 0x400 ? subnormal : normal));
}

struct F16 {
  static constexpr int kPlaces = 2;
  TESSERA_INLINE static float widen(uint32_t group, int place) {
    return widenHalf(group >> (16 * place) & 0xffff);
  }
};

// A half without its low byte.
struct E5M2 {
  static constexpr int kPlaces = 4;
  TESSERA_INLINE static float widen(uint32_t group, int place) {
    return widenHalf((group >> (8 * place) & 0xff) << 8);
  }
};

// No infinities, and a NaN for each sign.
struct E4M3 {
  static constexpr int kPlaces = 4;
  TESSERA_INLINE static float widen(uint32_t group, int place) {
    const uint32_t byte = group >> (8 * place) & 0xff;
    const uint32_t sign = (byte & 0x80) << 24;
    const uint32_t magnitude = byte & 0x7f;
    const uint32_t subnormal =
        std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-9f);
    const uint32_t finite = (magnitude << 20) + (120u << 23);
    const uint32_t other = kInfinity | 0x7u << 20;
    const uint32_t normal = magnitude < 0x7f ? finite : other;
    return std::bit_cast<float>(sign | (magnitude < 8 ? subnormal : normal));
  }
};

struct Tf32 {
  static constexpr int kPlaces = 1;
  // A NaN must not lose its last bit.
  TESSERA_INLINE static float widen(uint32_t group, int) {
    const uint32_t quiet = (group & ~kSignBit) > kInfinity ? kQuietBit : 0;
    return std::bit_cast<float>((group | quiet) & 0xffffe000);
  }
};

// --- Sums ---

// How many sums a column has until the end.
template <typename Format>
constexpr int kSums = Format::kPlaces == 1 ? 1 : 2;

// What the compiler makes of the operators, whole vectors at a time.
struct PlainMath {
  TESSERA_INLINE static float multiply(float x, float y) { return x * y; }
  TESSERA_INLINE static float add(float x, float y) { return x + y; }
  TESSERA_INLINE static float fma(float x, float y, float z) { return std::fma(x, y, z); }
};

TESSERA_INLINE bool isNan(float x) { return (std::bit_cast<uint32_t>(x) & ~kSignBit) > kInfinity; }

// The same, and of several NaNs that one which the instructions choose: the first, in the order of
// the operands here. What the compiler makes of the plain operators may swap operands.
struct MathWithNans {
  static float quiet(float nan) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(nan) | kQuietBit);
  }
  static float made(float x) { return isNan(x) ? std::bit_cast<float>(kDefaultNan) : x; }
  static float multiply(float x, float y) {
    return isNan(x) ? quiet(x) : isNan(y) ? quiet(y) : made(x * y);
  }
  static float add(float x, float y) {
    return isNan(x) ? quiet(x) : isNan(y) ? quiet(y) : made(x + y);
  }
  static float fma(float x, float y, float z) {
    return isNan(x)   ? quiet(x)
           : isNan(y) ? quiet(y)
           : isNan(z) ? quiet(z)
                      : made(std::fma(x, y, z));
  }
};

// What a group of K, whose numbers `x` and `y` give by their places, adds to the sum of number `s`.
template <typename Math, int Places, typename X, typename Y>
TESSERA_INLINE float addGroup(float sum, int s, const X& x, const Y& y) {
  if constexpr (Places == 4) {
    // Products of two numbers of 8 bits are exact.
    const float first = Math::multiply(x(2 * s), y(2 * s));
    const float second = Math::multiply(x(2 * s + 1), y(2 * s + 1));
    return Math::add(sum, Math::add(first, second));
  } else {
    return Math::fma(x(s), y(s), sum);
  }
}

template <typename Math, int Sums, typename Sum>
TESSERA_INLINE float total(float c, const Sum& sum) {
  if constexpr (Sums == 1) return Math::add(c, sum(0));
  return Math::add(c, Math::add(sum(0), sum(Sums - 1)));
}

// An element of c that is a NaN.
template <typename FormatA, typename FormatB>
uint32_t dotWithNans(uint32_t c, const uint32_t* line, const Tile& b, int n) {
  float sums[kSums<FormatA>] = {};
  for (int k = 0; k < kColumns; ++k) {
    for (int s = 0; s < kSums<FormatA>; ++s) {
      sums[s] = addGroup<MathWithNans, FormatA::kPlaces>(
          sums[s], s, [&](int place) { return FormatA::widen(line[k], place); },
          [&](int place) { return FormatB::widen(b.row[k][n], place); });
    }
  }
  return std::bit_cast<uint32_t>(
      total<MathWithNans, kSums<FormatA>>(std::bit_cast<float>(c), [&](int s) { return sums[s]; }));
}

template <typename FormatA, typename FormatB>
TESSERA_INLINE void dotFloats(Tile& c, const Tile& a, const Tile& b) {
  constexpr int kPlaces = FormatA::kPlaces;
  static_assert(kPlaces == FormatB::kPlaces);
  float wide_a[kLines][kPlaces][kColumns];    // line, place in the group, group of K
  float wide_b[kColumns][kPlaces][kColumns];  // group of K, place in the group, column
  for (int row = 0; row < kLines; ++row) {
    for (int place = 0; place < kPlaces; ++place) {
      for (int n = 0; n < kColumns; ++n)
        wide_a[row][place][n] = FormatA::widen(a.row[row][n], place);
      for (int n = 0; n < kColumns; ++n)
        wide_b[row][place][n] = FormatB::widen(b.row[row][n], place);
    }
  }
  for (int m = 0; m < kLines; ++m) {
    float sums[kSums<FormatA>][kColumns] = {};
    for (int k = 0; k < kColumns; ++k) {
      for (int s = 0; s < kSums<FormatA>; ++s) {
        for (int n = 0; n < kColumns; ++n) {
          sums[s][n] = addGroup<PlainMath, kPlaces>(
              sums[s][n], s, [&](int place) { return wide_a[m][place][k]; },
              [&](int place) { return wide_b[k][place][n]; });
        }
      }
    }
    uint32_t result[kColumns];
    uint32_t nans = 0;
    for (int n = 0; n < kColumns; ++n) {
      const float value = total<PlainMath, kSums<FormatA>>(std::bit_cast<float>(c.row[m][n]),
                                                           [&](int s) { return sums[s][n]; });
      result[n] = std::bit_cast<uint32_t>(value);
      nans |= (result[n] & ~kSignBit) > kInfinity ? 1 : 0;
    }
    if (nans != 0) {
      for (int n = 0; n < kColumns; ++n)
        if (isNan(std::bit_cast<float>(result[n])))
          result[n] = dotWithNans<FormatA, FormatB>(c.row[m][n], a.row[m], b, n);
    }
    for (int n = 0; n < kColumns; ++n) c.row[m][n] = result[n];
  }
}

// What is compiled for each kind of processor.
#define TESSERA_FOR_PROCESSOR(suffix, ...)                                           \
  template <typename ByteA, typename ByteB>                                          \
  __VA_ARGS__ void dotBytes##suffix(Tile& c, const Tile& a, const Tile& b) {         \
    dotBytes<ByteA, ByteB>(c, a, b);                                                 \
  }                                                                                  \
  template <typename FormatA, typename FormatB>                                      \
  __VA_ARGS__ void dotFloats##suffix(Tile& c, const Tile& a, const Tile& b) {        \
    dotFloats<FormatA, FormatB>(c, a, b);                                            \
  }                                                                                  \
  constexpr TileProducts kTable##suffix = {.ss = dotBytes##suffix<int8_t, int8_t>,   \
                                           .su = dotBytes##suffix<int8_t, uint8_t>,  \
                                           .us = dotBytes##suffix<uint8_t, int8_t>,  \
                                           .uu = dotBytes##suffix<uint8_t, uint8_t>, \
                                           .bf16 = dotFloats##suffix<Bf16, Bf16>,    \
                                           .f16 = dotFloats##suffix<F16, F16>,       \
                                           .bb = dotFloats##suffix<E5M2, E5M2>,      \
                                           .bh = dotFloats##suffix<E5M2, E4M3>,      \
                                           .hb = dotFloats##suffix<E4M3, E5M2>,      \
                                           .hh = dotFloats##suffix<E4M3, E4M3>,      \
                                           .tf32 = dotFloats##suffix<Tf32, Tf32>};
TESSERA_FOR_PROCESSOR(Any)
TESSERA_FOR_PROCESSOR(Fma, [[gnu::target("avx2,fma")]])
#undef TESSERA_FOR_PROCESSOR

// MXCSR: all exceptions masked, DAZ, FTZ.
constexpr uint32_t kFlushing = 0x1f80 | 0x0040 | 0x8000;

}  // namespace

const TileProducts kTileProducts = kTableAny;
const TileProducts kTileProductsFma = kTableFma;

// What is done in between is behind a pointer to a function, so it stays in between.
FlushingScope::FlushingScope() : mxcsr_(_mm_getcsr()) { _mm_setcsr(kFlushing); }
FlushingScope::~FlushingScope() { _mm_setcsr(mxcsr_); }

}  // namespace rt
