// SPDX-License-Identifier: Apache-2.0

#include "runtime/peak_loops.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace rt {

#if defined(__x86_64__)

namespace {

constexpr uint64_t kUnrolled = PeakLoop::kUnrolled;
// Pieces of half a millisecond: most run without an interruption, and the best counts.
constexpr uint64_t kLoopIterations = 60'000, kTileIterations = kLoopIterations / 16;

#define REGISTERS_16                                                                       \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define REGISTERS_32                                                                             \
  REGISTERS_16, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", \
      "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"

// 24 independent accumulators cover the latency of two units; operands are zeros, which costs the
// same as any other normal number.
#define ZMM_LOOP(name, instruction)                                                          \
  template <int kAdditions>                                                                  \
  __attribute__((target("avx512f"))) void name(uint64_t iterations) {                        \
    uint64_t sum = 0, one = 1;                                                               \
    asm volatile(                                                                            \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,30,31\n"       \
        "vpxord %%zmm\\r, %%zmm\\r, %%zmm\\r\n"                                              \
        ".endr\n"                                                                            \
        ".balign 64\n"                                                                       \
        "1:\n"                                                                               \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23\n" instruction \
        "\n.endr\n" ADDITIONS                                                                \
        "dec %[iterations]\n"                                                                \
        "jnz 1b\n"                                                                           \
        "vzeroupper\n"                                                                       \
        : [iterations] "+r"(iterations), [sum] "+r"(sum)                                     \
        : [one] "r"(one), [additions] "i"(kAdditions)                                        \
        : "cc", REGISTERS_32);                                                               \
  }

// 16 registers: 12 accumulators, twice.
#define YMM_LOOP(name, instruction)                                            \
  template <int kAdditions>                                                    \
  __attribute__((target("avx2"))) void name(uint64_t iterations) {             \
    uint64_t sum = 0, one = 1;                                                 \
    asm volatile(                                                              \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,14,15\n"                             \
        "vpxor %%ymm\\r, %%ymm\\r, %%ymm\\r\n"                                 \
        ".endr\n"                                                              \
        ".balign 64\n"                                                         \
        "1:\n"                                                                 \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n" instruction                       \
        "\n.endr\n"                                                            \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n" instruction "\n.endr\n" ADDITIONS \
        "dec %[iterations]\n"                                                  \
        "jnz 1b\n"                                                             \
        "vzeroupper\n"                                                         \
        : [iterations] "+r"(iterations), [sum] "+r"(sum)                       \
        : [one] "r"(one), [additions] "i"(kAdditions)                          \
        : "cc", REGISTERS_16);                                                 \
  }

// Of registers: some processors do those of constants without a cycle.
#define ADDITIONS ".rept %c[additions]\nadd %[one], %[sum]\n.endr\n"

ZMM_LOOP(fmaZmm, "vfmadd231ps %%zmm30, %%zmm31, %%zmm\\r")
YMM_LOOP(fmaYmm, "vfmadd231ps %%ymm14, %%ymm15, %%ymm\\r")
ZMM_LOOP(fmaDoubleZmm, "vfmadd231pd %%zmm30, %%zmm31, %%zmm\\r")
YMM_LOOP(fmaDoubleYmm, "vfmadd231pd %%ymm14, %%ymm15, %%ymm\\r")
ZMM_LOOP(dotBf16Zmm, "vdpbf16ps %%zmm30, %%zmm31, %%zmm\\r")
ZMM_LOOP(dotInt8Zmm, "vpdpbusd %%zmm30, %%zmm31, %%zmm\\r")
YMM_LOOP(dotInt8Ymm, "%{vex%} vpdpbusd %%ymm14, %%ymm15, %%ymm\\r")
YMM_LOOP(multiplyAddInt16Ymm, "vpmaddwd %%ymm14, %%ymm15, %%ymm\\r")

// Two, one or half of one a cycle.
#define RUNS(name)                                   \
  kLoopIterations, name<0>, {                        \
    {13, name<13>}, {26, name<26>}, { 52, name<52> } \
  }

// Palette 1 of the tiles: the first six are whole, 16 rows of 64 bytes (Intel SDM, volume 1, 18.2).
struct alignas(64) TileShapes {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16};
};

// Four accumulators cover the latency. The additions stand among the instructions: more of them in
// a row than the scheduler holds would keep those behind them back.
#define TILE_LOOP(name, instruction)                                                          \
  template <int kAdditions>                                                                   \
  void name(uint64_t iterations) {                                                            \
    static_assert(kAdditions % kUnrolled == 0);                                               \
    uint64_t sum = 0, one = 1;                                                                \
    const TileShapes shapes;                                                                  \
    asm volatile(                                                                             \
        "ldtilecfg %[shapes]\n"                                                               \
        ".irp r,0,1,2,3,4,5\n"                                                                \
        "tilezero %%tmm\\r\n"                                                                 \
        ".endr\n"                                                                             \
        ".balign 64\n"                                                                        \
        "1:\n"                                                                                \
        ".irp r,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3\n" instruction "\n" ADDITIONS \
        ".endr\n"                                                                             \
        "dec %[iterations]\n"                                                                 \
        "jnz 1b\n"                                                                            \
        "tilerelease\n"                                                                       \
        : [iterations] "+r"(iterations), [sum] "+r"(sum)                                      \
        : [one] "r"(one), [additions] "i"(kAdditions / kUnrolled), [shapes] "m"(shapes)       \
        : "cc");                                                                              \
  }

TILE_LOOP(dotBf16Tile, "tdpbf16ps %%tmm5, %%tmm4, %%tmm\\r")
TILE_LOOP(dotInt8Tile, "tdpbssd %%tmm5, %%tmm4, %%tmm\\r")

// One in 16 cycles, or in 32 where two processors share a tile unit.
#define TILE_RUNS(name)                    \
  kTileIterations, name<0>, {              \
    {408, name<408>}, {816, name<816>}, {} \
  }

// AVX-VNNI is CPUID leaf 7, subleaf 1, EAX bit 4; its registers are AVX2's.
bool hasAvxVnni() {
  unsigned eax, ebx, ecx, edx;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) &&
         (eax >> 4 & 1);
}
bool hasFma() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool hasAvx512() { return __builtin_cpu_supports("avx512f"); }
bool isAsked() { return true; }  // the system, by who uses tiles

constexpr PeakLoop kLoops[] = {
    {PeakKind::F32, Isa::Avx512, "vfmadd231ps zmm", 32, hasAvx512, RUNS(fmaZmm)},
    {PeakKind::F32, Isa::Avx2, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::F32Of256, Isa::Avx2, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::F64, Isa::Avx512, "vfmadd231pd zmm", 16, hasAvx512, RUNS(fmaDoubleZmm)},
    {PeakKind::F64, Isa::Avx2, "vfmadd231pd ymm", 8, hasFma, RUNS(fmaDoubleYmm)},
    {PeakKind::Bf16, Isa::Amx, "tdpbf16ps tile", 16 * 16 * 32 * 2, isAsked, TILE_RUNS(dotBf16Tile)},
    {PeakKind::Bf16, Isa::Avx512, "vdpbf16ps zmm", 64,
     [] { return bool(__builtin_cpu_supports("avx512bf16")); }, RUNS(dotBf16Zmm)},
    {PeakKind::Bf16, Isa::Avx512, "vfmadd231ps zmm", 32, hasAvx512, RUNS(fmaZmm)},
    {PeakKind::Bf16, Isa::Avx2, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::Int8, Isa::Amx, "tdpbssd tile", 16 * 16 * 64 * 2, isAsked, TILE_RUNS(dotInt8Tile)},
    {PeakKind::Int8, Isa::Avx512, "vpdpbusd zmm", 128,
     [] { return bool(__builtin_cpu_supports("avx512vnni")); }, RUNS(dotInt8Zmm)},
    {PeakKind::Int8, Isa::Avx2, "vpdpbusd ymm", 64, hasAvxVnni, RUNS(dotInt8Ymm)},
    {PeakKind::Int8, Isa::Avx2, "vpmaddwd ymm", 32, hasFma, RUNS(multiplyAddInt16Ymm)},
};

}  // namespace

std::span<const PeakLoop> peakLoops() { return kLoops; }

#else

std::span<const PeakLoop> peakLoops() { return {}; }

#endif

}  // namespace rt
