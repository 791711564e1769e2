// SPDX-License-Identifier: Apache-2.0

#include "bench/peak.h"

#include <sched.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/parallel.h"
#include "bench/tiles.h"
#include "bench/timing.h"

namespace bench {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using LoopFunction = void (*)(uint64_t iterations);  // of kUnrolled instructions each

// The same loop with dependent additions among its instructions, one a cycle.
struct ClockLoop {
  uint64_t additions = 0;  // an iteration
  LoopFunction run = nullptr;
};

struct Loop {
  PeakKind kind;
  const char* instruction;
  double operations;  // of one instruction
  bool (*available)();
  uint64_t iterations;  // of about half a millisecond
  LoopFunction run;
  // Additions that take somewhat longer than the instructions at the rates that these may have: the
  // loop runs at the clock that the processor has under such a load. Ascending; the rest is empty.
  ClockLoop clocks[3];
};

constexpr uint64_t kUnrolled = 24;
// Pieces of half a millisecond: most run without an interruption, and the best counts.
constexpr uint64_t kLoopIterations = 60'000, kTileIterations = kLoopIterations / 16;

#if defined(__x86_64__)

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

constexpr uint64_t kAdditions = 64, kAddIterations = kLoopIterations / 2;

void dependentAdditions(uint64_t iterations) {
  uint64_t sum = 0, one = 1;
  asm volatile(
      ".balign 64\n"
      "1:\n"
      ".rept 64\n"
      "add %2, %1\n"
      ".endr\n"
      "dec %0\n"
      "jnz 1b\n"
      : "+r"(iterations), "+r"(sum)
      : "r"(one)
      : "cc");
}

// AVX-VNNI is CPUID leaf 7, subleaf 1, EAX bit 4; its registers are AVX2's.
bool hasAvxVnni() {
  unsigned eax, ebx, ecx, edx;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) &&
         (eax >> 4 & 1);
}
bool hasFma() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool hasAvx512() { return __builtin_cpu_supports("avx512f"); }
bool mayUseTiles() { return tileUse() == TileUse::Used; }

constexpr Loop kLoops[] = {
    {PeakKind::F32, "vfmadd231ps zmm", 32, hasAvx512, RUNS(fmaZmm)},
    {PeakKind::F32, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::F32Of256, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::F64, "vfmadd231pd zmm", 16, hasAvx512, RUNS(fmaDoubleZmm)},
    {PeakKind::F64, "vfmadd231pd ymm", 8, hasFma, RUNS(fmaDoubleYmm)},
    {PeakKind::Bf16, "tdpbf16ps tile", 16 * 16 * 32 * 2, mayUseTiles, TILE_RUNS(dotBf16Tile)},
    {PeakKind::Bf16, "vdpbf16ps zmm", 64, [] { return bool(__builtin_cpu_supports("avx512bf16")); },
     RUNS(dotBf16Zmm)},
    {PeakKind::Bf16, "vfmadd231ps zmm", 32, hasAvx512, RUNS(fmaZmm)},
    {PeakKind::Bf16, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::Int8, "tdpbssd tile", 16 * 16 * 64 * 2, mayUseTiles, TILE_RUNS(dotInt8Tile)},
    {PeakKind::Int8, "vpdpbusd zmm", 128, [] { return bool(__builtin_cpu_supports("avx512vnni")); },
     RUNS(dotInt8Zmm)},
    {PeakKind::Int8, "vpdpbusd ymm", 64, hasAvxVnni, RUNS(dotInt8Ymm)},
    {PeakKind::Int8, "vpmaddwd ymm", 32, hasFma, RUNS(multiplyAddInt16Ymm)},
};

#endif

}  // namespace

bool Peak::proven() const {
  auto near = [&](double rate) { return per_cycle >= 0.97 * rate && per_cycle <= 1.03 * rate; };
  return near(1.0 / 16) || near(0.5) || near(1) || per_cycle >= 0.97 * 2;
}

std::string Peak::describe() const {
  if (instruction.empty()) return "no peak loop for this processor";
  char rate[40], text[160];
  std::snprintf(rate, sizeof(rate), per_cycle < 0.3 ? "one in %.1f cycles" : "%.2f a cycle",
                per_cycle < 0.3 ? 1 / per_cycle : per_cycle);
  std::snprintf(text, sizeof(text), "%s %.1f Gop/s, %s at %.2f GHz%s", instruction.c_str(),
                operations_per_second * 1e-9, rate, gigahertz,
                proven() ? ""
                         : " (NOT PROVEN: not a sixteenth, a half, one or two a cycle; is the "
                           "machine busy?)");
  return text;
}

#if defined(__x86_64__)
namespace {

double timeOf(void (*run)(uint64_t), uint64_t iterations) {
  const double start = now();
  run(iterations);
  return now() - start;
}

// The fastest of the kind, which is not the newest everywhere: dot products of bf16 run at half
// rate on some processors, and FMA is faster then.
const Loop* fastestLoop(PeakKind kind) {
  const Loop* fastest = nullptr;
  double most = 0;
  for (const Loop& loop : kLoops) {
    if (loop.kind != kind || !loop.available()) continue;
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < 8; ++trial)
      least = std::min(least, timeOf(loop.run, loop.iterations));
    const double rate = loop.operations * static_cast<double>(loop.iterations) / least;
    // By more than noise: the table has the instruction that is meant first.
    if (rate > 1.1 * most) {
      fastest = &loop;
      most = rate;
    }
  }
  return fastest;
}

const Loop* loopFor(PeakKind kind) {
  static std::mutex mutex;
  static std::map<PeakKind, const Loop*> chosen;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = chosen.try_emplace(kind);
  if (is_new) place->second = fastestLoop(kind);
  return place->second;
}

}  // namespace
#endif

Peak measurePeak(PeakKind kind, double seconds) {
  Peak peak;
#if defined(__x86_64__)
  const Loop* loop = loopFor(kind);
  if (loop == nullptr) return peak;
  peak.instruction = loop->instruction;
  double best_loop = std::numeric_limits<double>::infinity(), best_clock = best_loop;
  const double iterations = static_cast<double>(loop->iterations);
  // About how many cycles an iteration takes, with more than one trial against interruptions.
  double add_time = best_loop, loop_time = best_loop;
  for (int trial = 0; trial < 3; ++trial) {
    add_time = std::min(add_time, timeOf(dependentAdditions, kAddIterations));
    loop_time = std::min(loop_time, timeOf(loop->run, loop->iterations));
  }
  const double additions = static_cast<double>(kAddIterations * kAdditions);
  const double cycles = loop_time / iterations * (additions / add_time);
  const ClockLoop* clock = loop->clocks;
  // With a margin on both sides: the rates that they stand for are a factor of two apart.
  while (static_cast<double>(clock->additions) < 0.75 * cycles &&
         clock + 1 < std::end(loop->clocks) && clock[1].run != nullptr)
    ++clock;
  const double end = now() + seconds;
  do {
    best_loop = std::min(best_loop, timeOf(loop->run, loop->iterations));
    best_clock = std::min(best_clock, timeOf(clock->run, loop->iterations));
  } while (now() < end);
  const double cycles_per_second = iterations * static_cast<double>(clock->additions) / best_clock;
  const double instructions_per_second = iterations * kUnrolled / best_loop;
  peak.gigahertz = cycles_per_second * 1e-9;
  peak.per_cycle = instructions_per_second / cycles_per_second;
  peak.operations_per_second = instructions_per_second * loop->operations;
#endif
  return peak;
}

Peak measurePeakOfBusyCores(PeakKind kind, double seconds) {
  std::vector<Peak> peaks(coreCount());
  onAllCores(peaks.size(), [&](size_t first, size_t last) {
    for (size_t core = first; core < last; ++core) peaks[core] = measurePeak(kind, seconds);
  });
  Peak mean = peaks[0];
  auto meanOf = [&](double Peak::* figure) {
    double sum = 0;
    for (const Peak& peak : peaks) sum += peak.*figure;
    return sum / static_cast<double>(peaks.size());
  };
  for (double Peak::* figure : {&Peak::operations_per_second, &Peak::gigahertz, &Peak::per_cycle})
    mean.*figure = meanOf(figure);
  return mean;
}

std::vector<double> measureRatesOn(const std::vector<int>& processors, PeakKind kind,
                                   double seconds) {
  std::vector<double> rates(processors.size());
#if defined(__x86_64__) && defined(__linux__)
  const Loop* loop = loopFor(kind);
  if (loop == nullptr) return rates;
  std::barrier start(static_cast<std::ptrdiff_t>(processors.size()));
  std::vector<std::thread> threads;
  std::atomic<bool> pinned = true;
  for (size_t k = 0; k < processors.size(); ++k) {
    threads.emplace_back([&, k] {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<size_t>(processors[k]), &set);
      if (sched_setaffinity(0, sizeof(set), &set) != 0) pinned = false;
      start.arrive_and_wait();
      std::vector<double> times;
      const double end = now() + seconds;
      do {
        times.push_back(timeOf(loop->run, loop->iterations));
      } while (now() < end);
      rates[k] =
          static_cast<double>(loop->iterations * kUnrolled) * loop->operations / median(times);
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (!pinned) throw std::runtime_error("a thread could not be bound to its processor");
#endif
  return rates;
}

}  // namespace bench
