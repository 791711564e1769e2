// SPDX-License-Identifier: Apache-2.0

#include "bench/peak.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "bench/parallel.h"

namespace bench {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

using LoopFunction = void (*)(uint64_t iterations);  // of kUnrolled instructions each

struct Loop {
  PeakKind kind;
  const char* instruction;
  double operations;  // of one instruction
  bool (*available)();
  LoopFunction run;
  // The same with as many dependent additions as in kClockAdditions. They take somewhat longer than
  // the instructions if those run at two, one or half of one a cycle: the loops run at the clock
  // that the processor has under such a load, one addition a cycle.
  LoopFunction with_additions[3];
};

constexpr uint64_t kUnrolled = 24;
constexpr int kClockAdditions[] = {13, 26, 52};

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

#define RUNS(name) \
  name<0>, { name<kClockAdditions[0]>, name<kClockAdditions[1]>, name<kClockAdditions[2]> }

constexpr uint64_t kAdditions = 64;

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

constexpr Loop kLoops[] = {
    {PeakKind::F32, "vfmadd231ps zmm", 32, hasAvx512, RUNS(fmaZmm)},
    {PeakKind::F32, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::F32Of256, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::F64, "vfmadd231pd zmm", 16, hasAvx512, RUNS(fmaDoubleZmm)},
    {PeakKind::F64, "vfmadd231pd ymm", 8, hasFma, RUNS(fmaDoubleYmm)},
    {PeakKind::Bf16, "vdpbf16ps zmm", 64, [] { return bool(__builtin_cpu_supports("avx512bf16")); },
     RUNS(dotBf16Zmm)},
    {PeakKind::Bf16, "vfmadd231ps zmm", 32, hasAvx512, RUNS(fmaZmm)},
    {PeakKind::Bf16, "vfmadd231ps ymm", 16, hasFma, RUNS(fmaYmm)},
    {PeakKind::Int8, "vpdpbusd zmm", 128, [] { return bool(__builtin_cpu_supports("avx512vnni")); },
     RUNS(dotInt8Zmm)},
    {PeakKind::Int8, "vpdpbusd ymm", 64, hasAvxVnni, RUNS(dotInt8Ymm)},
    {PeakKind::Int8, "vpmaddwd ymm", 32, hasFma, RUNS(multiplyAddInt16Ymm)},
};

#endif

}  // namespace

bool Peak::proven() const {
  auto near = [&](double rate) { return per_cycle >= 0.97 * rate && per_cycle <= 1.03 * rate; };
  return near(0.5) || near(1) || per_cycle >= 0.97 * 2;
}

std::string Peak::describe() const {
  if (instruction.empty()) return "no peak loop for this processor";
  char text[160];
  std::snprintf(
      text, sizeof(text), "%s %.1f Gop/s, %.2f a cycle at %.2f GHz%s", instruction.c_str(),
      operations_per_second * 1e-9, per_cycle, gigahertz,
      proven() ? "" : " (NOT PROVEN: not a half, one or two a cycle; is the machine busy?)");
  return text;
}

#if defined(__x86_64__)
namespace {

double timeOf(void (*run)(uint64_t), uint64_t iterations) {
  const double start = now();
  run(iterations);
  return now() - start;
}

// Pieces of about half a millisecond: most run without an interruption, and the best counts.
constexpr uint64_t kAddIterations = 30'000, kLoopIterations = 60'000;

// The fastest of the kind, which is not the newest everywhere: dot products of bf16 run at half
// rate on some processors, and FMA is faster then.
const Loop* fastestLoop(PeakKind kind) {
  const Loop* fastest = nullptr;
  double most = 0;
  for (const Loop& loop : kLoops) {
    if (loop.kind != kind || !loop.available()) continue;
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < 8; ++trial)
      least = std::min(least, timeOf(loop.run, kLoopIterations));
    // By more than noise: the table has the instruction that is meant first.
    if (loop.operations / least > 1.1 * most) {
      fastest = &loop;
      most = loop.operations / least;
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
  const double instructions = static_cast<double>(kLoopIterations * kUnrolled);
  // About how many a cycle, with more than one trial against interruptions.
  double add_time = best_loop, loop_time = best_loop;
  for (int trial = 0; trial < 3; ++trial) {
    add_time = std::min(add_time, timeOf(dependentAdditions, kAddIterations));
    loop_time = std::min(loop_time, timeOf(loop->run, kLoopIterations));
  }
  const double additions = static_cast<double>(kAddIterations * kAdditions);
  const double rate = instructions / loop_time / (additions / add_time);
  const size_t with = rate > 1.4 ? 0 : rate > 0.7 ? 1 : 2;
  const double end = now() + seconds;
  do {
    best_loop = std::min(best_loop, timeOf(loop->run, kLoopIterations));
    best_clock = std::min(best_clock, timeOf(loop->with_additions[with], kLoopIterations));
  } while (now() < end);
  const double cycles_per_second =
      static_cast<double>(kLoopIterations) * kClockAdditions[with] / best_clock;
  const double instructions_per_second = instructions / best_loop;
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

}  // namespace bench
