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

struct Loop {
  PeakKind kind;
  const char* instruction;
  double operations;  // of one instruction
  bool (*available)();
  void (*run)(uint64_t iterations);  // kUnrolled instructions each
};

constexpr uint64_t kUnrolled = 24;

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
  __attribute__((target("avx512f"))) void name(uint64_t iterations) {                        \
    asm volatile(                                                                            \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,30,31\n"       \
        "vpxord %%zmm\\r, %%zmm\\r, %%zmm\\r\n"                                              \
        ".endr\n"                                                                            \
        ".balign 64\n"                                                                       \
        "1:\n"                                                                               \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23\n" instruction \
        "\n.endr\n"                                                                          \
        "dec %0\n"                                                                           \
        "jnz 1b\n"                                                                           \
        "vzeroupper\n"                                                                       \
        : "+r"(iterations)                                                                   \
        :                                                                                    \
        : "cc", REGISTERS_32);                                                               \
  }

// 16 registers: 12 accumulators, twice.
#define YMM_LOOP(name, instruction)                                \
  __attribute__((target("avx2"))) void name(uint64_t iterations) { \
    asm volatile(                                                  \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,14,15\n"                 \
        "vpxor %%ymm\\r, %%ymm\\r, %%ymm\\r\n"                     \
        ".endr\n"                                                  \
        ".balign 64\n"                                             \
        "1:\n"                                                     \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n" instruction           \
        "\n.endr\n"                                                \
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n" instruction           \
        "\n.endr\n"                                                \
        "dec %0\n"                                                 \
        "jnz 1b\n"                                                 \
        "vzeroupper\n"                                             \
        : "+r"(iterations)                                         \
        :                                                          \
        : "cc", REGISTERS_16);                                     \
  }

ZMM_LOOP(fmaZmm, "vfmadd231ps %%zmm30, %%zmm31, %%zmm\\r")
YMM_LOOP(fmaYmm, "vfmadd231ps %%ymm14, %%ymm15, %%ymm\\r")
ZMM_LOOP(fmaDoubleZmm, "vfmadd231pd %%zmm30, %%zmm31, %%zmm\\r")
YMM_LOOP(fmaDoubleYmm, "vfmadd231pd %%ymm14, %%ymm15, %%ymm\\r")
ZMM_LOOP(dotBf16Zmm, "vdpbf16ps %%zmm30, %%zmm31, %%zmm\\r")
ZMM_LOOP(dotInt8Zmm, "vpdpbusd %%zmm30, %%zmm31, %%zmm\\r")
YMM_LOOP(dotInt8Ymm, "%{vex%} vpdpbusd %%ymm14, %%ymm15, %%ymm\\r")
YMM_LOOP(multiplyAddInt16Ymm, "vpmaddwd %%ymm14, %%ymm15, %%ymm\\r")

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

constexpr Loop kLoops[] = {
    {PeakKind::F32, "vfmadd231ps zmm", 32, [] { return bool(__builtin_cpu_supports("avx512f")); },
     fmaZmm},
    {PeakKind::F32, "vfmadd231ps ymm", 16, hasFma, fmaYmm},
    {PeakKind::F32Of256, "vfmadd231ps ymm", 16, hasFma, fmaYmm},
    {PeakKind::F64, "vfmadd231pd zmm", 16, [] { return bool(__builtin_cpu_supports("avx512f")); },
     fmaDoubleZmm},
    {PeakKind::F64, "vfmadd231pd ymm", 8, hasFma, fmaDoubleYmm},
    {PeakKind::Bf16, "vdpbf16ps zmm", 64, [] { return bool(__builtin_cpu_supports("avx512bf16")); },
     dotBf16Zmm},
    {PeakKind::Bf16, "vfmadd231ps zmm", 32, [] { return bool(__builtin_cpu_supports("avx512f")); },
     fmaZmm},
    {PeakKind::Bf16, "vfmadd231ps ymm", 16, hasFma, fmaYmm},
    {PeakKind::Int8, "vpdpbusd zmm", 128, [] { return bool(__builtin_cpu_supports("avx512vnni")); },
     dotInt8Zmm},
    {PeakKind::Int8, "vpdpbusd ymm", 64, hasAvxVnni, dotInt8Ymm},
    {PeakKind::Int8, "vpmaddwd ymm", 32, hasFma, multiplyAddInt16Ymm},
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
  double best_add = std::numeric_limits<double>::infinity(), best_loop = best_add;
  const double end = now() + seconds;
  do {
    best_add = std::min(best_add, timeOf(dependentAdditions, kAddIterations));
    best_loop = std::min(best_loop, timeOf(loop->run, kLoopIterations));
  } while (now() < end);
  const double cycles_per_second = static_cast<double>(kAddIterations * kAdditions) / best_add;
  const double instructions_per_second =
      static_cast<double>(kLoopIterations * kUnrolled) / best_loop;
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
  auto meanOf = [&](double Peak::*figure) {
    double sum = 0;
    for (const Peak& peak : peaks) sum += peak.*figure;
    return sum / static_cast<double>(peaks.size());
  };
  for (double Peak::*figure : {&Peak::operations_per_second, &Peak::gigahertz, &Peak::per_cycle})
    mean.*figure = meanOf(figure);
  return mean;
}

}  // namespace bench
